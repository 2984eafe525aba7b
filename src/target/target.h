/* A target: a space, a log density, and optional functions.
 *
 * A type is a const table plus rows of parameters. An instance holds its own
 * data in `self`, which does not change while chains run; only `learned` may
 * change, between steps. Functions for a block work on x[dim][lanes], with
 * contiguous lanes; cs_target_lanes gives the number of lanes. Arrays are
 * aligned to CS_ALIGN. Kernels do not call these functions directly, but
 * through target/eval.h, which counts the work. Padding lanes hold copies of a
 * live lane, so that a density may ignore `live`, the number of live lanes. It
 * may also use `live` to save work: if it mainly loops over data, separate code
 * for one live lane is worthwhile. */
#pragma once

#include "base/page.h"
#include "base/param.h"
#include "rng/stream.h"
#include "target/space.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cs_target cs_target;
struct cs_lower_bound;

/* The states of a block at which a target is evaluated, and the target's own
 * cache for them. */
typedef struct cs_point {
    const double *x; /* [dim][lanes] the states */
    double *cache;   /* [cache_words][lanes]; NULL when cache_words is 0 */
    double *scratch; /* [scratch_words][lanes], not preserved between calls */
    size_t lanes, live;
    const bool *failed; /* [lanes] true: the result of the lane is not used;
                           NULL: all results are used */
    /* for generated quantities: the streams of the step that made the states;
     * NULL: unknown, and all random numbers are 1/2 */
    const cs_streams *streams;
    const double *from, *from_cache; /* for a proposal: the current states and
                                      * their cache, which allow the target to
                                      * compute only the differences; NULL: not
                                      * known */
    double *around; /* [whole dim][lanes] for a window: the states of the whole
                       * target, whose rows of the window the call may change
                       * (see target/part_window.h); NULL: the target is not a
                       * window */
    bool around_is_x; /* the window's rows of `around` are equal to x */
    bool of_sites; /* for the gradient in a mixed space: only the derivatives by
                    * discrete coordinates are read. If false, only those by
                    * real coordinates are read. The others may be 0 */
    bool back;     /* a hint to read large data in the reverse order; the hint
                * alternates from call to call, so that the CPU's caches are
                * reused. Follow it only if the result has the same bits in both
                * orders */
} cs_point;

/* Some rows of a target's table for each live lane. Lane l evaluates the rows
 * row[i], first[l] <= i < first[l + 1], in any order; a row may occur more than
 * once. In a slope, the terms are weighted. The weights are given numbers, or
 * the values of a function of the terms. This function is called while the
 * terms are in registers. */
typedef struct cs_batch {
    const uint32_t *row;  /* row numbers, each below n_rows */
    const size_t *first;  /* [live + 1] index of the first row of each lane */
    const double *weight; /* [first[live]] weight of each row; NULL: all weights
                             are 1 */
    /* OPTIONAL, instead of `weight`. Fills weight[CS_PAD] for the n <= CS_PAD
     * rows row[at] ... row[at + n - 1], all of lane `lane`. The terms of these
     * rows are term[CS_PAD]; beyond n both arrays are undefined. Called in the
     * order of `at`, once for each row. */
    void (*weigh)(void *of, size_t lane, size_t at, size_t n,
                  const double *term, double *weight);
    void *of; /* first argument of `weigh` */
} cs_batch;

/* Kinds of bounds on the terms: see range, change and lower of cs_row_hooks. */
enum { CS_ROW_RANGE = 1, CS_ROW_CHANGE = 2, CS_ROW_LOWER = 4 };

/* Data sets that a target simulates by its hook simulate or sweep, one data set
 * per lane. */
typedef struct cs_simulation {
    const cs_streams *streams; /* random numbers, for CS_FOR_AUXILIARY */
    size_t first;  /* Each simulation has CS_SIMULATION_ROWS rows of the
                    * stream. `first` is the number of the first of these
                    * rows, relative to `skip` */
    size_t sweeps; /* for the hook sweep: number of sweeps */
    double *data;  /* [n_data][lanes] output; for the hook sweep, input and
                      output */
    /* The following rows [lanes] are output; they describe the work. */
    double *updates; /* number of data values drawn */
    double *past;    /* length of the past of an exact draw, in passes over the
                        data; 0: no past was needed */
    double *left;    /* 0: the draw is complete; otherwise the draw failed with
                        this number of undecided data values, and `data` is not
                        a draw */
} cs_simulation;

/* The history of an exact draw by coupling from the past, from `past` passes
 * ago until now. Used for displays. */
