/* A gate that all requests to write pass, so that a test can make one fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The n-th request fails (open, write, cut, sync, rename; 1 = the next) with the
 * error number `why`, and with `for_ever` all later ones too. A write that fails
 * has written the half, as on a disk that fills up; cutting a file shorter needs
 * no room and does not fail with ENOSPC. n = 0: no more failures. why = 0: the
 * process is killed there, by SIGKILL.
 * In the environment CHAINSCOPE_IOFAIL=n: ENOSPC from the n-th on;
 * CHAINSCOPE_IOKILL=n: killed at the n-th. */
void cs_gate_fail_at(unsigned long n, int why, bool for_ever);

/* How many requests were made since the last cs_gate_fail_at. */
unsigned long cs_gate_requests(void);

/* Whether this request is to fail; errno says why. */
bool cs_gate_refuses(void);

/* Writes bytes[size] to fd; false: errno says why. */
bool cs_gate_write(int fd, const void *bytes, size_t size);
