/* One writer a folder: a lock that lasts as long as its process, however that
 * ends. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

enum { CS_NO_LOCK = -1 };

/* Takes the lock of `folder`, which lies in its file "lock": *lock is given
 * back by cs_lock_release. Where another process has it, the error names that
 * process; where the file system knows no locks, *lock is CS_NO_LOCK. */
cs_status cs_lock_take(const char *folder, int *lock, cs_error *err);

/* Whether there is the lock's file, and no process holds it, here or, where the
 * file system tells, elsewhere: who wrote there has died. */
bool cs_lock_is_left(const char *folder);

/* Removes the file as well. CS_NO_LOCK is fine. */
void cs_lock_release(const char *folder, int lock);