typedef struct cs_coupling {
    size_t past;   /* length of the past in passes over the data */
    size_t points; /* number of points, at least 1 */
    double *left;  /* [points + 1] output: number of undecided data values after
                      i past / points passes, i = 0 ... points */
    size_t when;   /* index of the point at which `open` is recorded */
    double *open;  /* [n_data] output: 1 if the data value was undecided at
                      point `when`, 0 if it was decided; NAN: not known */
} cs_coupling;

#define CS_SIMULATION_ROWS ((size_t)1 << 40)

enum {
    CS_TARGET_MAIN_THREAD = 1,  /* only the session's thread may evaluate it */
    CS_TARGET_HIDDEN = 2,       /* the target cannot be created by name */
    CS_TARGET_EIGHTS = 16,      /* the number of lanes must be a multiple of
                                   eight */
    CS_TARGET_ALONE = 32,       /* a single chain is evaluated by separate code,
                                 * which takes the time of one or two lanes */
    CS_TARGET_UNNORMALISED = 8, /* log p is not known, because log Z(x) is
                                 * not known (see cs_factor_hooks);
                                 * log_density then returns NAN */
    CS_TARGET_OUTSIDE = 64,     /* the target is evaluated by external code,
                                 * which may be expensive; therefore evaluate it
                                 * at as few points as possible */
    CS_TARGET_LEARNS = 128,     /* the target is a copy whose parameters change
                                   (see cs_model_type), without exact results */
    CS_TARGET_PACKED = 4        /* the target also accepts packed states of a
                                 * single chain: lanes = 1, with x[dim] and
                                 * g[dim] padded to whole vectors; it has no
                                 * cache */
};

/* Exact results about the distribution of a target. Any pointer may be NULL.
 * All arrays belong to the target. */
typedef struct cs_exact {
    const double *mean, *variance; /* [dim] mean and variance of each
                                      coordinate */
    double log_z;                  /* log of the integral (or sum) of exp(log
                                      p); NAN: not known */
    size_t n_modes;
    const double *modes;       /* [n_modes][dim] positions of the modes */
    const double *mode_weight; /* [n_modes] weights of the modes, which sum to
                                  1 */
    bool shares;               /* true: mode_weight[m] is the probability of the
                                  points whose nearest mode is m */
    double mode_radius;        /* largest Euclidean distance at which a point
                                  counts as a visit to its nearest mode; 0: any
                                  distance */
    double view[4];     /* x0, x1, y0, y1: the part of the plane to display */
    const double *logp; /* [states] log p of all states, in the order of
                  cs_space_state */
} cs_exact;

/* The bonds of one site of a target on a graph: see `bonds` below. */
typedef struct cs_site_bonds {
    size_t n;
    const uint32_t *other;  /* [n] the sites at the other ends of the bonds */
    const double *strength; /* [n] strengths; K of a bond is scale * strength */
    double scale;
} cs_site_bonds;

/* Generated quantities, such as parameters on their own scale or functions of
 * parameters. They are displayed and recorded instead of the state. Any target
 * may have generated quantities. */
typedef struct cs_outputs {
    size_t n, scratch_words;
    /* Fills y[n][lanes] for the states at->x; may use at->scratch and
     * at->streams. Called in each step. */
    void (*fill)(const void *self, const cs_point *at, double *y);
    /* Writes the name of generated quantity i to text[size]. */
    void (*name)(const void *self, size_t i, char *text, size_t size);
    void (*destroy)(void *self); /* OPTIONAL. Frees `self` and its contents. */
    void *self;                  /* first argument of the functions above
                                    [own] */
    const uint32_t *coordinate;  /* OPTIONAL, [n]: 1 + the number of the
                                  * coordinate that the quantity is equal to; 0:
                                  * it is not a coordinate [borrowed from
                                  * self] */
} cs_outputs;

/* How an instance computes its gradient. */
typedef struct cs_gradient_info {
    size_t calls;     /* number of log densities per gradient if the gradient is
                   * computed by differences of log densities; 0: the type
                   * computes the gradient itself */
    const char *note; /* a warning for users of the gradient, a constant
                         string; NULL: no warning */
} cs_gradient_info;

/* Draws of the target's distribution by external code, such as a function of a
 * script. They may be wrong; the law `sample` compares them with the density
 * (check/check.h), and only laws use them. */
typedef struct cs_sampler {
    /* Sets x[dim] to draw number `number` of the seed, with independent random
     * numbers for each pair. Returns false if the external code failed, or
     * returned no state of the space. Call on the thread that owns the
     * target. */
    bool (*draw)(const cs_target *t, uint64_t seed, uint64_t number, double *x);
    void (*destroy)(void *self); /* frees `self` and its contents */
    void *self;                  /* [own] */
} cs_sampler;

