/* A kernel: a Markov move with named parameters, for a block of chains.
 *
 * One call of `step` moves every lane once: propose for all, ask the target
 * once for all, accept for each. A kernel may use only what stands in its
 * cs_move: no globals, no clock, no other source of randomness than
 * move->streams, no evaluation except through move->eval. It allocates
 * nothing. What it must remember lives in move->memory, one flat slab of
 * doubles, so that copying the slab is checkpoint, rewind and resume. */
#pragma once

#include "base/flat.h"
#include "base/page.h"
#include "base/param.h"
#include "kernel/move.h"

#include <assert.h>

enum {
    CS_KERNEL_PARAMS = 40, /* numbers a kernel may have, an inner one's too */
    CS_KERNEL_LISTS = 6    /* lists of numbers, an inner one's too */
};

enum {
    CS_KERNEL_EXACT = 1,        /* leaves the target invariant; see is_exact */
    CS_KERNEL_REVERSIBLE = 2,   /* ... and is reversible */
    CS_KERNEL_GRADIENT = 4,     /* needs a target with a gradient */
    CS_KERNEL_ACCEPTS = 8,      /* has an accept step: info is complete */
    CS_KERNEL_MAIN_THREAD = 16, /* step only on the session's thread */
    CS_KERNEL_HIDDEN = 32,      /* made by other means than its name */
    CS_KERNEL_WEIGHS = 64,      /* writes info.log_weight */
    CS_KERNEL_PARTS = 128,      /* asks for parts of the target (bonds, rows of
                                   data, its own draws): not to be tempered */
    CS_KERNEL_SELECTS = 256,    /* with WEIGHS: log weights are 0 or -HUGE_VAL,
                                   so that all draws count alike */
    CS_KERNEL_ESTIMATES = 1024, /* its accept step estimates the ratio: see
                                   info.log_aux */
    CS_KERNEL_METRIC = 8192,    /* its proposals follow m->metric, on real
                                   spaces */
    CS_KERNEL_ACCEPT_STAT = 16384, /* writes info.accept_stat, which a tuner can
                                   aim at; the record of a decision is not
                                   complete unless CS_KERNEL_ACCEPTS too */
    CS_KERNEL_UNEVEN = 32768,      /* some chains take many evaluations a step
                                   while others wait: blocks are narrow */
    CS_KERNEL_ENSEMBLE = 65536, /* its chains are moved by each other's states:
                                   they are not independent */
    CS_KERNEL_SIMULATES = 2048, /* makes do without log p of a target that lacks
                                   a factor: simulates data in its place */
    CS_KERNEL_DECIDES = 512     /* a wrapper that takes or refuses the steps of
                                   the kernel inside, which must be reversible,
                                   by log p itself; without it the kernel inside
                                   decides, at an inverse temperature: the first
                                   auxiliary variable, or the first stat */
};

typedef struct cs_exchange_type cs_exchange_type;
typedef struct cs_instance_type cs_instance_type;
typedef struct cs_aux_type cs_aux_type;
typedef struct cs_exchange cs_exchange;

/* Where noise carries a chain in one step from where it is: asked of a kernel
 * that follows a noisy gradient, cold. Of the first n coordinates. */
typedef struct cs_noise {
    const cs_target *target;
    const double *values;     /* of the parameters, at the last step */
    size_t chain;             /* its number in the arm */
    const double *x, *memory; /* x[d * stride], memory[w * stride] */
    size_t stride, n;
    const struct cs_metric *metric; /* NULL: the unit one */
    double *gradient; /* out [n][n]: covariance by the noise of the gradient */
    double *injected; /* out [n]: variances of the noise that is added */
} cs_noise;

/* The contract of a kernel. Sizes are doubles a lane, NULL: 0; they may depend
 * on `values` (of the parameters, in the order of the rows) of CS_PARAM_FIXED
 * rows only, which never change. The tables at the end are for kernels
 * that do more than move chains one by one. */
