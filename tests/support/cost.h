/* CPU time, judged by its ratio to the CPU time of a peer that is measured in turn
 * with it. Seconds depend on the machine and on its load; the ratio hardly does. */
#pragma once

#include <sys/resource.h>

/* Does some work once; returns the CPU seconds that it took. */
typedef double cost_work(void *self);

/* The least cost of the work divided by the least cost of the peer. Both are
 * measured in turn, until the ratio is `enough` or less, at most `rounds` times. */
double cost_ratio(cost_work *work, void *self, cost_work *peer, void *of,
                  int rounds, double enough);

/* The CPU seconds that wait4 or getrusage tells. */
double cost_of_use(const struct rusage *use);

/* The CPU seconds that the living children of this thread have used, in hundredths. */
double cost_of_children(void);
/* How often their first threads have waited for something, and went on. */
double cost_wakes_of_children(void);

/* Computes until this thread has used `seconds` more of CPU time. A process
 * that spins uses about the same in that time on an idle or a loaded
 * machine. */
void cost_spin(double seconds);

/* The peer of work within the program: 64 Ki numbers are written to fresh memory
 * and sorted by qsort. `self` is not used. */
double cost_of_sorting(void *self);

/* The peer of a program: argv[0], looked up in PATH, and its children. Its output is
 * dropped, and it must succeed. */
typedef struct cost_command {
    const char *const *argv; /* up to NULL */
    const char *libraries;   /* loaded before its own, NULL: none */
} cost_command;
double cost_of_command(void *command);
