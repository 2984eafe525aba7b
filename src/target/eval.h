/* The evaluator. Kernels get all information about a target through the
 * evaluator, which counts the work per live chain.
 *
 * A target may store intermediate results for a state, per lane (its cache).
 * The evaluator holds two caches: NOW belongs to the present state x, NEXT to
 * the proposal evaluated last. cs_eval_accept replaces NOW by NEXT in the lanes
 * that moved. Nothing in this file allocates, locks or fails.
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

/* Counts are per chain: one evaluation of a block of 3 live lanes counts as
 * 3. */
typedef struct cs_work {
    uint64_t log_densities;
    uint64_t gradients; /* number of gradients; a log density computed together
                           with a gradient is not counted separately */
    uint64_t site_differences;
    uint64_t data_terms;   /* number of terms of rows; an evaluation of the
                              whole log density counts all rows */
    uint64_t simulations;  /* number of simulated data sets */
    uint64_t site_updates; /* number of data values drawn in simulations */
} cs_work;

/* The points at which the first chain of a block was evaluated, in order. They
 * are recorded while a step is repeated for inspection. */
typedef struct cs_eval_watch {
    double *point; /* [capacity][dim] the points, in order [borrowed] */
    size_t capacity,
        n; /* n: number of points; only the first `capacity` points are
                       stored */
} cs_eval_watch;

typedef struct cs_eval {
    const cs_target *target; /* the target that is evaluated [borrowed] */
    size_t lanes, live;
    const bool
        *failed;       /* [lanes] chains that have failed, or NULL [borrowed] */
    const double *now; /* [dim][lanes] states of the cache NOW, or NULL: not
                          known [borrowed] */
    double *cache[2];  /* [cache_words][lanes] the caches NOW and NEXT
                          [borrowed] */
    double *scratch;   /* [scratch_words][lanes] scratch of the target
                          [borrowed] */
    double *trial;     /* [dim + 1 + cache_words][lanes] scratch for site
                          differences by whole evaluations; NULL: the target has
                          its own site differences [borrowed] */
    double *pair;      /* [3][lanes] scratch of cs_eval_neighbours, for a
                           discrete target [borrowed] */
    /* number of live lanes that cs_eval_ask has excluded; their evaluations are
     * not counted */
    size_t unasked;
    cs_work work;
    cs_eval_watch *watch; /* NULL: points are not recorded [borrowed] */
    double *around;       /* [whole dim][lanes] for a window: the states of the
                             whole target (see target/part_window.h); NULL: the
                             target is not a window [borrowed] */
    bool
        around_is_now; /* the window's rows of `around` are equal to the present
                         * states, so that questions about these states copy
                         * nothing */
    const double *power; /* [lanes] inverse temperatures, > 0; all results are
                             for power * log p; NULL: all powers are 1
                             [borrowed] */
} cs_eval;

/* Return the number of doubles per lane that an evaluator needs: for both
 * caches (which are stored with the state), and for scratch memory (which is
 * not preserved). */
size_t cs_eval_cache_words(const cs_target *target);
size_t cs_eval_scratch_words(const cs_target *target);

/* Sets up an evaluator in the given memory: cache[cs_eval_cache_words][lanes],
 * scratch[scratch_words][lanes]. */
void cs_eval_open(cs_eval *e, const cs_target *target, size_t lanes,
                  size_t live, double *cache, double *scratch);

/* Restricts evaluations to the lanes l for which lanes[l] is true (NULL: all
 * lanes), until the next call of this function. Results for other lanes are
 * undefined, and work for other lanes is not counted. In this way the work of
 * one chain does not count as work of the other chains of its block. */
void cs_eval_ask(cs_eval *e, const bool *lanes);

/* Computes logp[lanes] of x[dim][lanes]; fills the cache `which`. */
void cs_eval_log_density(cs_eval *e, cs_which which, const double *x,
                         double *logp);

/* Computes logp[lanes] and g[dim][lanes]; fills the cache `which`. The target
 * must have a gradient (cs_kernel_fits rejects a kernel that needs a gradient
 * if the target has none). If log p is finite and the gradient is not, logp
 * becomes the NaN that cs_is_bad_gradient recognises, so that no kernel follows
 * the gradient. If log p is below -1e100, where the gradient could only
 * overflow, logp becomes -HUGE_VAL. */
void cs_eval_gradient(cs_eval *e, cs_which which, const double *x, double *logp,
                      double *g);

