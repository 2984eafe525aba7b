/* Seconds on a clock that never jumps. */
#ifndef CS_BASE_CLOCK_H
#define CS_BASE_CLOCK_H

double cs_clock(void);

#endif