typedef struct cs_kernel_type {
    const char *name, *title, *ref, *help;
    unsigned spaces;        /* cs_space_kind bits it can move */
    unsigned flags;         /* CS_KERNEL_... */
    const cs_param *params; /* the numbers; behind them the lists */
    size_t n_params;        /* how many numbers */
    /* How many lists: rows of CS_PARAM_ARRAY, chosen at creation (FIXED), whose
     * `max` says how many numbers one may hold. See cs_self_list. */
    size_t n_lists;
    /* OPTIONAL. Refuses nonsense and sets values that follow from lists;
     * given[n_params + n_lists] are the rows as resolved, `values` the numbers.
     * What it set comes back as given when the kernel is made from its text. */
    cs_status (*arrange)(const cs_value *given, double *values, cs_error *err);
    /* OPTIONAL. Columns that it adds to a draw ("n_leapfrog__"), up to
     * CS_KERNEL_STATS names, NULL at the end: `step` writes info.stat. */
    const char *const *stats;
    /* OPTIONAL. Memory is kept between steps, scratch is not. The first
     * carried_words of the memory belong to the state (a gradient at x): they
     * go with it when chains exchange their states. */
    size_t (*memory_words)(const cs_target *t, const double *values);
    size_t (*carried_words)(const cs_target *t, const double *values);
    size_t (*scratch_words)(const cs_target *t, const double *values);
    /* OPTIONAL. Refuses a target or values it cannot work with. */
    cs_status (*check)(const cs_target *t, const double *values, cs_error *err);
    /* OPTIONAL. Makes of the target what it needs (bounds of its rows), before
     * chains begin, on the owner's thread. Cold. Ask cs_kernel_prepare. */
    cs_status (*prepare)(cs_target *t, const double *values, cs_error *err);
    /* OPTIONAL, of a kernel that draws rows of data at random: how many a step
     * draws in the mean, of a prepared target; NAN: it depends on the state.
     * Cold. */
    double (*expected_rows)(const cs_target *t, const double *values);
    /* REQUIRED. Fills the memory; x and info.logp are set, log p was evaluated
     * as CS_NOW (with CS_KERNEL_SIMULATES the prior, where log p is not known); with CS_KERNEL_EXACT and WEIGHS also info.log_weight; an
     * estimate of log p replaces it. With m->fresh the memory is zero; else what was
     * learned may stay. */
    void (*init)(cs_move *m);
    /* REQUIRED. One step of every lane. */
    void (*step)(cs_move *m);
    /* OPTIONAL. A step without its accept step, for tuners that burn in so. */
    void (*step_unadjusted)(cs_move *m);
    /* OPTIONAL, REQUIRED with CS_KERNEL_ACCEPTS unless the proposal has no
     * density (HMC): out[lanes] = log q(to | from), up to a constant that is
     * independent of both. For tests and `check`: computed from the states
     * alone, not from the memory, with a fresh m->eval. Auxiliary variables
     * stand behind x, from[dim + auxiliary rows][lanes], and the density is
     * that of both, log p(aux | x) + log q(to | from). */
    void (*log_q)(cs_move *m, const double *from, const double *to,
                  double *out);
    /* OPTIONAL. The best mean acceptance in `dim` dimensions; NULL: 0.574, that
     * of one gradient (Roberts and Rosenthal 2001). */
    double (*acceptance)(size_t dim);
    /* OPTIONAL. The tuner of an arm that was given none; and the parameter that
     * says how long a trajectory may be, so that a tuner can try single steps. */
    const char *tuner, *length;
    /* OPTIONAL, with CS_KERNEL_EXACT: false where this target or these values
     * make it biased. Ask cs_kernel_is_exact. */
    bool (*is_exact)(const cs_target *t, const double *values);
    /* OPTIONAL, without CS_KERNEL_REVERSIBLE: true where these values make it
     * reversible. Ask cs_kernel_is_reversible. */
    bool (*is_reversible)(const double *values);
    /* OPTIONAL. What info.logp is with this target and these values (FIXED rows
     * only); NULL: exact. Ask cs_kernel_logp. */
    cs_logp_kind (*logp)(const cs_target *t, const double *values);
    /* OPTIONAL, of a kernel that sets m->why: a reason in words, such as
     * "row 7: 3.2 is above its bound 3". Ask cs_kernel_explain. */
    void (*explain)(const cs_reason *why, char *text, size_t size);
    /* OPTIONAL. What there is to say of the chains of an arm, under keys that
     * start with `prefix`. Of m, logp, uniform and from are NULL. */
    void (*report)(const cs_exchange *m, const char *prefix, cs_flat *out);
    /* OPTIONAL, of a kernel that follows a noisy gradient. Fills what is out;
     * false: not known. */
    bool (*noise)(const cs_noise *at);
    const cs_aux_type *aux;           /* OPTIONAL: has auxiliary variables */
    const cs_exchange_type *exchange; /* OPTIONAL: its chains meet */
    bool wraps;                       /* moves chains by the steps of another
                                         kernel: see kernel/wrapper.h */
    const cs_instance_type *instance; /* OPTIONAL: `self` is more than values */
} cs_kernel_type;

/* ---- auxiliary variables ------------------------------------------------- */

/* A variable that the kernel moves beside x, or learns: rows of move->memory.
 * It is shown beside x, and draws carry it as NAME.1, NAME.2 ... (a single row:
 * NAME). */
