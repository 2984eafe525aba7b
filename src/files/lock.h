/* A lock that allows one writer per folder and lasts as long as its process,
 * however that ends. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

enum { CS_NO_LOCK = -1 };

/* Takes the lock of `folder` in its file "lock"; cs_lock_release returns *lock.
 * If another process holds it, the error names that process; if the file system
 * has no locks, *lock is CS_NO_LOCK. */
cs_status cs_lock_take(const char *folder, int *lock, cs_error *err);

/* Returns true if the lock's file exists but no process holds it, here or,
 * where the file system reports it, on another machine: the writer died. */
bool cs_lock_is_left(const char *folder);

/* Releases the lock and removes its file. CS_NO_LOCK is allowed. */
void cs_lock_release(const char *folder, int lock);
