/* Exchange of words of chains and arms between the ranks that move a run. */
#pragma once

#include "base/page.h"
#include "run/arms/share.h"
#include "run/arms/spec.h"

/* Purposes of the exchanged words. */
typedef enum cs_words_of {
    CS_WORDS_ROUNDS,    /* steps of the arms, whether they live, their work */
    CS_WORDS_EXCHANGES, /* what an exchange reads */
    CS_WORDS_STATES,    /* states that move to another chain */
    CS_WORDS_TUNERS,    /* acceptance, states for a metric */
    CS_WORDS_LEARNERS,  /* states that a target learns from */
    CS_WORDS_KEPT,      /* checkpoints, and queries of the first rank */
    CS_WORDS_KINDS
} cs_words_of;

enum { CS_MET = 3 }; /* words per arm that ranks exchange */

/* State of the communication. */
typedef struct cs_rank_comm {
    size_t *n;                       /* [2][ranks] [own] */
    double *words;                   /* [ranks][n_arms][CS_MET] [own] */
    double received[CS_WORDS_KINDS]; /* received by this rank */
    double sent[CS_WORDS_KINDS];     /* received by all ranks together */
    uint64_t epoch; /* of the run when the first rank had all chains */
    bool whole;     /* including their diagnosed draws */
} cs_rank_comm;

/* Gathers words of all ranks for a checkpoint: see cs_world. */
void cs_run_gather_words(cs_run *r, double *all, const size_t *n);

/* Describes the ranks: "8 ranks move 64 chains, 8 each"; or why the first moves
 * all of them. */
void cs_ranks_words(const cs_run *r, cs_page *p);
/* Describes how many words all ranks together have received, by step and
 * purpose. On the first rank, after cs_run_gather. */
void cs_ranks_words_sent(const cs_run *r, cs_page *p);

/* Distributes the chains over the ranks, before blocks are created. */
cs_status cs_ranks_share_out(cs_run *r, cs_error *err);
void cs_ranks_free(cs_run *r);

/* Exchanges the progress after the blocks of a round were moved: the step of
 * each arm, a->round.reached, and whether chains of other ranks live. */
void cs_ranks_meet(cs_run *r);
/* Exchanges the work of the other ranks, if a budget needs it. */
void cs_ranks_count(cs_run *r);

/* True if this arm's chains are on several ranks, or only on another rank. */
bool cs_arm_is_split(const cs_run *r, const cs_arm *a);
bool cs_arm_is_elsewhere(const cs_run *r, const cs_arm *a);

/* Fills all[chains][words], of which the rows of chains that are moved here are
 * set. */
void cs_ranks_gather(cs_run *r, const cs_arm *a, cs_words_of what, size_t words,
                     double *all);
/* Exchanges rows of `words` words: chain c, moved here, receives row from[c] of
 * another rank in state[from[c]][words], where the rows of chains that are
 * moved here and wanted elsewhere are set. out, in: [chains][words] scratch. */
void cs_ranks_pass(cs_run *r, const cs_arm *a, const size_t *from, size_t words,
                   double *state, double *out, double *in);

/* Returns the CS_MET words of an arm from a rank; every rank contributes its
 * own. */
double *cs_ranks_met(cs_run *r, size_t rank, size_t arm);
void cs_ranks_meet_words(cs_run *r);
/* Returns the share of a rank. */
cs_share cs_rank_share(const cs_run *r, size_t rank);
