/* A run that several processes move together: the ranks of MPI (mpi/mpi.c).
 *
 * Each rank opens the same run and has room for all of its chains; it moves
 * those of its share (run/share.h, which parts have too). Number 0, the first,
 * keeps the time, looks at the run and writes what is of the whole; the others
 * follow its orders. Where chains of several ranks meet (exchanges, tuners) the
 * ranks hand each other what is needed and then all compute the same, in the
 * order of the chains, so that nothing depends on how many ranks there are. */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_run cs_run;
typedef struct cs_arm cs_arm;

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

typedef enum cs_order_kind {
    CS_ORDER_ADVANCE, /* to the step `goal` */
    CS_ORDER_KEEP,    /* for a checkpoint */
    CS_ORDER_GATHER,  /* the first is to have all chains, with their draws */
    CS_ORDER_END
} cs_order_kind;

typedef struct cs_order {
    cs_order_kind kind;
    uint64_t goal;
} cs_order;

/* What words are handed over for. */
typedef enum cs_words_of {
    CS_WORDS_ROUNDS,    /* where the arms are, whether they live, their work */
    CS_WORDS_EXCHANGES, /* what an exchange reads */
    CS_WORDS_STATES,    /* states that go to another chain */
    CS_WORDS_TUNERS,    /* acceptance, states for a metric */
    CS_WORDS_LEARNERS,  /* states that a target is learned from */
    CS_WORDS_KEPT,      /* checkpoints, and what the first rank looks at */
    CS_WORDS_KINDS
} cs_words_of;

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

/* The first rank tells the others what comes; nothing where the run is not
 * split. */
void cs_run_order(const cs_run *r, cs_order order);
cs_order cs_ranks_await(const cs_world *k);
void cs_ranks_end(const cs_world *k); /* the order to end */

/* A status and error of every rank: all fail where one did, the first with its
 * own error, or with that of the first rank that has one, by name. */
cs_status cs_ranks_agree(const cs_world *k, cs_status mine, cs_error *err);

/* Of a follower, whom the first has told to advance. */
void cs_run_follow(cs_run *r, uint64_t goal);

/* Every rank calls it: the first then has all chains as they are; without their
 * judged draws (run/judged.h) where all of those stand in files and `beside` is
 * set. All fail where one does. */
cs_status cs_run_hand_in(cs_run *r, bool beside, cs_error *err);
/* Of the first rank, which orders the others to do the same; nothing where that
 * was done and nothing has moved since, or the run is not split. */
bool cs_run_is_gathered(const cs_run *r);
cs_status cs_run_gather(cs_run *r, cs_error *err);
/* Words of all ranks for a checkpoint: see cs_world. */
void cs_run_gather_words(cs_run *r, double *all, const size_t *n);

/* "8 ranks move 64 chains, 8 each"; or why the first moves all of them. */
void cs_ranks_words(const cs_run *r, cs_page *p);
/* After cs_run_gather, of the first rank: how many words all ranks together have
 * received, by step and purpose. */
void cs_ranks_words_sent(const cs_run *r, cs_page *p);

/* ---- for the files of this folder ---- */

/* Before blocks are made: which chains are whose. */
cs_status cs_ranks_share_out(cs_run *r, cs_error *err);
void cs_ranks_free(cs_run *r);

/* After the blocks of a round were moved: how far each arm has come, a->reached,
 * and whether chains of other ranks live. */
void cs_ranks_meet(cs_run *r);
/* After all are there: the work that others have done, where a budget asks. */
void cs_ranks_count(cs_run *r);

/* Whether this arm's chains are of several ranks; of another alone. */
bool cs_arm_is_split(const cs_run *r, const cs_arm *a);
bool cs_arm_is_elsewhere(const cs_run *r, const cs_arm *a);

/* all[chains][words], of which the rows of chains that are moved here are set:
 * then all are. */
void cs_ranks_gather(cs_run *r, const cs_arm *a, cs_words_of what, size_t words,
                     double *all);
/* Rows of `words` words: chain c, moved here, gets row from[c] of another rank
 * into state[from[c]][words], where the rows of chains that are moved here and
 * wanted elsewhere are set. out, in: [chains][words] room. */
void cs_ranks_pass(cs_run *r, const cs_arm *a, const size_t *from, size_t words,
                   double *state, double *out, double *in);