typedef enum cs_picture_kind {
    CS_PICTURE_NONE,
    CS_PICTURE_PIXELS, /* pixels, one per coordinate, row by row */
    CS_PICTURE_GRAPH,  /* vertices in the plane, one per coordinate, and
                          edges */
    CS_PICTURE_TOUR    /* points in the plane, visited in the order that the
                          state gives */
} cs_picture_kind;

/* How to display a state as a picture. All members are plain data, so that no
 * function of the target is called for a picture. The arrays belong to the
 * target. */
typedef struct cs_picture {
    cs_picture_kind kind;
    size_t first;         /* index of the first coordinate that the picture
                             shows */
    size_t rows, cols;    /* size of the grid of pixels. The last row of the
                           * grid may be incomplete */
    size_t layers;        /* number of grids of this size, displayed side by
                             side; 0 means 1 */
    double low, high;     /* for real coordinates: the values that are displayed
                             as black (low) and white (high) */
    size_t places;        /* number of points of a graph or a tour */
    const double *place;  /* [places][2] x and y of each point; NULL: the points
                             are on a circle */
    const uint32_t *edge; /* [edges][2] vertices of each edge, from 0 */
    size_t edges;
    /* OPTIONAL, for a tour. Fills to[places] with the order in which the state
     * x[dim * stride] visits the places; an entry equal to `places` means that
     * the state is not a tour. If order is NULL, x itself lists the places in
     * order. */
    void (*order)(const cs_target *t, const double *x, size_t stride,
                  uint32_t *to);
} cs_picture;

/* Scores of a mean prediction on held-out data. A score is NAN if the model
 * does not have it, or if there are no data, no states or no memory. */
typedef struct cs_held_out {
    double rmse;      /* root mean square error, in units of the response */
    double accuracy;  /* share of the rows whose true class has the largest
                         probability */
    double log_score; /* mean log probability (or density) of the held-out rows,
                         in nats per row, computed from the mean of the
                         probabilities */
} cs_held_out;

typedef struct cs_anneal cs_anneal;

/* A model whose parameters w = learned[n_learned] can be learned from data y,
 * by
 *
 *     d/dw mean of log p(y) = mean over y of slope - mean over x ~ p of slope,
 *     slope(x) = d log_density(x) / dw,
 *
 * where log_density is log p without log Z(w). An instance that a user creates
 * has no `learned`. Copies of this instance learn, one copy per arm
 * (run/arms/learner.h). */
typedef struct cs_model_type {
    /* REQUIRED. Turns `to` into a copy of t that can learn. Before the call,
     * `to` has the type, name, values and parts of t. Fills the fields that
     * create fills, except exact answers. Also fills slope_words and
     * learned[n_learned], the parameters of t [own, by the type: destroy frees
     * them]. On failure leaves nothing allocated. */
    cs_status (*copy)(const cs_target *t, cs_target *to, cs_error *err);
    /* REQUIRED, hot. Adds to d[n_learned] the sum over live lanes of
     * weight[lane] times the slope at x of the lane. The sum is in double
     * precision and in the order of lanes. Unless logp is NULL, sets
     * logp[lanes] to log_density. at->cache is NULL, at->scratch has
     * slope_words rows. May be called on any thread, and on several threads at
     * once. */
    void (*slope)(const cs_target *t, const cs_point *at, const double *weight,
                  double *logp, double *d);
    /* REQUIRED. Called between steps after `learned` has changed. Computes all
     * tables of the density again; these tables depend only on `learned`.
     * Allocates nothing. May round or bound the parameters. */
    void (*changed)(cs_target *t);
    /* OPTIONAL. Sets learned[] to initial values. They are computed from the
     * means[dim] of the data and from uniform[n_learned]. If begin is NULL,
     * learning starts from the instance's parameters. `changed` is called
     * afterwards. */
    void (*begin)(cs_target *t, const double *mean, const double *uniform);
    /* OPTIONAL. Writes filter number i, counted from 0, to out[dim]. Filters
     * are displayed like states. Returns false after the last filter. */
    bool (*filter)(const cs_target *t, size_t i, double *out);
    /* OPTIONAL. Annealed importance sampling for this kind of model: see
     * cs_anneal. log_z0 returns the log of the sum of f_0. If log_z0 is NULL,
     * the annealing uses a kernel and another path (learn/anneal.h). */
    double (*log_z0)(const cs_target *t, const double *base);
    void (*anneal)(const cs_target *t, const cs_point *at, const cs_anneal *a);
} cs_model_type;

