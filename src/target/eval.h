/* The evaluator: all that a kernel learns about its target passes through it
 * and is counted, per live chain.
 *
 * A target may keep what it computed for a state, per lane (its cache). The
 * evaluator holds two caches: NOW belongs to the present state x, NEXT to the
 * proposal evaluated last. cs_eval_accept says which lanes moved; their NEXT
 * becomes NOW. Nothing here allocates, locks or fails.
 *
 * For a tempered chain the evaluator multiplies log p, gradients and
 * differences by the chain's inverse temperature, `power`; caches and generated
 * quantities are not affected. Parts of the target (rows of data, bonds) are
 * not tempered. */
#pragma once

#include "simd/simd.h"
#include "target/target.h"

#include <stdbool.h>
#include <string.h>

typedef enum cs_which { CS_NOW, CS_NEXT } cs_which;

/* Counts are per chain: one evaluation of a block of 3 live lanes is 3. */
typedef struct cs_work {
    uint64_t log_densities;
    uint64_t gradients; /* each includes its log density */
    uint64_t site_differences;
    uint64_t data_terms;   /* of rows; a whole evaluation is all rows' */
    uint64_t simulations;  /* data sets that the target was asked to make */
    uint64_t site_updates; /* numbers of them that were drawn on the way */
} cs_work;

/* The points that the first chain of a block was evaluated at, in turn: for who
 * makes a step again to look into it. */
typedef struct cs_eval_watch {
    double *point;  /* [room][dim] [borrowed] */
    size_t room, n; /* n: all of them, of which the first `room` are kept */
} cs_eval_watch;

typedef struct cs_eval {
    const cs_target *target; /* [borrowed] */
    size_t lanes, live;
    const bool
        *failed;       /* [lanes] chains that have failed, or NULL [borrowed] */
    const double *now; /* [dim][lanes] the states that the cache NOW is of, or
                           NULL: not known [borrowed] */
    double *cache[2];  /* [cache_words][lanes] each [borrowed] */
    double *scratch;   /* [borrowed] */
    double *trial;     /* [dim + 1 + cache_words][lanes] scratch for site
                           differences by whole evaluations; NULL: the target
                           has its own [borrowed] */
    double *pair;      /* [3][lanes] scratch of cs_eval_neighbours, for a
                           discrete target [borrowed] */
    size_t unasked;    /* live lanes that cs_eval_ask left out: not counted */
    cs_work work;
    cs_eval_watch *watch; /* NULL: nobody looks [borrowed] */
    const double *power;  /* [lanes] inverse temperatures, > 0: every answer is
                            about power log p; NULL: 1 [borrowed] */
} cs_eval;

/* Doubles per lane that an evaluator needs: both caches (to be kept with the
 * state), and scratch (not kept). */
size_t cs_eval_cache_words(const cs_target *target);
size_t cs_eval_scratch_words(const cs_target *target);

/* Opens an evaluator over given memory: cache[cs_eval_cache_words][lanes],
 * scratch[scratch_words][lanes]. */
void cs_eval_open(cs_eval *e, const cs_target *target, size_t lanes,
                  size_t live, double *cache, double *scratch);

/* Until the next call only lanes[l] are evaluated (NULL: all). The answers for
 * the others are undefined and not counted, so that what one chain needs does
 * not count for the others of its block. */
void cs_eval_ask(cs_eval *e, const bool *lanes);

/* logp[lanes] of x[dim][lanes]; fills the cache `which`. */
void cs_eval_log_density(cs_eval *e, cs_which which, const double *x,
                         double *logp);

/* logp[lanes] and g[dim][lanes]; fills the cache `which`. The target must have
 * a gradient (cs_kernel_fits refuses kernels that need one otherwise). Where
 * log p is finite and the gradient is not, logp becomes the NaN that
 * cs_is_bad_gradient recognises, so that no kernel follows such a gradient;
 * where log p is below -1e100, so that the gradient could only overflow, logp
 * becomes -HUGE_VAL. */
void cs_eval_gradient(cs_eval *e, cs_which which, const double *x, double *logp,
                      double *g);

/* g[dim][lanes] without log p, the same bits, counted as a gradient. The target
 * must have gradient_alone. False if a lane's is not finite: only log p can
 * then tell what that means. */
bool cs_eval_gradient_alone(cs_eval *e, const double *x, double *g);

/* g[dim][lanes] = the gradient at x in single precision, counted as a gradient.
 * The target must have it (cs_kernel_check_precision). It is not checked for
 * numbers that are not finite. */
void cs_eval_low_gradient(cs_eval *e, const double *x, float *g);

/* The same at states that the cache `which` is of; with `bytes`, from weights
 * of eight bits. */
void cs_eval_low_gradient_of(cs_eval *e, cs_which which, bool bytes,
                             const double *x, float *g);

/* h[dim][lanes] = H(x) v[dim][lanes] by the target's own hook, which must be
 * prepared, with scratch[hessian_words][lanes]. Counted as two gradients, which
 * is about its cost. */
void cs_eval_hessian_times(cs_eval *e, const double *x, const double *v,
                           double *scratch, double *h);

/* Whether the block holds a single chain and the target takes packed states:
 * these are an eighth of the memory of rows of eight lanes. */
static inline bool cs_eval_is_packed(const cs_eval *e)
{
    return e->live == 1 && e->lanes == CS_PAD &&
           (e->target->type->flags & CS_TARGET_PACKED);
}

