/* A target: a space, a log density, and what else it can do.
 *
 * A type is a const table plus rows of parameters; an instance holds its own
 * data in `self` and never changes while chains run, except through
 * cs_target_set between steps. All functions of a block work on x[dim][lanes],
 * lanes fastest, lanes a multiple of CS_VECTOR, arrays aligned to CS_ALIGN.
 * Kernels never call these functions: they go through target/eval.h, which
 * counts. Padding lanes hold copies of a live lane, so that a density need not
 * look at `live` (it may, to save work: one live lane is worth a path of its
 * own where the data is the long axis). */
#ifndef CS_TARGET_TARGET_H
#define CS_TARGET_TARGET_H

#include "base/page.h"
#include "base/param.h"
#include "rng/stream.h"
#include "target/space.h"

#include <stdbool.h>

#include <stdint.h>

typedef struct cs_target cs_target;

/* Where a block stands: the state, and the target's own memory of it. */
typedef struct cs_point {
    const double *x; /* [dim][lanes] */
    double *cache;   /* [cache_words][lanes], NULL when cache_words is 0 */
    double *scratch; /* [scratch_words][lanes], contents do not survive */
    size_t lanes, live;
    const bool *failed; /* [lanes] lanes that nobody asks about, or NULL */
    const double *from, *from_cache; /* of a proposal: the states the chains
                           are in, and what the target remembers of them, so
                           that it may look at what has changed only; NULL
                           where that is not known */
    bool back; /* at every second question: a hint to go through large
                           data to and fro, which caches like; for results that
                           are the same bits either way */
} cs_point;

/* Some rows of a target's table for each live lane: lane l asks for row[i],
 * first[l] <= i < first[l + 1], in any order, also again and again. */
typedef struct cs_batch {
    const uint32_t *row;  /* each below n_rows */
    const size_t *first;  /* [live + 1] */
    const double *weight; /* [first[live]] what each counts; NULL: 1 */
} cs_batch;

enum {
    CS_TARGET_MAIN_THREAD = 1, /* only the session's thread may evaluate it */
    CS_TARGET_HIDDEN = 2,      /* made by other means than its name */
    CS_TARGET_PACKED = 4       /* takes a block of lanes = 1: a chain alone,
                                  whose x[dim] and g[dim] lie close, with room
                                  to whole vectors; keeps no cache */
};

/* What is known exactly. Any pointer may be NULL. All arrays belong to the
 * target. Moments are of the distribution itself. */
typedef struct cs_exact {
    const double *mean, *variance; /* [dim] */
    double log_z;                  /* log of the integral of exp log p; NAN */
    size_t n_modes;
    const double *modes;       /* [n_modes][dim] */
    const double *mode_weight; /* [n_modes], sums to 1 */
    bool shares;               /* mode_weight[m] is the mass of all points
                                  whose nearest mode is m */
    double mode_radius;        /* a visit: within this of the nearest mode, in
                                  Euclidean distance; 0 = nearest, at any
                                  distance */
    double view[4]; /* x0, x1, y0, y1: the part of the plane worth showing */
    const double
        *logp; /* [states] log p of all, in the order of cs_space_state */
} cs_exact;

/* The bonds of one site of a target on a graph: see `bonds` below. */
typedef struct cs_site_bonds {
    size_t n;
    const uint32_t *other;  /* [n] the sites at the other ends */
    const double *strength; /* [n] K = scale strength */
    double scale;
} cs_site_bonds;

/* What users see and what is recorded of a state, where that is not the state
 * itself: parameters on their own scale, quantities made of them. Any target
 * may have some. */
typedef struct cs_outputs {
    size_t n, scratch_words;
    /* y[n][lanes] of the states at->x; may use at->scratch. Hot. */
    void (*fill)(const void *self, const cs_point *at, double *y);
    /* The name of number i into text[size]. */
    void (*name)(const void *self, size_t i, char *text, size_t size);
    void (*destroy)(void *self); /* OPTIONAL */
    void *self;                  /* [own] */
} cs_outputs;

