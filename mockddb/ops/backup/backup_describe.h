/* backup_describe.h: backups in answers. Source: docs/behaviour/backups.md. */
#ifndef OPS_BACKUP_DESCRIBE_H
#define OPS_BACKUP_DESCRIBE_H

#include "ops/backup/backup.h"

enum backup_status { BACKUP_CREATING, BACKUP_AVAILABLE, BACKUP_DELETED };

enum backup_status backup_describe_status(const struct call *c, const struct backup *b);

/* Write members into the open object. */
void backup_describe_details(struct call *c, const struct backup *b, enum backup_status status);
void backup_describe_whole(struct call *c, const struct backup *b, enum backup_status status);

/* Writes an object, as an element of a list. */
void backup_describe_summary(struct call *c, const struct backup *b);

#endif