/* Computes only g[dim][lanes], without log p. The bits of g are equal to those
 * that cs_eval_gradient computes, and the work counts as a gradient. Returns
 * false if the gradient of a lane is not finite; the caller then needs log p to
 * interpret this result. The target must have the hook gradient_alone. */
bool cs_eval_gradient_alone(cs_eval *e, const double *x, double *g);

/* Computes g[dim][lanes], the gradient at x in single precision. Counts as a
 * gradient. The target must have `force` (cs_kernel_check_precision). Does not
 * check that the result is finite. */
void cs_eval_low_gradient(cs_eval *e, const double *x, float *g);

/* Computes g[dim][lanes] like cs_eval_low_gradient, for the states of the cache
 * `which`. */
void cs_eval_low_gradient_of(cs_eval *e, cs_which which, const double *x,
                             float *g);

/* Computes h[dim][lanes] = H(x) v[dim][lanes] by the target's own hook, which
 * must be prepared. Uses scratch[hessian_words][lanes]. Counts as two
 * gradients, which is the approximate cost. */
void cs_eval_hessian_times(cs_eval *e, const double *x, const double *v,
                           double *scratch, double *h);

/* Returns true if the block holds a single chain and the target accepts packed
 * states. Packed states need an eighth of the memory of rows of eight lanes. */
static inline bool cs_eval_is_packed(const cs_eval *e)
{
    return e->live == 1 && e->lanes == CS_PAD &&
           (e->target->type->flags & CS_TARGET_PACKED);
}

/* Evaluate a packed state. The results have the same bits as for rows of lanes.
 * x[dim] and g[dim] are padded to whole vectors (g with zeros), and only
 * logp[0] is written. */
void cs_eval_log_density_packed(cs_eval *e, const double *x, double *logp);
void cs_eval_gradient_packed(cs_eval *e, const double *x, double *logp,
                             double *g);
void cs_eval_force_packed(cs_eval *e, const double *x, float *g);

/* These functions are for a target that is a sum over rows. They do what the
 * functions of equal names in cs_row_hooks do. A batch counts as one data term
 * per row, summed over the lanes. */
void cs_eval_prior(cs_eval *e, const double *x, double *logp, double *g);
void cs_eval_terms(cs_eval *e, const double *x, const cs_batch *b,
                   double *logp);
void cs_eval_slope(cs_eval *e, const double *x, const cs_batch *b, double *logp,
                   double *g);
/* Computes terms and their bounds, as lower_terms of cs_row_hooks does. The
 * target must have lower_terms and its bounds. Each row is read once. */
void cs_eval_lower_terms(cs_eval *e, const double *x, const cs_batch *b,
                         double *logp, double *log_b);
void cs_eval_fetch(const cs_eval *e, const uint32_t *row, size_t n);

/* These functions are for a model with a factor Z that may be unknown. They do
 * what the functions of equal names in cs_factor_hooks do, with
 * data[n_data][lanes]. A call of log_factor counts as a log density. */
void cs_eval_log_factor(cs_eval *e, const double *x, const double *data,
                        double *log_f);
/* Simulate data, using scratch[simulate_words][lanes]. `failed` [lanes] marks
 * the lanes to skip; NULL: none. cs_eval_sweep changes s->data in place. */
void cs_eval_simulate(cs_eval *e, const double *x, const bool *failed,
                      double *scratch, const cs_simulation *s);
void cs_eval_sweep(cs_eval *e, const double *x, const bool *failed,
                   double *scratch, const cs_simulation *s);

/* The NaN that marks a gradient that is not finite: quiet, with a payload that
 * no arithmetic produces. */
#define CS_BAD_GRADIENT UINT64_C(0x7ff8000000000bad)

static inline bool cs_is_bad_gradient(double logp)
{
    uint64_t bits;
    memcpy(&bits, &logp, sizeof bits);
    return bits == CS_BAD_GRADIENT;
}

/* The NaN of a density that could not be evaluated (a script's function raised
 * an error). The chain stops if its state or its proposal has this density. */
#define CS_BROKEN_DENSITY UINT64_C(0x7ff8000000000bed)

static inline bool cs_is_broken(double logp)
{
    uint64_t bits;
    memcpy(&bits, &logp, sizeof bits);
    return bits == CS_BROKEN_DENSITY;
}

