/* CPU time of some work relative to the CPU time of a reference task (the
 * peer). Work and peer are measured in turn. Seconds depend on the machine and
 * its load, but the ratio hardly depends on them. */
#pragma once

#include <sys/resource.h>

/* Does some work once; returns the CPU seconds that it used. */
typedef double cost_work(void *self);

/* Returns the minimum cost of the work divided by the minimum cost of the peer
 * (the reference task). Measures work and peer in turn, at most `rounds` times,
 * until the ratio is at most `enough`. */
double cost_ratio(cost_work *work, void *self, cost_work *peer, void *of,
                  int rounds, double enough);

/* Returns the CPU seconds reported by wait4 or getrusage. */
double cost_of_use(const struct rusage *use);

/* Returns the CPU seconds used by the running children of this thread, with a
 * resolution of 0.01 s. */
double cost_of_children(void);
/* Returns the number of voluntary context switches of the children's first
 * threads. */
double cost_wakes_of_children(void);

/* Computes until this thread has used another `seconds` seconds of CPU time, on
 * an idle or a loaded machine. If another process spins during this call, it
 * uses about as much CPU time as the call. */
void cost_spin(double seconds);

/* A peer inside the program: fills newly allocated memory with 64 Ki numbers
 * and sorts them with qsort. `self` is unused. */
double cost_of_sorting(void *self);

/* A peer for programs: the program argv[0] and its children. The program is
 * looked up in PATH. The output is discarded, and the program must succeed. */
typedef struct cost_command {
    const char *const *argv; /* ends with NULL */
    const char *libraries;   /* LD_PRELOAD; NULL: none */
} cost_command;
double cost_of_command(void *command);
