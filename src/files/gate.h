/* A function that all write requests pass through. It allows a test to make a
 * request fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes the n-th request from now (1 is the next) fail with the error number
 * `why`. The requests are: open, write, truncate, sync, rename. If `for_ever`
 * is true, all later requests fail, too. A write that fails still writes one
 * half of its bytes, as on a full disk. Truncating needs no space and does
 * not fail with ENOSPC. n = 0: no more failures. why = 0: the process is
 * killed by SIGKILL. Environment variables: CHAINSCOPE_IOFAIL=n: ENOSPC from
 * the n-th request on; CHAINSCOPE_IOKILL=n: the process is killed at the n-th
 * request. */
void cs_gate_fail_at(unsigned long n, int why, bool for_ever);

/* Returns the number of requests since the last call of cs_gate_fail_at. */
unsigned long cs_gate_requests(void);

/* Returns true if the current request must fail; errno has the reason. */
bool cs_gate_refuses(void);

/* Writes bytes[size] to fd. Returns false if that fails; errno has the
 * reason. */
bool cs_gate_write(int fd, const void *bytes, size_t size);
