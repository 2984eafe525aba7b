/* A run that several processes move together: the ranks of MPI (mpi/mpi.c).
 *
 * Each rank opens the same run with memory for all of its chains, and moves
 * those of its share (run/arms/share.h; parts use shares too). Rank 0 keeps the
 * time, queries the run and writes the results of the whole; the others follow
 * its orders. Where chains of several ranks interact (exchanges, tuners), the
 * ranks exchange the data needed, and then all compute the same, in the order
 * of the chains. The results do not depend on the number of ranks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;

/* Communication between ranks. Every rank calls the same functions in the same
 * order on one thread. None can fail: if a rank is lost, all end. */
typedef struct cs_world {
    size_t rank, size; /* of this process, from 0; of all */
    /* Gathers n[k] words from each rank k to all[sum of n], in the order of the
     * ranks, on every rank. */
    void (*gather)(double *all, const size_t *n);
    /* Sends n_out[k] words of `out` to rank k, in the order of the ranks; `in`
     * receives likewise the words for this rank. */
    void (*exchange)(const double *out, const size_t *n_out, double *in,
                     const size_t *n_in);
    /* Broadcasts two words of the first rank. A rank that waits long sleeps. */
    void (*order)(uint64_t words[2]);
    /* Sends bytes to the first rank. There: probes the size of the message of
     * rank `from`, then receives it to to[size]; NULL: no memory for it. */
    void (*send)(const unsigned char *bytes, uint64_t size);
    uint64_t (*probe)(size_t from);
    void (*receive)(size_t from, unsigned char *to, uint64_t size);
} cs_world;

/* Returns the ranks; NULL: a single process moves the run. */
const cs_world *cs_run_ranks(const cs_run *r);
/* True if more than one rank moves it, that is, if it can be shared out. */
bool cs_run_is_split(const cs_run *r);
/* True if this process is not the first rank. */
bool cs_run_follows(const cs_run *r);
/* Returns the seconds that choose the number of steps of a round. If ranks wait
 * for each other these are seconds of the processor: on a loaded machine each
 * round takes long, and wall time would choose ever more steps. */
double cs_run_clock(const cs_run *r);