/* One step of annealed importance sampling (Neal 2001) on a path of functions
 * f_0 ... f_1 of x, where f_1 = exp log_density and f_0 has a known sum. Adds
 * log f_to(x) - log f_from(x) to log_weight, then moves x by a transition that
 * leaves f_to invariant (`to` may be less than `from`). The states x are at->x,
 * and at->scratch has slope_words rows. */
struct cs_anneal {
    const double *base;        /* [dim] log odds of the independent bits of
                                  f_0 */
    double from, to;           /* inverse temperatures, 0 to 1 */
    const cs_streams *streams; /* streams for CS_FOR_PROPOSAL and
                                  CS_FOR_AUXILIARY */
    double *x;                 /* [dim][lanes] input and output: the states */
    double *log_weight;        /* [lanes] input and output: the log weights */
};

/* ---- optional functions of a type, in groups ----
 * A type that does not support a group leaves its functions NULL. */

/* A log density that is a sum over the rows of a table,
 *     log p(x) = prior(x) + sum of term(x, r) over the rows r < n_rows. */
typedef struct cs_row_hooks {
    /* Requires prior and slope. Computes the terms of a batch: logp[i] = term(x
     * of the lane, row[i]). */
    void (*terms)(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp);
    /* Computes the terms of a batch as `terms` does. Also computes
     * g[dim][lanes]: for each lane, the gradient of the sum of weight * term
     * over the lane's batch. */
    void (*slope)(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g);
    /* OPTIONAL. Prefetches the n rows whose numbers are row[n]. */
    void (*fetch)(const cs_target *t, const uint32_t *row, size_t n);
    /* OPTIONAL. Fills low[n_rows] and high[n_rows] such that low[r] <= term(x,
     * r) <= high[r] wherever the prior is finite. Cold; called once per
     * instance (see target/row_bounds.h). (t->row_bounds lists the bounds that
     * an instance has.) */
    cs_status (*range)(const cs_target *t, double *low, double *high,
                       cs_error *err);
    /* OPTIONAL, together with change_measure. `change` fills c[n_rows] such
     * that, for a symmetric M, |term(x, r) - term(y, r)| <= c[r] M(x, y)
     * wherever the prior is finite at x and y. change_measure (hot) computes
     * m[lanes] = M(x, y) for x[dim][lanes] and y[dim][lanes]. */
    cs_status (*change)(const cs_target *t, double *c, cs_error *err);
    void (*change_measure)(const cs_target *t, const double *x, const double *y,
                           size_t lanes, double *m);
    /* OPTIONAL, together with lower_terms, for a target with a gradient. The
     * hooks provide lower bounds on the terms that are tight at b->mode: log
     * B(x, r) <= term(x, r) for every x; see target/lower_bound.h. `lower` is
     * cold: it fills b->row, and adds the bound of each row as a function of x
     * - mode by cs_lower_bound_add. */
    void (*lower)(const cs_target *t, struct cs_lower_bound *b);
    /* Computes the terms of a batch, logp[i], and their bounds at t->lower,
     * log_b[i]. */
    void (*lower_terms)(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *log_b);
} cs_row_hooks;

/* A model of data y with a factor Z that may be unknown,
 *     p(y | x) = f(x, y) / Z(x),  log p(x) = prior(x) - log Z(x),
 * where the prior includes log f of the observed data. If Z(x) is not known,
 * the instance has CS_TARGET_UNNORMALISED. */
typedef struct cs_factor_hooks {
    /* Requires `prior`. Computes log_f[lanes] = log f(x, y) of
     * data[n_data][lanes]. */
    void (*log_factor)(const cs_target *t, const cs_point *at,
                       const double *data, double *log_f);
    /* OPTIONAL, with log_factor. Generates exact draws y ~ p(. | x) in all
     * lanes that have not failed (at->failed). The draw of a lane depends only
     * on x and on the lane's own random numbers. at->scratch has simulate_words
     * rows. The work is limited (see `left` of cs_simulation). */
    void (*simulate)(const cs_target *t, const cs_point *at,
                     const cs_simulation *s);
    /* OPTIONAL, with simulate. Repeats the draw of the only live lane with the
     * same random numbers. Cold. */
    void (*coupling)(const cs_target *t, const cs_point *at,
                     const cs_simulation *s, const cs_coupling *c);
    /* OPTIONAL, with log_factor. Changes the data by s->sweeps reversible
     * sweeps that leave p(. | x) invariant. at->scratch has simulate_words
     * rows. */
    void (*sweep)(const cs_target *t, const cs_point *at,
                  const cs_simulation *s);
} cs_factor_hooks;

