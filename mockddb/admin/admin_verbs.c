/* All verbs: the tables of the files. The first row that fits a request wins. */
#include "admin/admin_verb.h"

extern const struct admin_verb verb_assert[], verb_check[], verb_clock[], verb_collections[],
    verb_command[], verb_differences[], verb_faults[], verb_import[], verb_journal[], verb_mask[],
    verb_partitions[], verb_patterns[], verb_patterns_run[], verb_snapshots[], verb_throttle[],
    verb_try[], verb_worlds[], verb_write[];

const struct admin_verb *const admin_verbs[] = {verb_assert,
                                                verb_check,
                                                verb_clock,
                                                verb_collections,
                                                verb_command,
                                                verb_differences,
                                                verb_faults,
                                                verb_import,
                                                verb_journal,
                                                verb_mask,
                                                verb_partitions,
                                                verb_patterns,
                                                verb_patterns_run,
                                                verb_snapshots,
                                                verb_throttle,
                                                verb_try,
                                                verb_worlds,
                                                verb_write,
                                                NULL};
