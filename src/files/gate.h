/* A gate that all write requests pass, so that a test can make one fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes the n-th request fail (open, write, truncate, sync, rename; 1 = the
 * next) with the error number `why`; with `for_ever` all later ones fail too. A
 * failing write writes one half, as on a full disk; truncating needs no space
 * and does not fail with ENOSPC. n = 0: no more failures. why = 0: the process
 * is killed by SIGKILL.
 * Environment: CHAINSCOPE_IOFAIL=n: ENOSPC from the n-th on;
 * CHAINSCOPE_IOKILL=n: killed at the n-th. */
void cs_gate_fail_at(unsigned long n, int why, bool for_ever);

/* Returns the number of requests since the last cs_gate_fail_at. */
unsigned long cs_gate_requests(void);

/* Returns true if this request is to fail, with the reason in errno. */
bool cs_gate_refuses(void);

/* Writes bytes[size] to fd; on false errno has the reason. */
bool cs_gate_write(int fd, const void *bytes, size_t size);
