/* The clocks of the program, in seconds. */
#ifndef CS_BASE_CLOCK_H
#define CS_BASE_CLOCK_H

/* Wall time from some fixed moment on; it never jumps. */
double cs_clock(void);
/* CPU time that the calling thread, or all threads, used so far. */
double cs_clock_thread(void);
double cs_clock_process(void);

#endif