typedef struct cs_aux {
    const char *name, *help;
    size_t (*rows)(const cs_target *t, const double *values); /* as sizes are */
    bool unrecorded; /* draws do not carry it */
    /* OPTIONAL, unrecorded only: shown[rows], what is shown in place of the
     * rows memory[row * stride] of one chain. */
    void (*show)(const cs_target *t, const double *values, const double *memory,
                 size_t stride, double *shown);
} cs_aux;

/* In the memory they follow each other: those that draws carry, then, in a
 * wrapper, copies of all of the inner kernel's, then the others. */
struct cs_aux_type {
    const cs_aux *variable; /* draws carry the first of them; NULL name ends */
    /* OPTIONAL. The row of the memory where they begin; NULL: 0. */
    size_t (*first)(const cs_target *t, const double *values);
};

/* ---- exchanges between chains -------------------------------------------- */

/* One of the chains: x[d * stride], memory[w * stride]. */
typedef struct cs_chain_ref {
    const double *x;
    double *memory;
    size_t stride;
} cs_chain_ref;

/* The chains of an arm, all at one step, on the owner's thread. */
struct cs_exchange {
    cs_target *target;    /* an arm that is alone on it may change `learned`,
                             and then counts up `generation` */
    void *self;           /* of the kernel instance */
    const double *values; /* of the kernel's parameters */
    size_t chains;
    uint64_t step;
    const double *logp;       /* [chains] log p of the states */
    const double *uniform;    /* [chains] one each, of the chain's own stream */
    const bool *failed;       /* [chains] leave these alone */
    const cs_chain_ref *lane; /* [chains] their memory may be changed */
    size_t *from;             /* [chains] out: chain c goes on with the state of
                                 chain from[c]; it is c before */
};

/* Replica exchange, weights learned together, a target learned from its
 * chains. */
struct cs_exchange_type {
    /* Steps between exchanges; 0: there is none. */
    uint64_t (*period)(const double *values);
    void (*run)(const cs_exchange *m);
    /* OPTIONAL. So many chains belong together, an arm has a multiple of them,
     * and only the first of each group draws from the target. NULL: 1. */
    size_t (*group)(const double *values);
    /* OPTIONAL. The fewest chains with which an arm reaches all of the target.
     * NULL: 1. */
    size_t (*least)(const cs_target *t);
};

/* ---- lists --------------------------------------------------------------- */

/* What the `self` of a plain kernel is that was given lists, and what that of a
 * wrapper begins with. */
typedef struct cs_lists {
    double *of[CS_KERNEL_LISTS]; /* [own] [n] in the order of their rows */
    size_t n[CS_KERNEL_LISTS];   /* 0: not given */
} cs_lists;

/* ---- instances ----------------------------------------------------------- */

/* The table of a kernel whose `self` holds something else than lists, a function
 * of a script. */
struct cs_instance_type {
    void (*release)(void *self);
    /* OPTIONAL. What it is made of beside its values and lists, in the form of
     * base/parts.h. */
    void (*parts)(const void *self, cs_page *p);
    /* OPTIONAL, with CS_KERNEL_ESTIMATES: whether an auxiliary variable of any
     * step so far has drawn a random number. Without one the ratio is no
     * estimate. NULL: they all draw. On the session's thread. */
    bool (*has_drawn)(const void *self);
};

/* ---- kernels ------------------------------------------------------------- */

/* The choices of a parameter `gradient_precision`: the gradient that guides the
 * proposals of a kernel with an accept step. */
enum { CS_GRADIENT_DOUBLE, CS_GRADIENT_FLOAT, CS_GRADIENT_INT8 };
extern const char
    *const cs_gradient_precision_names[]; /* all; ends with NULL */

/* For `check`: whether the target has a gradient of this precision. */
cs_status cs_kernel_check_precision(const char *kernel, const cs_target *t,
                                    double choice, cs_error *err);

/* A kernel as chosen by a user: a type and values in the order of its rows. */
typedef struct cs_kernel {
    const cs_kernel_type *type;
    double values[CS_KERNEL_PARAMS];
    void *self; /* its lists, if it was given any, or what its instance is
                   [borrowed by copies; released once by its maker] */
} cs_kernel;

/* The registered type called `name` (best instruction set), or NULL; number
 * i, NULL at the end. */
const cs_kernel_type *cs_kernel_find(const char *name);
const cs_kernel_type *cs_kernel_at(size_t i);

/* A kernel of `type` from given values and lists [copied], checked against its
 * rows. Free with cs_kernel_release if its type has lists. */
cs_status cs_kernel_init(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given, cs_error *err);

/* A kernel of `type`, which wraps, around `inner` [its self borrowed]: a type of
 * its own, with the rows of both: numbers and lists of the wrapper before those
 * of the inner one. Free with cs_kernel_release. */
cs_status cs_kernel_wrap(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given,
                         const cs_kernel *inner, cs_error *err);