/* Computes d[values][lanes] = log p(x with x_i = low + v) - log p(x), i =
 * site[lane], for the current state. The cache of this state is NOW, and its
 * log density is logp[lanes]. In a mixed space `values` is the largest number
 * of values of a coordinate; rows that a lane's site does not have are
 * undefined. Uses the target's own differences if the target has such a
 * function, and whole evaluations otherwise. Counts the actual work, in the
 * evaluator. */
void cs_eval_site(cs_eval *e, const double *x, const double *logp,
                  const uint32_t *site, double *d);

/* Computes the differences between the neighbours of a state and the state. The
 * state is that of the cache `which`; its log density is logp[lanes]. In a
 * binary space d is [dim][lanes] and holds log p with the bit flipped minus log
 * p. In other spaces d is [dim * values][lanes], with row i * values + v as in
 * cs_eval_site. Counts as dim site differences. */
void cs_eval_neighbours(cs_eval *e, cs_which which, const double *x,
                        const double *logp, double *d);

/* Computes the change of the log density along its slope, with each site coded
 * as one bit per value; d has the layout of cs_eval_neighbours. If the target
 * has `one_hot`, this takes one evaluation, counted as a gradient; otherwise
 * the exact changes are computed by cs_eval_neighbours. If `which` is NEXT, x
 * is evaluated and logp[lanes] is filled; if `which` is NOW, logp is an
 * input. */
void cs_eval_one_hot(cs_eval *e, cs_which which, const double *x, double *logp,
                     double *d);

/* Resamples all of x `times` times by the hook `resample`, which the target
 * must have, with scratch[resample_words][lanes]. The hook sets moved[lanes].
 * The cache NOW is out of date afterwards: the caller must evaluate the state.
 * Counts as `times` dim site differences. */
void cs_eval_resample(cs_eval *e, const cs_streams *s, size_t times,
                      double *scratch, double *x, bool *moved);

/* Returns the bonds of a site, for one chain, from the target's own hook.
 * Counts as a site difference. */
cs_site_bonds cs_eval_bonds(cs_eval *e, size_t site);

/* Writes value[lane] into site[lane] of x and updates the cache NOW. */
void cs_eval_set_site(cs_eval *e, double *x, const uint32_t *site,
                      const double *value);

/* Computes the differences of n sites of one colour for one lane, as the hook
 * `sites` does. Counts as n site differences. The target must have colours. */
void cs_eval_sites(cs_eval *e, const double *x, size_t lane,
                   const uint32_t *site, size_t n, size_t stride, double *d);

/* Writes value[i] into site[i] of one lane of x; for the last live lane, also
 * into the lanes of padding. The target must have colours. */
void cs_eval_set_sites(cs_eval *e, double *x, size_t lane, const uint32_t *site,
                       size_t n, const double *value);

/* Recomputes the cache NOW and logp[lane] for each lane with lanes[lane] true.
 * Called after x was changed without the evaluator. The caches of other lanes
 * are preserved. The logp of other lanes is undefined. */
void cs_eval_renew(cs_eval *e, const bool *lanes, const double *x,
                   double *logp);

/* Replaces the cache NOW by NEXT in the lanes where moved[lane] is true. A
 * kernel calls this function after it has changed x, except by
 * cs_eval_set_site. */
void cs_eval_accept(cs_eval *e, const bool *moved);

/* Returns true if a kernel must call cs_eval_accept after it has changed x: the
 * target has a cache, or is a window. */
static inline bool cs_eval_follows(const cs_eval *e)
{
    return e->target->cache_words || e->around;
}

/* Returns the work in units of one evaluation of the whole log density. Each of
 * the following counts as one unit: a gradient; the differences of all sites,
 * unless the target sets another cost (site_cost); a pass over all rows of
 * data, for any purpose; drawing n_data values of simulated data. */
double cs_work_evaluations(const cs_work *w, const cs_target *t);

/* Returns the mean number of passes over the rows of data per chain: data terms
 * divided by rows. NAN if the target has no rows. */
double cs_work_passes(const cs_work *w, const cs_target *t, size_t chains);

/* Returns the sum of two counts of work. */
cs_work cs_work_add(cs_work a, cs_work b);

/* Computes y[shown][lanes] of the states x, for a target with generated
 * quantities. Their random numbers are those of `streams`, the streams of the
 * step that made the states. This work is not counted. */
void cs_eval_outputs(cs_eval *e, const cs_streams *streams, const double *x,
                     double *y);
