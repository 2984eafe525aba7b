/* The one evaluator to the density. Everything a kernel learns about its target
 * passes here and is counted, per live chain.
 *
 * A target may keep per lane what it knows of a state (its cache). The evaluator
 * holds two caches: NOW belongs to the state x the chain is in, NEXT to the
 * proposal evaluated last. cs_eval_accept says which lanes moved; their NEXT
 * becomes NOW. Nothing here allocates, locks or fails.
 *
 * A tempered chain asks through the same evaluator, which multiplies log p, gradients
 * and differences by the chain's `power`; caches and outputs do not know of
 * it. Parts of the target (rows of data, bonds) are not tempered. */
#ifndef CS_TARGET_EVAL_H
#define CS_TARGET_EVAL_H

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
    uint64_t data_terms;
} cs_work;

typedef struct cs_eval {
    const cs_target *target; /* [borrowed] */
    size_t lanes, live;
    const bool *failed; /* [lanes] chains at an end, or NULL [borrowed] */
    const double *now;  /* [dim][lanes] the states that the cache NOW is of, or
                           NULL: not known [borrowed] */
    double *cache[2];   /* [cache_words][lanes] each [borrowed] */
    double *scratch;    /* [borrowed] */
    double *trial;      /* [dim + 1 + cache_words][lanes]: the slow way to site
                         differences; NULL when not needed [borrowed] */
    double *pair;       /* [3][lanes] room of cs_eval_neighbours, of a discrete
                           target [borrowed] */
    size_t unasked;     /* live lanes that cs_eval_ask left out: not counted */
    cs_work work;
    const double
        *power; /* [lanes] > 0: every answer is about log p times this, at
                            an inverse temperature; NULL: 1 [borrowed] */
} cs_eval;

/* Doubles per lane that a evaluator needs: both caches (to be kept with the
 * state), and scratch (not kept). */
size_t cs_eval_cache_words(const cs_target *target);
size_t cs_eval_scratch_words(const cs_target *target);

/* Opens a evaluator over given memory: cache[cs_eval_cache_words][lanes],
 * scratch[scratch_words][lanes]. */
void cs_eval_open(cs_eval *e, const cs_target *target, size_t lanes,
                  size_t live, double *cache, double *scratch);

/* Only lanes[l] are asked about until the next call (NULL: all): answers for
 * the others mean nothing and cost no work, so that what one chain needs is
 * not counted for those that share its block. */
void cs_eval_ask(cs_eval *e, const bool *lanes);

/* logp[lanes] of x[dim][lanes], remembered in `which`. */
void cs_eval_log_density(cs_eval *e, cs_which which, const double *x,
                         double *logp);

/* logp[lanes] and g[dim][lanes], remembered in `which`. The target must have a
 * gradient (kernels that need one are refused otherwise, before the start).
 * Where log p is finite and the gradient is not, u becomes the NaN that
 * cs_is_bad_gradient knows, so that no kernel can follow it unawares; where log p
 * is below -1e100, so that it could only overflow, u becomes -HUGE_VAL. */
void cs_eval_gradient(cs_eval *e, cs_which which, const double *x, double *logp,
                      double *g);

/* g[dim][lanes] alone, the same bits, counted as a gradient. The target must
 * offer it. False if some lane's is not finite: then log p is needed to tell what
 * that means. */
bool cs_eval_gradient_alone(cs_eval *e, const double *x, double *g);

/* g[dim][lanes] = the force at x, a gradient in single precision and counted
 * as one. The target must have one (cs_kernel_check_precision); no word is said of
 * a force that is not finite. */
void cs_eval_low_gradient(cs_eval *e, const double *x, float *g);

/* A force, the rough one with `bytes`, at states whose log density is remembered
 * in `which`. */
void cs_eval_low_gradient_of(cs_eval *e, cs_which which, bool bytes,
                             const double *x, float *g);

/* h[dim][lanes] = H(x) v[dim][lanes] by the target's own hook, prepared, with
 * scratch[hessian_words][lanes]; counted as two gradients, about what it costs. */
void cs_eval_hessian_times(cs_eval *e, const double *x, const double *v,
                           double *scratch, double *h);

/* Whether a chain is alone and its target takes it with lanes = 1: rows that
 * lie close are an eighth of the memory to pass over. */