/* For a discrete space: changes of single sites, and of many sites at once. */
typedef struct cs_site_hooks {
    /* OPTIONAL. Computes d[values][lanes] = log p(x with x_i = low + v) - log
     * p(x), i = site[lane]. Reads the point's cache. In a mixed space, writes
     * only the values that the site of each lane has. */
    void (*site)(const cs_target *t, const cs_point *at, const uint32_t *site,
                 double *d);
    /* OPTIONAL, with `site` and a cache: updates the cache after x_i of each
     * lane has become value[lane]. (at->x still holds the old value.) */
    void (*moved)(const cs_target *t, const cs_point *at, const uint32_t *site,
                  const double *value);
    /* OPTIONAL, together with `site`, for targets where this hook saves work.
     * Computes the differences of all sites at once. The layout of the result
     * is that of cs_eval_neighbours. Reads the point's cache. */
    void (*neighbours)(const cs_target *t, const cs_point *at, double *d);
    /* OPTIONAL, together with `site`, for targets where this hook saves work.
     * Computes the differences of n sites of equal kind and values for all live
     * lanes. They are site[n] or, if site is NULL, first .. first + n - 1. Row
     * i * values + v of d is row v of `site` for the i-th of them; if `flips` is
     * true, the sites are bits, and row i is the difference after a flip. Other
     * lanes become copies of the first. */
    void (*several)(const cs_target *t, const cs_point *at,
                    const uint32_t *site, size_t first, size_t n, bool flips,
                    double *d);
    /* OPTIONAL, together with `sites`, for a target without a cache. Returns the
     * sites of colour number `colour` and their number *n; NULL after the last
     * colour. Each site has one colour. The sites of a colour have the same
     * range, and are independent given all other coordinates, so that they can
     * be drawn in one call (Besag, Spatial interaction and the statistical
     * analysis of lattice systems, 1974, section 6: codings). */
    const uint32_t *(*colour)(const cs_target *t, size_t colour, size_t *n);
    /* OPTIONAL, together with `colour`. Computes the differences of n sites of
     * one colour for one lane of the block: d[v * stride + i] is row v of `site`
     * for site[i]. `site` is a part of a list that `colour` has returned. Writes
     * 0 for the entries from n to the next multiple of CS_PAD. */
    void (*sites)(const cs_target *t, const cs_point *at, size_t lane,
                  const uint32_t *site, size_t n, size_t stride, double *d);
    /* OPTIONAL, for targets on categorical spaces where this hook saves work.
     * Computes the gradient of an extension of log p to sites coded as one bit
     * per value. The result is d[dim * values][lanes]: row i * values + v is
     * the slope in the bit of value v minus the slope in the bit of x_i, and
     * hence 0 for v = x_i. Unless logp is NULL, sets logp[lanes] to log p.
     * Fills the point's cache. */
    void (*one_hot)(const cs_target *t, const cs_point *at, double *logp,
                    double *d);
    /* OPTIONAL. Block Gibbs: redraws every coordinate of x (which is at->x) in
     * place, `times` times. Each part is drawn from its distribution given the
     * rest, in a fixed order; this leaves the target invariant. Random numbers
     * come from `s`, for CS_FOR_PROPOSAL or CS_FOR_AUXILIARY. Sets moved[lane]
     * to true if x has changed in the lane, otherwise to false. at->scratch has
     * resample_words rows; at->cache is NULL. */
    void (*resample)(const cs_target *t, const cs_point *at,
                     const cs_streams *s, size_t times, double *x, bool *moved);
    /* OPTIONAL, for cluster moves. Returns the bonds of a site. Up to a
     * constant, log p(x) is the sum of K_ij [x_i = x_j] over bonds i~j, plus
     * the sum of field[i][x_i] over sites. Each of the n_bonds is listed twice,
     * once at each end. */
    cs_site_bonds (*bonds)(const cs_target *t, size_t site);
} cs_site_hooks;

/* Closed forms of the distribution, in addition to cs_exact. */
typedef struct cs_exact_hooks {
    /* OPTIONAL. Sets x[dim] to an exact draw made from uniform[t->n_uniform].
     * An instance starts with the n_uniform of its type, which `create` may
     * change. If n_uniform is 0, the instance has no exact draws. */
    size_t n_uniform;
    void (*draw)(const cs_target *t, const double *uniform, double *x);
    /* OPTIONAL. Returns P(x_i <= value), the distribution function of a
     * coordinate. */
    double (*marginal)(const cs_target *t, size_t i, double value);
    /* OPTIONAL, for real spaces. Returns the marginal density of coordinates i
     * and j, up to a constant. */
    double (*pair)(const cs_target *t, size_t i, size_t j, double x, double y);
    /* OPTIONAL. Returns P(-log p <= energy). If this instance cannot compute
     * that probability, always returns NAN. */
    double (*energy)(const cs_target *t, double energy);
} cs_exact_hooks;

