/* A run that several processes move together: the ranks of MPI (mpi/mpi.c).
 *
 * Each rank opens the same run and has room for all of its chains; it moves
 * those of its share (run/arms/share.h, which parts have too). Number 0, the first,
 * keeps the time, looks at the run and writes what is of the whole; the others
 * follow its orders. Where chains of several ranks meet (exchanges, tuners) the
 * ranks hand each other what is needed and then all compute the same, in the
 * order of the chains, so that nothing depends on how many ranks there are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;

/* How words get from rank to rank. Every rank calls the same, in the same order,
 * on one thread; none can fail, for where a rank is lost all end. */
typedef struct cs_world {
    size_t rank, size; /* of this process, from 0; of all */
    /* all[sum of n]: of rank k, which brings them, n[k] words, in the order of
     * the ranks. On return everybody has them all. */
    void (*gather)(double *all, const size_t *n);
    /* out: for rank k n_out[k] words, in the order of the ranks; in likewise:
     * what they had for this one. */
    void (*pass)(const double *out, const size_t *n_out, double *in,
                 const size_t *n_in);
    /* Two words of the first rank. Who waits for them long sleeps. */
    void (*order)(uint64_t words[2]);
    /* Bytes to the first rank; there, how many come from rank `from`, and then
     * they, to[size], NULL: there is no memory for them. */
    void (*hand_in)(const unsigned char *bytes, uint64_t size);
    uint64_t (*expect)(size_t from);
    void (*take)(size_t from, unsigned char *to, uint64_t size);
} cs_world;

/* NULL: the run is of this process alone. */
const cs_world *cs_run_ranks(const cs_run *r);
/* Whether more than one rank moves it: not where it is in one part. */
bool cs_run_is_split(const cs_run *r);
/* Whether this process is not the first. */
bool cs_run_follows(const cs_run *r);
/* The seconds by which it is found how many steps are made before anybody looks
 * around. Where ranks wait for each other those of the processor: on a machine with
 * other work each round takes long, and there would be all the more of them. */
double cs_run_clock(const cs_run *r);