static inline bool cs_eval_is_packed(const cs_eval *e)
{
    return e->live == 1 && e->lanes == CS_VECTOR &&
           (e->target->type->flags & CS_TARGET_PACKED);
}

/* The same questions then: x[dim] and g[dim] have room to whole vectors, which
 * g fills with zeros, and only logp[0] is written. The same bits. */
void cs_eval_log_density_packed(cs_eval *e, const double *x, double *logp);
void cs_eval_gradient_packed(cs_eval *e, const double *x, double *logp,
                             double *g);
void cs_eval_force_packed(cs_eval *e, const double *x, float *g);

/* Of a target that is a sum over rows: see the type's functions of the same
 * names. A batch counts as many data terms as it has rows, of all lanes. */
void cs_eval_prior(cs_eval *e, const double *x, double *logp, double *g);
void cs_eval_terms(cs_eval *e, const double *x, const cs_batch *b,
                   double *logp);
void cs_eval_slope(cs_eval *e, const double *x, const cs_batch *b, double *logp,
                   double *g);
void cs_eval_fetch(const cs_eval *e, const uint32_t *row, size_t n);

/* The bits of that NaN: quiet, with a payload that no arithmetic makes. */
#define CS_BAD_GRADIENT UINT64_C(0x7ff8000000000bad)

static inline bool cs_is_bad_gradient(double logp)
{
    uint64_t bits;
    memcpy(&bits, &logp, sizeof bits);
    return bits == CS_BAD_GRADIENT;
}

/* The NaN of a density that could not be evaluated at all (a script's function
 * raised an error): the chain that asked stops, whatever it asked about. */
#define CS_BROKEN_DENSITY UINT64_C(0x7ff8000000000bed)

static inline bool cs_is_broken(double logp)
{
    uint64_t bits;
    memcpy(&bits, &logp, sizeof bits);
    return bits == CS_BROKEN_DENSITY;
}

/* d[values][lanes] = log p(x with x_i = low + v) - log p(x), i = site[lane], for the
 * state NOW whose log density is logp[lanes]. Uses the target's own differences
 * where it has them, whole evaluations where not; counts what was done. */
void cs_eval_site(cs_eval *e, const double *x, const double *logp,
                  const uint32_t *site, double *d);

/* The differences of all neighbours of a state that `which` remembers, whose
 * log density is logp[lanes]: of bits d[dim][lanes], log p with the bit flipped less
 * log p; else d[dim * values][lanes], row i * values + v as cs_eval_site says.
 * Counts as dim site differences. */
void cs_eval_neighbours(cs_eval *e, cs_which which, const double *x,
                        const double *logp, double *d);

/* All of x resampled `times` times by the target's own hook, which it must have,
 * with scratch[resample_words][lanes]; moved[lanes] as there. The cache NOW is
 * not mended: evaluate. Counts as `times` dim site differences. */
void cs_eval_resample(cs_eval *e, const cs_streams *s, size_t times,
                      double *scratch, double *x, bool *moved);

/* The bonds of a site, of one chain, by the target's own hook. Counts as a
 * site difference. */
cs_site_bonds cs_eval_bonds(cs_eval *e, size_t site);

/* Writes value[lane] into site[lane] of x and mends the cache NOW. */
void cs_eval_set_site(cs_eval *e, double *x, const uint32_t *site,
                      const double *value);

/* Where lanes[lane], x was written to without the evaluator: the cache NOW is made
 * anew, logp[lane] with it. What is said of other lanes stays as it is, logp[lane]
 * means nothing. */
void cs_eval_renew(cs_eval *e, const bool *lanes, const double *x,
                   double *logp);

/* Where moved[lane], the cache NEXT becomes NOW. */
void cs_eval_accept(cs_eval *e, const bool *moved);

/* All work in evaluations of the whole log density: a gradient is one, the
 * differences of all sites are one, and so is a pass through all rows of data,
 * whatever they were read for. */
double cs_work_evaluations(const cs_work *w, const cs_target *t);

/* The sum of two counts. */
cs_work cs_work_add(cs_work a, cs_work b);

/* y[shown][lanes] of the states x, of a target with outputs. Costs no work. */
void cs_eval_outputs(cs_eval *e, const double *x, double *y);

#endif