/* Evaluations of a packed state, with the same bits: x[dim] and g[dim] have
 * room to whole vectors (g is filled up with zeros), and only logp[0] is
 * written. */
void cs_eval_log_density_packed(cs_eval *e, const double *x, double *logp);
void cs_eval_gradient_packed(cs_eval *e, const double *x, double *logp,
                             double *g);
void cs_eval_force_packed(cs_eval *e, const double *x, float *g);

/* For a target that is a sum over rows: see the type's functions of the same
 * names. A batch counts as many data terms as it has rows, over all lanes. */
void cs_eval_prior(cs_eval *e, const double *x, double *logp, double *g);
void cs_eval_terms(cs_eval *e, const double *x, const cs_batch *b,
                   double *logp);
void cs_eval_slope(cs_eval *e, const double *x, const cs_batch *b, double *logp,
                   double *g);
/* With lower_terms, of a target that has its bounds: a row is touched once. */
void cs_eval_lower_terms(cs_eval *e, const double *x, const cs_batch *b,
                         double *logp, double *log_b);
void cs_eval_fetch(const cs_eval *e, const uint32_t *row, size_t n);

/* For a target that lacks a factor: see the type's functions of the same names.
 * data[n_data][lanes]. A factor counts as a log density. */
void cs_eval_log_factor(cs_eval *e, const double *x, const double *data,
                        double *log_f);
/* With scratch[simulate_words][lanes]; `failed` [lanes]: lanes that need none, or
 * NULL. cs_eval_sweep moves s->data in place. */
void cs_eval_simulate(cs_eval *e, const double *x, const bool *failed,
                      double *scratch, const cs_simulation *s);
void cs_eval_sweep(cs_eval *e, const double *x, const bool *failed,
                   double *scratch, const cs_simulation *s);

/* The bits of that NaN: quiet, with a payload that no arithmetic makes. */
#define CS_BAD_GRADIENT UINT64_C(0x7ff8000000000bad)

static inline bool cs_is_bad_gradient(double logp)
{
    uint64_t bits;
    memcpy(&bits, &logp, sizeof bits);
    return bits == CS_BAD_GRADIENT;
}

/* The NaN of a density that could not be evaluated at all (a script's function
 * raised an error): the chain stops, whether that was its state or a
 * proposal. */
#define CS_BROKEN_DENSITY UINT64_C(0x7ff8000000000bed)

static inline bool cs_is_broken(double logp)
{
    uint64_t bits;
    memcpy(&bits, &logp, sizeof bits);
    return bits == CS_BROKEN_DENSITY;
}

/* d[values][lanes] = log p(x with x_i = low + v) - log p(x), i = site[lane],
 * for the present state (cache NOW), whose log density is logp[lanes]. By the
 * target's own differences, else by whole evaluations; counts what was done. */
void cs_eval_site(cs_eval *e, const double *x, const double *logp,
                  const uint32_t *site, double *d);

/* The differences to all neighbours of the state that the cache `which` is of,
 * whose log density is logp[lanes]. In a binary space d[dim][lanes], log p with
 * the bit flipped less log p; else d[dim * values][lanes], row i * values + v
 * as in cs_eval_site. Counts as dim site differences. */
void cs_eval_neighbours(cs_eval *e, cs_which which, const double *x,
                        const double *logp, double *d);

/* What the log density gains along its slope, each site being one bit a value:
 * d laid out as there. Where the target has `one_hot` by one evaluation, counted
 * as a gradient; else exactly, by cs_eval_neighbours. NEXT: x is evaluated, and logp[lanes] filled; NOW: logp
 * is given. */
void cs_eval_one_hot(cs_eval *e, cs_which which, const double *x, double *logp,
                     double *d);

/* Resamples all of x `times` times by the target's own hook, which it must
 * have, with scratch[resample_words][lanes]; moved[lanes] as there. The cache
 * NOW is stale afterwards: evaluate. Counts as `times` dim site differences. */
void cs_eval_resample(cs_eval *e, const cs_streams *s, size_t times,
                      double *scratch, double *x, bool *moved);

/* The bonds of a site, for one chain, by the target's own hook. Counts as a
 * site difference. */
cs_site_bonds cs_eval_bonds(cs_eval *e, size_t site);

/* Writes value[lane] into site[lane] of x and updates the cache NOW. */
void cs_eval_set_site(cs_eval *e, double *x, const uint32_t *site,
                      const double *value);

/* After x of lanes[lane] was written to without the evaluator: computes their
 * cache NOW and logp[lane] again. The caches of the other lanes are kept, their
 * logp is undefined. */
void cs_eval_renew(cs_eval *e, const bool *lanes, const double *x,
                   double *logp);

/* Where moved[lane], the cache NEXT becomes NOW. */
void cs_eval_accept(cs_eval *e, const bool *moved);

/* The work in evaluations of the whole log density: a gradient is one, the
 * differences of all sites are one unless the target prices a site otherwise
 * (site_cost), and so is a pass over all rows of data, whatever for, or over all
 * numbers of data that are simulated. */
double cs_work_evaluations(const cs_work *w, const cs_target *t);

/* Passes over the rows of data that each of the chains which did this work has
 * made in the mean: data terms over rows. NAN: the target has no rows. */
double cs_work_passes(const cs_work *w, const cs_target *t, size_t chains);

/* The sum of two counts. */
cs_work cs_work_add(cs_work a, cs_work b);

/* y[shown][lanes] of the states x, for a target with generated quantities. Not
 * counted as work. */
void cs_eval_outputs(cs_eval *e, const double *x, double *y);