typedef enum cs_picture_kind {
    CS_PICTURE_NONE,
    CS_PICTURE_PIXELS, /* of each coordinate, row by row */
    CS_PICTURE_GRAPH,  /* vertices at places, one a coordinate, and edges */
    CS_PICTURE_TOUR    /* places in the order in which the state visits them */
} cs_picture_kind;

/* How a state looks: data, so that whoever draws it needs no target. What it
 * points to belongs to the target. */
typedef struct cs_picture {
    cs_picture_kind kind;
    size_t first;         /* the first coordinate that is drawn */
    size_t rows, cols;    /* of pixels, the last row may be short */
    size_t layers;        /* of such pictures, one after the other; 0: 1 */
    double low, high;     /* the ends of the greys of real coordinates */
    size_t places;        /* of a graph or a tour */
    const double *place;  /* [places][2] x, y; NULL: on a circle */
    const uint32_t *edge; /* [edges][2] vertices from 0 */
    size_t edges;
    /* OPTIONAL, of a tour: to[places] = the places in turn that x[dim] at a
     * stride stands for, `places` where it is none; NULL: it is a list of
     * them. */
    void (*order)(const cs_target *t, const double *x, size_t stride,
                  uint32_t *to);
} cs_picture;

typedef struct cs_target_type {
    const char *name, *title, *ref, *help;
    const cs_param *params;
    size_t n_params;
    unsigned flags;

    /* REQUIRED. Fills space, self, exact, cache_words and scratch_words from
     * values[n_params] (resolved against `params`; arrays and texts must be
     * copied). On failure leaves nothing behind. */
    cs_status (*create)(cs_target *t, const cs_value *values, cs_error *err);
    /* REQUIRED. Frees what create made. */
    void (*destroy)(cs_target *t);

    /* REQUIRED. logp[lanes] = log density in nats, up to a constant. Fills the
     * point's cache. -HUGE_VAL outside the support. */
    void (*log_density)(const cs_target *t, const cs_point *at, double *logp);
    /* OPTIONAL. logp[lanes] and its gradient g[dim][lanes]; in a discrete space
     * that of the differentiable extension. Fills the point's cache. */
    void (*gradient)(const cs_target *t, const cs_point *at, double *logp,
                     double *g);
    /* OPTIONAL, with a gradient, where it saves work. g[dim][lanes] = the
     * gradient without log p: the same bits. at->cache is NULL. */
    void (*gradient_alone)(const cs_target *t, const cs_point *at, double *g);
    /* OPTIONAL, with a gradient. g[dim][lanes] = the gradient, or nearly so,
     * at less cost: what may steer a proposal that an accept step then judges
     * by log p itself. Of x alone, the same bits whenever it is asked: only then is
     * the proposal as likely in the one direction as in the other. Not finite
     * where single precision overflows. at->cache is NULL, or filled by the log
     * density of the same x. */
    void (*force)(const cs_target *t, const cs_point *at, float *g);
    /* OPTIONAL, with a force. The same, rougher and quicker still. */
    void (*gradient_int8)(const cs_target *t, const cs_point *at, float *g);
    /* OPTIONAL, both. After prepare_hessian (cold; what is prepared already
     * stays; it may be unsupported), which sets hessian_words:
     * h[dim][lanes] = H(x) v[dim][lanes], H the second derivatives of log p. Such
     * a point's scratch has hessian_words rows. */
    cs_status (*prepare_hessian)(cs_target *t, cs_error *err);
    void (*hessian_times)(const cs_target *t, const cs_point *at,
                          const double *v, double *h);
    /* OPTIONAL, all three together, of a sum over the rows of a table,
     *     log p(x) = prior(x) + sum of term(x, r) over the rows r < n_rows.
     * The prior: logp[lanes] and, unless NULL, its gradient g[dim][lanes]. */
    void (*prior)(const cs_target *t, const cs_point *at, double *logp,
                  double *g);
    /* The terms of a batch: logp[i] = term(x of the lane, row[i]). */
    void (*terms)(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp);
    /* The same, and g[dim][lanes]: the gradient of the sum of weight * term
     * over a lane's batch. */
    void (*slope)(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g);
    /* OPTIONAL, with `terms`: row[n] will be asked for soon. */
    void (*fetch)(const cs_target *t, const uint32_t *row, size_t n);
    /* OPTIONAL, discrete. d[values][lanes] = log p(x with x_i = low + v) - log p(x),
     * i = site[lane]. Reads the point's cache. */
    void (*site)(const cs_target *t, const cs_point *at, const uint32_t *site,
                 double *d);
    /* OPTIONAL, with `site` and a cache: x_i of each lane has just become
     * value[lane] (at->x still holds the old one); mend the cache. */
    void (*site_moved)(const cs_target *t, const cs_point *at,
                       const uint32_t *site, const double *value);
    /* OPTIONAL, with `site`, where it saves work: the differences of all sites
     * at once, laid out as cs_eval_neighbours says. Reads the point's cache. */
    void (*neighbours)(const cs_target *t, const cs_point *at, double *d);
    /* OPTIONAL, discrete. Redraws every coordinate of at->x, which is x, in
     * place, `times` times, by laws of parts of it given the rest, in an order
     * that is always the same: what leaves the target invariant. Numbers come
     * from `s`, for CS_FOR_PROPOSAL or CS_FOR_AUXILIARY. moved[lane]: x
     * differs from what it was. Such a point has resample_words rows of
     * scratch and no cache. */
    void (*resample)(const cs_target *t, const cs_point *at,
                     const cs_streams *s, size_t times, double *x, bool *moved);
    /* OPTIONAL, of a graph whose bonds may hold sites together, as clusters
     * that move at once: those of a site, when up to a constant
     *     log p(x) = sum over bonds i~j of K_ij [x_i = x_j]
     *            + sum of field[i][x_i].
     * Each of the n_bonds is met twice, once from each end. */
    cs_site_bonds (*bonds)(const cs_target *t, size_t site);
    /* OPTIONAL. x[dim] = an exact draw made from uniform[t->n_uniform].
     * n_uniform here is what an instance starts with; create may change it:
     * with 0 the instance has no exact draws. */
    size_t n_uniform;
    void (*draw)(const cs_target *t, const double *uniform, double *x);
    /* OPTIONAL. P(x_i <= value): the law of one coordinate. */
    double (*marginal)(const cs_target *t, size_t i, double value);
    /* OPTIONAL, real. The density of coordinates i and j alone, the others
     * integrated out, up to a constant. */
    double (*pair)(const cs_target *t, size_t i, size_t j, double x, double y);
    /* OPTIONAL. P(-log p <= energy); NAN, whatever is asked: not of this one. */
    double (*energy)(const cs_target *t, double energy);
    /* OPTIONAL. The name of coordinate i into text[size]; default "x.i". */
    void (*coordinate)(const cs_target *t, size_t i, char *text, size_t size);
    /* OPTIONAL. x[dim] = where chains start unless told otherwise, from
     * uniform[dim]; default: uniform on a discrete space, uniform on
     * (-2, 2) on a real one (as Stan does). */
    void (*start)(const cs_target *t, const double *uniform, double *x);
    /* OPTIONAL, of a model that predicts. error[0] = the root mean square error
     * on data that were held out, of what the n states x[n][dim] predict in the
     * mean; error[1 + g] that of those but group g of `groups`, group[n] saying
     * which each is of. NAN for want of data, states or memory. Cold. */
    void (*held_out)(const cs_target *t, const double *x, size_t n,
                     const size_t *group, size_t groups, double *error);
    /* OPTIONAL, for a density that may never answer: until `allow` with 0,
     * what is asked has this many seconds, and is NAN when they are over; that
     * is then forgotten, and no failure of the density. */
    void (*allow)(const cs_target *t, double seconds);
} cs_target_type;

