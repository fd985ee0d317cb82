/* All verbs; the first matching row wins. */
#include "admin/admin_verb.h"

extern const struct admin_verb verb_assert;
extern const struct admin_verb verb_clock_get;
extern const struct admin_verb verb_clock_set;
extern const struct admin_verb verb_command;
extern const struct admin_verb verb_explanations;
extern const struct admin_verb verb_faults_get;
extern const struct admin_verb verb_faults_add;
extern const struct admin_verb verb_faults_clear;
extern const struct admin_verb verb_faults_drop;
extern const struct admin_verb verb_import;
extern const struct admin_verb verb_journal_get;
extern const struct admin_verb verb_journal_clear;
extern const struct admin_verb verb_patterns;
extern const struct admin_verb verb_patterns_files;
extern const struct admin_verb verb_patterns_run;
extern const struct admin_verb verb_reset;
extern const struct admin_verb verb_snapshots_list;
extern const struct admin_verb verb_snapshots_take;
extern const struct admin_verb verb_snapshots_get;
extern const struct admin_verb verb_snapshots_restore;
extern const struct admin_verb verb_snapshots_read_file;
extern const struct admin_verb verb_snapshots_load_file;
extern const struct admin_verb verb_snapshots_drop;
extern const struct admin_verb verb_throttle_get;
extern const struct admin_verb verb_throttle_set;
extern const struct admin_verb verb_throttle_off;
extern const struct admin_verb verb_try;
extern const struct admin_verb verb_worlds_list;
extern const struct admin_verb verb_worlds_make;
extern const struct admin_verb verb_worlds_get;
extern const struct admin_verb verb_worlds_drop;
extern const struct admin_verb verb_write;
extern const struct admin_verb verb_partitions;

const struct admin_verb *const admin_verbs[] = {
    &verb_assert,
    &verb_clock_get,
    &verb_clock_set,
    &verb_command,
    &verb_explanations,
    &verb_faults_get,
    &verb_faults_add,
    &verb_faults_clear,
    &verb_faults_drop,
    &verb_import,
    &verb_journal_get,
    &verb_journal_clear,
    &verb_patterns,
    &verb_patterns_files,
    &verb_patterns_run,
    &verb_reset,
    &verb_snapshots_list,
    &verb_snapshots_take,
    &verb_snapshots_get,
    &verb_snapshots_restore,
    &verb_snapshots_read_file,
    &verb_snapshots_load_file,
    &verb_snapshots_drop,
    &verb_throttle_get,
    &verb_throttle_set,
    &verb_throttle_off,
    &verb_try,
    &verb_worlds_list,
    &verb_worlds_make,
    &verb_worlds_get,
    &verb_worlds_drop,
    &verb_write,
    &verb_partitions,
    NULL,
};
