/* The block: the chains that one worker moves together.
 *
 * A block owns the states, the kernel's memory, the door and the observers'
 * memory of its lanes. Everything that a later step depends on is in `slab`,
 * one flat array of doubles whose rows are [word][lane]: copying it is
 * checkpoint, rewind and resume, bit for bit. Lanes are independent: a chain
 * computes the same in any block, on any worker. */
#ifndef CS_CHAIN_BLOCK_H
#define CS_CHAIN_BLOCK_H

#include "chain/plan.h"
#include "probe/probe.h"

/* Counters of one chain, kept in the slab as doubles. */
typedef struct cs_tally {
    double steps, accepted, moved;
    double rolling; /* acceptance, exponential window of 256 steps */
} cs_tally;

typedef struct cs_block {
    cs_target *target; /* [held] */
    cs_kernel kernel;  /* [copied] */
    size_t lanes, live;
    uint64_t *chain; /* [lanes] global chain numbers */
    uint64_t step;   /* steps done */
    cs_eval eval;
    cs_move move;
    size_t slab_words;     /* per lane: x, info.u, tally, memory, caches,
                           failed, probes */
    double *slab;          /* [slab_words][lanes] [own] */
    double *tally;         /* [4][lanes] in the slab: cs_tally */
    double *scratch;       /* [own] */
    double *param;         /* [n_params][lanes] [own] */
    cs_probe *probe;       /* [n_probes] [borrowed] */
    double **probe_memory; /* [n_probes] in the slab */
    size_t n_probes;
} cs_block;

/* Makes a block for chains first .. first+live-1 of the streams of `seed`,
 * not yet started. `probes` [borrowed] must outlive it. */
cs_status cs_block_create(cs_block **out, cs_target *target,
                          const cs_kernel *kernel, uint64_t seed,
                          uint64_t first, size_t live, cs_probe *probes,
                          size_t n_probes, cs_error *err);
void cs_block_destroy(cs_block *b);

/* Puts lane l at x[dim] (or, x NULL, at the target's start for its chain).
 * A start outside the support is an error that names the chain. */
cs_status cs_block_start(cs_block *b, const double *const *x, cs_error *err);

/* n steps, the values of the parameters from table[n_params][n] (see
 * cs_plan_fill); probes observe each. Looks at *stop (NULL allowed) between
 * steps; returns the steps done. Allocates nothing, takes no lock. */
size_t cs_block_run(cs_block *b, const double *table, size_t n,
                    const volatile bool *stop);

/* After x, the target's values or the kernel's parameters were changed from
 * outside: U, caches and the kernel's memory are made anew. */
void cs_block_refresh(cs_block *b);

/* Replaces the kernel (other values of the same type, or another type that
 * fits): states and streams go on. */
cs_status cs_block_set_kernel(cs_block *b, const cs_kernel *kernel,
                              cs_error *err);

/* The slab of one lane as words[slab_words], out and in. */
void cs_block_save_lane(const cs_block *b, size_t lane, double *words);
void cs_block_load_lane(cs_block *b, size_t lane, const double *words);

/* x[dim] of a lane, gathered. */
void cs_block_state(const cs_block *b, size_t lane, double *x);

#endif
