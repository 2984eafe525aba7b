/* Words of chains and arms between the ranks that move a run. */
#pragma once

#include "base/page.h"
#include "run/arms/share.h"
#include "run/arms/spec.h"

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

enum { CS_MET = 3 }; /* words that ranks tell of an arm */

/* Where ranks meet. */
typedef struct cs_rank_comm {
    size_t *n;                       /* [2][ranks] [own] */
    double *words;                   /* [ranks][n_arms][CS_MET] [own] */
    double received[CS_WORDS_KINDS]; /* by this rank */
    double sent[CS_WORDS_KINDS];     /* received by all together */
    uint64_t epoch; /* of the run when the first had all chains ... */
    bool whole;     /* ... with their judged draws */
} cs_rank_comm;

/* Words of all ranks for a checkpoint: see cs_world. */
void cs_run_gather_words(cs_run *r, double *all, const size_t *n);

/* "8 ranks move 64 chains, 8 each"; or why the first moves all of them. */
void cs_ranks_words(const cs_run *r, cs_page *p);
/* After cs_run_gather, of the first rank: how many words all ranks together have
 * received, by step and purpose. */
void cs_ranks_words_sent(const cs_run *r, cs_page *p);

/* Before blocks are made: which chains are whose. */
cs_status cs_ranks_share_out(cs_run *r, cs_error *err);
void cs_ranks_free(cs_run *r);

/* After the blocks of a round were moved: how far each arm has come, a->round.reached,
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

/* The CS_MET words of an arm from a rank; every rank hands its own over. */
double *cs_ranks_met(cs_run *r, size_t rank, size_t arm);
void cs_ranks_meet_words(cs_run *r);
/* The share of a rank. */
cs_share cs_rank_share(const cs_run *r, size_t rank);
