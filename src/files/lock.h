/* A lock that allows only one writer per folder. The lock ends when the process
 * that holds it releases it. The lock also ends when this process ends, for any
 * reason. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

enum { CS_NO_LOCK = -1 };

/* Takes the lock of `folder`, which is held on the folder's file "lock". Pass
 * *lock to cs_lock_release later. If another process holds the lock, the error
 * names that process. If the file system has no locks, *lock is CS_NO_LOCK. */
cs_status cs_lock_take(const char *folder, int *lock, cs_error *err);

/* Returns true if the lock's file exists but no process holds the lock, which
 * means that the writer has died. If the file system reports a lock that
 * another machine holds, this lock counts, too. */
bool cs_lock_is_left(const char *folder);

/* Releases the lock and removes its file. CS_NO_LOCK is allowed. */
void cs_lock_release(const char *folder, int lock);
