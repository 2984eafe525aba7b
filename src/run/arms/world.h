/* A run whose chains are moved by several processes: the ranks of MPI
 * (mpi/mpi.c).
 *
 * Each rank opens the same run with memory for all chains, and moves the chains
 * of its share (run/arms/share.h; parts are shares as well). Rank 0 measures
 * the time, queries the run and writes the results of all chains; the other
 * ranks follow its orders. When chains of several ranks interact (exchanges,
 * tuners), the ranks exchange the necessary data, and then all ranks compute
 * the same values in the order of the chains. The results do not depend on the
 * number of ranks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;

/* Communication between ranks. All ranks call the same functions in the same
 * order, on one thread. No function can fail: if a rank is lost, all ranks
 * end. */
typedef struct cs_world {
    size_t rank, size; /* rank: number of this process, from 0; size: number of
                          ranks */
    /* Gathers words on every rank. Each rank k contributes n[k] words. all[n[0]
     * + n[1] + ...] receives the words in the order of the ranks. */
    void (*gather)(double *all, const size_t *n);
    /* Exchanges words between all ranks. `out` contains the words to send:
     * n_out[k] words for each rank k, in the order of the ranks. `in` receives
     * n_in[k] words from each rank k, also in the order of the ranks. */
    void (*exchange)(const double *out, const size_t *n_out, double *in,
                     const size_t *n_in);
    /* Broadcasts two words from the first rank. A rank that must wait for the
     * words sleeps after 2 ms. */
    void (*order)(uint64_t words[2]);
    /* `send` sends bytes to the first rank. On the first rank, `probe` waits
     * for a message from rank `from` and returns its size; `receive` stores the
     * message in to[size]. If `to` is NULL (no memory), the message is
     * dropped. */
    void (*send)(const unsigned char *bytes, uint64_t size);
    uint64_t (*probe)(size_t from);
    void (*receive)(size_t from, unsigned char *to, uint64_t size);
} cs_world;

/* Returns the ranks; NULL if a single process moves all chains. */
const cs_world *cs_run_ranks(const cs_run *r);
/* Returns true if more than one rank moves chains of the run. Returns false if
 * the run cannot be divided. */
bool cs_run_is_split(const cs_run *r);
/* Returns true if this process is not the first rank. */
bool cs_run_follows(const cs_run *r);
/* Returns the time that a rank measures to choose the number of steps per
 * round. If ranks wait for each other, this is CPU time: with wall time, rounds
 * would become longer and longer on a loaded machine. */
double cs_run_clock(const cs_run *r);