/* A density that is evaluated by external code: a script, a library or a
 * separate process. */
typedef struct cs_outside_hooks {
    /* OPTIONAL, for a density that may not return: sets a time limit for the
     * following calls; 0: no limit. A call that exceeds the limit returns NAN,
     * which does not count as a failure of the density. */
    void (*allow)(const cs_target *t, double seconds);
    /* OPTIONAL. Writes to text[size] the reason for the last NaN that was
     * returned as a log density. Returns false if the reason is not known. May
     * be called on any thread. */
    bool (*why)(const cs_target *t, char *text, size_t size);
    /* OPTIONAL, for a density that was evaluated twice at one point. If the two
     * values differ, writes the difference to text[size] and returns true;
     * otherwise returns false. May be called on any thread. */
    bool (*unsteady)(const cs_target *t, char *text, size_t size);
} cs_outside_hooks;

typedef struct cs_target_type {
    const char *name, *title, *ref, *help;
    const cs_param *params;
    size_t n_params;
    unsigned flags;

    /* OPTIONAL. Size of `self` in bytes. Memory of this size is allocated and
     * zeroed before `create`, and freed after `destroy`. If size is 0, `create`
     * and `destroy` allocate and free `self`. */
    size_t size;
    /* REQUIRED. Fills space, self, exact, cache_words and scratch_words from
     * values[n_params] (resolved against `params`; arrays and strings must be
     * copied). If `size` is set, `create` may fail at any point, and `destroy`
     * is called then; if `size` is 0, `create` itself must free everything on
     * failure. */
    cs_status (*create)(cs_target *t, const cs_value *values, cs_error *err);
    /* OPTIONAL. Frees the memory that `create` allocated. Some parts of `self`
     * may still be zero when this function is called. */
    void (*destroy)(cs_target *t);

    /* REQUIRED. Sets logp[lanes] to the log density in nats, up to a constant;
     * -HUGE_VAL outside the support. Fills the point's cache. */
    void (*log_density)(const cs_target *t, const cs_point *at, double *logp);
    /* OPTIONAL. Computes logp[lanes] and its gradient g[dim][lanes]; in a
     * discrete space, the gradient of a differentiable extension of log p.
     * Fills the point's cache. */
    void (*gradient)(const cs_target *t, const cs_point *at, double *logp,
                     double *g);
    /* OPTIONAL, for a target with a gradient where this hook saves work.
     * Computes only the gradient g[dim][lanes], without log p. The gradient
     * must have the same bits as the gradient that the hook `gradient`
     * computes. at->cache is NULL. */
    void (*gradient_alone)(const cs_target *t, const cs_point *at, double *g);
    /* OPTIONAL, with a gradient. Computes g[dim][lanes], the gradient in single
     * precision, at a lower cost. Proposals use this gradient, and an accept
     * step corrects them by log p. The result must be a function of x only,
     * with the same bits at each call; otherwise the density of the reverse
     * proposal could not be computed. The result is not finite where single
     * precision overflows. at->cache is NULL, or filled by the log density of
     * the same x. */
    void (*force)(const cs_target *t, const cs_point *at, float *g);
    /* OPTIONAL, together with hessian_times. prepare_hessian sets hessian_words
     * (cold; may be called again; may fail with CS_UNSUPPORTED). Then
     * hessian_times computes h[dim][lanes] = H(x) v[dim][lanes], where H holds
     * the second derivatives of log p; at->scratch has hessian_words rows. */
    cs_status (*prepare_hessian)(cs_target *t, cs_error *err);
    void (*hessian_times)(const cs_target *t, const cs_point *at,
                          const double *v, double *h);
    /* REQUIRED with rows.terms and with factor.log_factor. Computes the part of
     * log p that does not count as work: logp[lanes] and, unless g is NULL, its
     * gradient g[dim][lanes]. (With log_factor no gradient is requested.) */
    void (*prior)(const cs_target *t, const cs_point *at, double *logp,
                  double *g);
    /* OPTIONAL. Writes the name of coordinate i to text[size]; the default name
     * is "x.i". */
    void (*coordinate)(const cs_target *t, size_t i, char *text, size_t size);
    /* OPTIONAL. Writes a state x[dim] as readable text, such as a sentence, to
     * text[size]. Cold. */
    void (*read)(const cs_target *t, const double *x, char *text, size_t size);
    /* OPTIONAL. Sets x[dim] to the default starting point of a chain, made from
     * uniform[dim]. Without this hook the starting point is uniform. On a
     * discrete space it is uniform over the states; on a real space each
     * coordinate is uniform on (-2, 2) (as in Stan). */
    void (*start)(const cs_target *t, const double *uniform, double *x);
    /* OPTIONAL, for a model that predicts. Averages the predictions of the n
     * states x[n][dim], with weights exp log_weight[n] (NULL: equal weights).
     * Sets out[0] to the scores of this mean prediction on held-out data. Sets
     * out[1 + g] to the scores without the states of group g (group[n] <
     * groups), for a jackknife. The function is not for hot loops. */
    void (*held_out)(const cs_target *t, const double *x,
                     const double *log_weight, size_t n, const size_t *group,
                     size_t groups, cs_held_out *out);
    /* OPTIONAL, for a target whose first t->free_numbers generated quantities
     * determine a state. Computes the state x[dim] for which these quantities
     * have the values y[free_numbers]. Cold. */
    cs_status (*free_point)(const cs_target *t, const double *y, double *x,
                            cs_error *err);
    cs_row_hooks rows;          /* hooks of a sum over rows of data; used if
                                   `terms` is set */
    cs_factor_hooks factor;     /* hooks of a model whose Z(x) is not known;
                                   used if `log_factor` is set */
    cs_site_hooks sites;        /* hooks for discrete spaces */
    cs_exact_hooks exact;       /* closed forms of the distribution */
    cs_outside_hooks outside;   /* hooks for external code */
    const cs_model_type *model; /* OPTIONAL: set if the parameters can be
                                   learned */
} cs_target_type;