struct cs_target {
    const cs_target_type *type;
    char *name; /* [own] what the user calls it; type->name by default */
    cs_space space;
    cs_exact exact;
    size_t cache_words, scratch_words;
    size_t hessian_words;  /* scratch of hessian_times, 0: not prepared */
    size_t resample_words; /* scratch of resample */
    size_t n_bonds;        /* with `bonds` */
    const double *field;   /* [dim][values] with `bonds`, or NULL: none
                              [borrowed from self] */
    size_t data_terms;     /* data that one evaluation sums over, 0: none */
    size_t n_rows;         /* of the table, with `terms`; else 0 */
    size_t shared_words;   /* doubles of its own, weights say, that one
                              evaluation of a block goes through, however many
                              lanes it has; 0: few */
    size_t n_uniform;      /* uniforms that one exact draw takes */
    size_t gradient_calls; /* log densities that one gradient is made of, 0:
                              it costs as much as the type says */
    const char *note;      /* what a user of its gradient should know: a
                              constant text, or NULL */
    unsigned flags;        /* type->flags, and what the instance adds */
    cs_outputs outputs;    /* n = 0: the state itself is shown */
    cs_picture picture;    /* kind 0: cs_target_picture finds one, if any */
    void *self;            /* [own, by the type] */
    double *values;        /* [own] the numeric parameters, [n_params] */
    cs_page parts; /* [own] what it was made of (base/parts.h): a saved run
                      goes on with the same only */
    /* What the density depends on and may be changed between steps: kept with
     * the past and in checkpoints. Each change counts `generation` up; chains
     * then evaluate their states anew before the next step. */
    double *learned; /* [n_learned] [own, by the type] */
    size_t n_learned;
    uint64_t generation;
    struct cs_enumeration *truth; /* [own] see target/enumeration.h */
    size_t holders;
};