/* Frees what `self` holds, if anything: once, by whoever made the kernel. */
void cs_kernel_release(const cs_kernel *k);

/* False of a wrapper whose values of CS_PARAM_FIXED rows are not those it was
 * made with: it must be made anew. */
bool cs_kernel_is_as_made(const cs_kernel *k);

/* List i of a kernel, n numbers of it; NULL where it was not given. */
const double *cs_kernel_list(const cs_kernel *k, size_t i, size_t *n);

/* The same of the `self` of a kernel whose type has lists, for its own hooks; of
 * a wrapper's the wrapper's own. */
static inline const double *cs_self_list(const void *self, size_t i, size_t *n)
{
    assert(i < CS_KERNEL_LISTS && n);
    const cs_lists *lists = (const cs_lists *)self;
    *n = lists ? lists->n[i] : 0;
    return *n ? lists->of[i] : NULL;
}

static inline const double *cs_move_list(const cs_move *m, size_t i, size_t *n)
{
    return cs_self_list(m->self, i, n);
}

/* Whether its values are what follows from its lists. (A wrapper's own are
 * chosen at creation; the inner kernel is asked.) */
cs_status cs_kernel_agrees(const cs_kernel *k, cs_error *err);

/* The registered types of "outer(inner)"; false if it is no such name. */
bool cs_kernel_find_wrapper(const char *name, const cs_kernel_type **outer,
                            const cs_kernel_type **inner);

/* Doubles a lane, those of the inner kernel with them. */
size_t cs_kernel_memory_words(const cs_kernel *k, const cs_target *t);
size_t cs_kernel_scratch_words(const cs_kernel *k, const cs_target *t);
size_t cs_kernel_carried_words(const cs_kernel *k, const cs_target *t);

/* How many chains belong together. */
static inline size_t cs_kernel_group(const cs_kernel *k)
{
    const cs_exchange_type *e = k->type->exchange;
    return e && e->group ? e->group(k->values) : 1;
}

/* The fewest chains an arm of it must have. */
static inline size_t cs_kernel_least(const cs_kernel *k, const cs_target *t)
{
    const cs_exchange_type *e = k->type->exchange;
    return e && e->least ? e->least(t) : 1;
}

/* An auxiliary variable of a kernel or of the one it wraps; `first` counts from
 * the first auxiliary row. */
typedef struct cs_aux_rows {
    const cs_aux *variable;
    const double *values; /* of the kernel that it belongs to */
    size_t first, rows;
} cs_aux_rows;

/* Number i of them, in the order of the memory; false at the end. */
bool cs_kernel_aux(const cs_kernel *k, const cs_target *t, size_t i,
                   cs_aux_rows *out);

/* shown[rows] of a variable of one chain, whose first auxiliary row is at
 * memory[0]. */
void cs_kernel_aux_show(const cs_aux_rows *aux, const cs_target *t,
                        const double *memory, size_t stride, double *shown);

/* Their rows in all, and those that draws carry, which are the first. */
size_t cs_kernel_aux_rows(const cs_kernel *k, const cs_target *t);
size_t cs_kernel_aux_recorded(const cs_kernel *k, const cs_target *t);

/* The row of the memory where they begin. */
size_t cs_kernel_aux_first(const cs_kernel *k, const cs_target *t);

/* The name of auxiliary row i: "theta_a.3". */
void cs_kernel_aux_name(const cs_kernel *k, const cs_target *t, size_t i,
                        char *text, size_t size);

/* Whether it leaves `target` invariant with the values it has. */
bool cs_kernel_is_exact(const cs_kernel *k, const cs_target *target);

/* Whether it is reversible with the values it has. */
bool cs_kernel_is_reversible(const cs_kernel *k);

/* What info.logp is while it moves `target`; a wrapper's is exact. */
cs_logp_kind cs_kernel_logp(const cs_kernel *k, const cs_target *target);

/* Readies the target for it, once (again is cheap): what a kernel inside needs,
 * too. Cold, on the owner's thread. */
cs_status cs_kernel_prepare(const cs_kernel *k, cs_target *target,
                            cs_error *err);

/* Rows of data that a step draws in the mean; NAN: it draws none, it is not
 * known, or the target is not prepared. */
double cs_kernel_expected_rows(const cs_kernel *k, const cs_target *target);

/* Why it gave a chain up, in words; "the kernel failed" if it did not say. */
void cs_kernel_explain(const cs_kernel *k, const cs_reason *why, char *text,
                       size_t size);

/* Whether `k` can move `target`: space, gradient, the type's own check. The
 * error names both and what would do instead. */
cs_status cs_kernel_fits(const cs_kernel *k, const cs_target *target,
                         cs_error *err);