struct cs_target {
    const cs_target_type *type;
    char *name; /* [own] name in the interface; by default type->name */
    double
        *reported_modes; /* [own] storage of exact.modes and the weights of the
                            modes, if a script set them (cs_target_tell_modes);
                            otherwise NULL */
    cs_space space;
    cs_part *named; /* [own] all coordinates, in order, with the names of their
                     * parameters, which are also space.part of a mixed space
                     * (cs_target_take_space); NULL: no names */
    cs_exact exact;
    size_t cache_words, scratch_words;
    size_t hessian_words;    /* number of scratch rows for hessian_times; 0: not
                                prepared */
    size_t resample_words;   /* number of scratch rows for the hook resample */
    size_t n_bonds;          /* number of bonds, if `bonds` is set */
    const double *field;     /* [dim][values] fields, if `bonds` is set; NULL:
                                no fields [borrowed from self] */
    size_t n_data;           /* number of values in a data set, if log_factor is
                                set */
    const double *data;      /* [n_data] observed data [borrowed from self] */
    cs_picture data_picture; /* how to display a data set, as pixels or as a
                                graph; low and high are set; kind 0: no
                                picture */
    size_t data_values;      /* number of values that a number in a data set can
                              * have; they are evenly spaced from low to high of
                              * the picture; 0: any value between low and
                              * high */
    size_t simulate_words;   /* number of scratch rows for the hooks simulate
                                and sweep */
    double site_cost;        /* cost of the differences of one site, in
                                evaluations of the whole log density; 0 means 1
                                divided by the number of discrete
                                coordinates */
    size_t data_terms;       /* number of data points that one evaluation sums
                                over; 0: none */
    size_t n_rows;           /* number of rows of the table, if `terms` is set;
                                else 0 */
    unsigned row_bounds;     /* CS_ROW_... flags of the bounds that are
                                available */
    size_t shared_words; /* number of doubles (for example weights) that each
                            * evaluation of a block reads, whatever the number
                            * of lanes; 0: only a small number */
    size_t n_uniform;    /* number of uniforms that one exact draw uses */
    size_t free_numbers; /* number of generated quantities that determine a
                              state, if free_point is set */
    cs_gradient_info gradient; /* how the gradient is computed */
    unsigned flags;            /* flags of the type and of the instance */
    cs_outputs outputs;        /* n = 0: the state itself is shown */
    cs_sampler sampler;        /* draw is NULL: no draws by external code */
    cs_picture picture; /* kind 0: cs_target_picture chooses the picture */
    void *self;         /* data of the instance [own, by the type] */
    double *values;     /* [own] the numeric parameters, [n_params] */
    cs_page parts; /* [own] provenance (data/parts.h): a saved run can only be
                      resumed with a target that has the same parts */
    /* Parameters of the density that may change between steps (a model in
     * training); rewind and checkpoints restore them. Code that changes them
     * increments `generation`; chains then evaluate their states again before
     * the next step. */
    double *learned; /* [n_learned] [own, by the type] */
    size_t n_learned;
    size_t slope_words; /* number of scratch rows for model->slope and
                           model->anneal */
    uint64_t generation;
    struct cs_enumeration *truth;    /* [own] exact distribution: see
                                        target/enumeration.h */
    struct cs_row_bounds *bounds[2]; /* [own] bounds on the range and on the
                                        change; NULL: not computed yet; see
                                        target/row_bounds.h */
    struct cs_lower_bound *lower;    /* [own] NULL: not computed yet; see
                                        target/lower_bound.h */
    size_t holders;
};

