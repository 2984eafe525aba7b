/* Exchange of words, for chains and arms, between the ranks of a run. */
#pragma once

#include "base/page.h"
#include "run/arms/share.h"
#include "run/arms/spec.h"

/* The purposes for which words are exchanged. */
typedef enum cs_words_of {
    CS_WORDS_ROUNDS,    /* steps, living chains and work of the arms */
    CS_WORDS_EXCHANGES, /* input of an exchange */
    CS_WORDS_STATES,    /* states that move to another chain */
    CS_WORDS_TUNERS,    /* acceptance, and states for a metric */
    CS_WORDS_LEARNERS,  /* states from which a learner learns */
    CS_WORDS_KEPT,      /* checkpoints and queries on the first rank */
    CS_WORDS_KINDS
} cs_words_of;

enum { CS_MET = 3 }; /* words exchanged per arm */

/* The state of the communication between ranks. */
typedef struct cs_rank_comm {
    size_t *n;     /* [2][ranks] [own] */
    double *words; /* [ranks][n_arms][CS_MET] [own] */
    /* number of words received by this rank, and by all ranks together */
    double received[CS_WORDS_KINDS];
    double sent[CS_WORDS_KINDS];
    /* epoch of the run when the first rank last received all chains */
    uint64_t epoch;
    bool whole; /* true if all diagnosed draws were received at this epoch */
} cs_rank_comm;

/* Gathers words from all ranks for a checkpoint: see cs_world. */
void cs_run_gather_words(cs_run *r, double *all, const size_t *n);

/* Describes the ranks, for example "8 ranks move 64 chains, 8 each". If the
 * first rank moves all chains, gives the reason. */
void cs_ranks_words(const cs_run *r, cs_page *p);
/* Describes the number of words received by all ranks together, per step and
 * purpose. Called on the first rank after cs_run_gather. */
void cs_ranks_words_sent(const cs_run *r, cs_page *p);

/* Distributes the chains over the ranks. Call it before the blocks are
 * created. */
cs_status cs_ranks_share_out(cs_run *r, cs_error *err);
void cs_ranks_free(cs_run *r);

/* Exchanges the progress of the ranks after a round: the step of each arm
 * (a->round.reached), and whether chains of other ranks live. */
void cs_ranks_meet(cs_run *r);
/* Exchanges the work of the ranks, if a budget depends on it. */
void cs_ranks_count(cs_run *r);

/* cs_arm_is_split returns true if this arm's chains are on several ranks.
 * cs_arm_is_elsewhere returns true if all chains of this arm are on another
 * rank. */
bool cs_arm_is_split(const cs_run *r, const cs_arm *a);
bool cs_arm_is_elsewhere(const cs_run *r, const cs_arm *a);

/* Fills in all[chains][words] on every rank. Each rank must first set the rows
 * of the chains that it moves. */
void cs_ranks_gather(cs_run *r, const cs_arm *a, cs_words_of what, size_t words,
                     double *all);
/* Exchanges rows of `words` words. For each chain c that this rank moves,
 * state[from[c]] receives the row of chain from[c]. Before the call, the rows
 * of this rank's chains must be set if other ranks need them. out and in are
 * scratch [chains][words]. */
void cs_ranks_pass(cs_run *r, const cs_arm *a, const size_t *from, size_t words,
                   double *state, double *out, double *in);

/* Returns the CS_MET words of an arm that a rank has sent. Each rank writes
 * only its own words. */
double *cs_ranks_met(cs_run *r, size_t rank, size_t arm);
void cs_ranks_meet_words(cs_run *r);
/* Returns the share of a rank. */
cs_share cs_rank_share(const cs_run *r, size_t rank);