/* Makes a target of `type` from given[n_given] values; one holder. [own,
 * release with cs_target_release] Cold. */
cs_status cs_target_create(const cs_target_type *type, const cs_value *given,
                           size_t n_given, cs_target **out, cs_error *err);

/* For `create` of a type whose `self` is one block of `size` bytes, zero at
 * first: `fill` makes the target; where it fails, `destroy` clears up. */
cs_status cs_target_make(cs_target *t, size_t size,
                         cs_status (*fill)(cs_target *t, const cs_value *v,
                                           cs_error *err),
                         const cs_value *values, cs_error *err);

/* One more, one fewer holder; the last release destroys. NULL is fine. */
cs_target *cs_target_hold(cs_target *t);
void cs_target_release(cs_target *t);

/* Gives a target outputs, which it takes; before chains are made of it. */
void cs_target_set_outputs(cs_target *t, cs_outputs outputs);

/* y[shown] of one state x[dim]; false when out of memory. Cold. */
bool cs_target_show(const cs_target *t, const double *x, double *y);

/* How a state looks: what the target says, else of a discrete state of more
 * than four coordinates a field of pixels nearly as wide as it is high. */
cs_picture cs_target_picture(const cs_target *t);

/* How many numbers are shown of a state: its outputs, or its coordinates. */
size_t cs_target_shown(const cs_target *t);

/* The name of shown number i, cleaned for CSV headers: "x.1" by default. */
void cs_target_coordinate(const cs_target *t, size_t i, char *text,
                          size_t size);

/* x[dim] = where a chain starts unless told otherwise, from uniform[dim]:
 * the type's own `start`, or the default named there. */
void cs_target_start(const cs_target *t, const double *uniform, double *x);

/* The registered type called `name` (best instruction set), or NULL. */
const cs_target_type *cs_target_find(const char *name);

/* Registered type number i, NULL at the end: in the order of targets.def. */
const cs_target_type *cs_target_at(size_t i);

#endif