/* Creates a target of `type` from given[n_given] values, with one holder. [own,
 * release with cs_target_release] Cold. */
cs_status cs_target_create(const cs_target_type *type, const cs_value *given,
                           size_t n_given, cs_target **out, cs_error *err);

/* Creates a copy of t that can learn, by the model of its type, with the
 * parameters in `learned` and one holder. Fails with CS_UNSUPPORTED if the type
 * has no model, or if the instance has generated quantities, because a copy
 * would not have them. [own] Cold. */
cs_status cs_target_learner(const cs_target *t, cs_target **out, cs_error *err);

/* Add and remove a holder; the last release destroys the target. NULL is
 * allowed. */
cs_target *cs_target_hold(cs_target *t);
void cs_target_release(cs_target *t);

/* Sets the space of a target; the target copies the parts of a mixed space and
 * their names. If all parts have the same kind and values, the space becomes
 * one of that kind, whose coordinates keep the names. Called once, before the
 * target is used. Fails with CS_MEMORY if memory is short; the target must then
 * be released. */
cs_status cs_target_take_space(cs_target *t, const cs_space *space,
                               cs_error *err);

/* Writes the name of coordinate i of the state: mu.2 or, if mu has only one, mu
 * for a parameter mu; without parameters the name of the type, or x.3. */
void cs_target_name_coordinate(const cs_target *t, size_t i, char *text,
                               size_t size);

/* Returns true if the displayed quantity i is a discrete coordinate of the
 * state, and sets its part. */
bool cs_target_shown_part(const cs_target *t, size_t i, cs_part *out);
/* Sets the name of the target in the interface. */
cs_status cs_target_call(cs_target *t, const char *name, cs_error *err);

/* Returns true if log p is expensive and should be evaluated rarely: a script's
 * function or external code computes log p, or log p is a sum over data. */
static inline bool cs_target_is_dear(const cs_target *t)
{
    return (t->flags & (CS_TARGET_MAIN_THREAD | CS_TARGET_OUTSIDE)) ||
           t->data_terms;
}

/* Adds generated quantities to a target [owned by it from then on]; must be
 * called before chains are created. */
void cs_target_set_outputs(cs_target *t, cs_outputs outputs);

/* Computes y[shown] of one state x[dim]; false if out of memory. Cold. */
bool cs_target_show(const cs_target *t, const double *x, double *y);

/* Returns a description of how a state is displayed: the target's own picture,
 * or, for a discrete state of more than four coordinates, a nearly square grid
 * of pixels. */
cs_picture cs_target_picture(const cs_target *t);

/* Returns the number of values that are displayed per state. They are the
 * generated quantities, or the coordinates if there are no generated
 * quantities. */
size_t cs_target_shown(const cs_target *t);

/* Returns the number of lanes of a block with this many chains. The lanes fill
 * whole vectors of the variant in use, if the target supports them. Draws do
 * not depend on this number. */
size_t cs_target_lanes(const cs_target *t, size_t live);

/* Writes the name of displayed value i, "x.1" by default, without characters
 * that break CSV headers. If a name is longer than size - 1 bytes, its middle
 * is left out. size must be at least 8. */
void cs_target_coordinate(const cs_target *t, size_t i, char *text,
                          size_t size);

/* Sets x[dim] to the default starting point of a chain, from uniform[dim].
 * Calls the hook `start` of the type. Without this hook, uses the default that
 * is described at `start`. */
void cs_target_start(const cs_target *t, const double *uniform, double *x);

/* Fails if log p is not known: see CS_TARGET_UNNORMALISED. */
cs_status cs_target_check_density(const cs_target *t, cs_error *err);

/* Sets the modes to the states points[n][dim]. A point is a visit to the
 * nearest mode if the distance to this mode is at most `radius` (0: at any
 * distance). share[n] is, for each mode, the probability of the points for
 * which this mode is the nearest (NULL: not known). All arrays are copied. */
cs_status cs_target_tell_modes(cs_target *t, const double *points, size_t n,
                               const double *share, double radius,
                               cs_error *err);

/* Returns the registered type called `name` (best instruction set), or NULL. */
const cs_target_type *cs_target_find(const char *name);

/* Returns registered type number i, in the order of targets.def; NULL at the
 * end. */
const cs_target_type *cs_target_at(size_t i);
