/* A kernel: a Markov move with named parameters, for a block of chains.
 *
 * One call of `step` moves every lane once: it makes a proposal in each lane,
 * evaluates the target for all lanes at once, and accepts or rejects in each
 * lane. A kernel may use only the contents of its cs_move: no globals, no
 * clock, no randomness except move->streams, no evaluation except through
 * move->eval. It allocates nothing. Its state is stored in move->memory, one
 * flat slab of doubles, so that checkpoint, rewind and resume copy the slab. */
#pragma once

#include "base/flat.h"
#include "base/page.h"
#include "base/param.h"
#include "kernel/move.h"

#include <assert.h>

enum {
    CS_KERNEL_PARAMS = 256, /* maximum number of parameters, including those of
                               the inner kernel or of all members: the length
                               of arrays of kernels and plans */
    CS_KERNEL_LISTS = 6     /* maximum number of lists, including the inner
                              kernel's */
};

enum {
    CS_KERNEL_EXACT = 1,        /* the kernel leaves the target invariant (but
                                   see is_exact) */
    CS_KERNEL_REVERSIBLE = 2,   /* the kernel is reversible with respect to the
                                   target */
    CS_KERNEL_GRADIENT = 4,     /* the kernel needs a target with a gradient */
    CS_KERNEL_ACCEPTS = 8,      /* the kernel has an accept step and fills all
                                   of info */
    CS_KERNEL_MAIN_THREAD = 16, /* the kernel steps only on the session's
                                   thread */
    CS_KERNEL_HIDDEN = 32,      /* the kernel cannot be created by name */
    CS_KERNEL_WEIGHS = 64,      /* the kernel writes info.log_weight */
    CS_KERNEL_PARTS = 128,      /* the kernel uses parts of the target (bonds,
                                   rows of data, the target's own draws) and
                                   cannot be tempered */
    CS_KERNEL_SELECTS = 256,    /* with CS_KERNEL_WEIGHS: log weights are 0 or
                                   -HUGE_VAL, so that all draws have equal
                                   weight */
    CS_KERNEL_ESTIMATES = 1024, /* the accept step estimates the ratio: see
                                   info.log_aux */
    CS_KERNEL_CONDITIONAL = 4096, /* the kernel, or one of its members, draws
                                     from a conditional distribution that a
                                     script gives, which has no temperature: it
                                     cannot be wrapped */
    CS_KERNEL_METRIC = 8192, /* on real spaces, the proposals use the metric
                                   m->metric */
    CS_KERNEL_ACCEPT_STAT = 16384, /* the kernel writes info.accept_stat, which
                                      a tuner can use; info describes the
                                      decision completely only with
                                      CS_KERNEL_ACCEPTS */
    CS_KERNEL_UNEVEN = 32768,      /* the number of evaluations per step varies
                                      widely between chains, so blocks are
                                      narrow */
    CS_KERNEL_ENSEMBLE = 65536,    /* the kernel uses the states of the other
                                      chains to move a chain, so chains are not
                                      independent */
    CS_KERNEL_SIMULATES = 2048, /* the kernel does not need log p: for a target
                                   that lacks a factor, the kernel simulates
                                   data */
    CS_KERNEL_SYMMETRIC = 131072, /* log_q is 0 for every pair of states: the
                                     proposal is assumed to be symmetric */
    CS_KERNEL_DECIDES = 512 /* a wrapper that uses log p to accept or reject
                                   the steps of the inner kernel (which must be
                                   reversible). Without this flag the inner
                                   kernel decides, at an inverse temperature.
                                   This is the wrapper's first auxiliary
                                   variable or, if there are no auxiliary
                                   variables, the wrapper's first stat */
};

typedef struct cs_exchange_type cs_exchange_type;
typedef struct cs_instance_type cs_instance_type;
typedef struct cs_map_type cs_map_type;
typedef struct cs_aux_type cs_aux_type;
typedef struct cs_exchange cs_exchange;

/* The spread of one step from the current state, for a kernel that follows a
 * noisy gradient. Covers the first n coordinates. Not performance-critical. */
typedef struct cs_noise {
    const cs_target *target;
    const double *values;     /* values of the parameters at the last step */
    size_t chain;             /* index of the chain in the arm */
    const double *x, *memory; /* state and memory of the chain, as x[d * stride]
                                 and memory[w * stride] */
    size_t stride, n;
    const struct cs_metric *metric; /* metric of the step; NULL: the unit
                                       metric */
    double *gradient; /* output [n][n]: covariance due to the noise of the
                         gradient */
    double *injected; /* output [n]: variances of the added noise */
} cs_noise;

/* The contract of a kernel. Sizes are in doubles per lane; a NULL function
 * means size 0. Sizes may depend on `values` (the parameters, in the order of
 * the rows), but only on CS_PARAM_FIXED rows, which never change. The tables at
 * the end are for kernels that do more than move single chains. */
typedef struct cs_kernel_type {
    const char *name, *title, *ref, *help;
    unsigned spaces;        /* supported spaces, as cs_space_kind bits */
    unsigned flags;         /* flags of the type: CS_KERNEL_... bits */
    const cs_param *params; /* numeric rows, then rows of lists */
    size_t n_params;        /* number of numeric rows */
    /* Number of lists. A list is a row with CS_PARAM_ARRAY that is chosen at
     * creation (CS_PARAM_FIXED); its `max` limits the length of the list. See
     * cs_self_list. */
    size_t n_lists;
    /* OPTIONAL. Rejects invalid values and sets values that follow from lists.
     * given[n_params + n_lists] holds the resolved rows, and `values` holds the
     * numbers. When the kernel is created again from its text, the values that
     * `arrange` has set count as given. */
    cs_status (*arrange)(const cs_value *given, double *values, cs_error *err);
    /* OPTIONAL. Names of the columns that the kernel adds to a draw, such as
     * "n_leapfrog__": up to CS_KERNEL_STATS names, NULL at the end. `step`
     * writes them to info.stat. */
    const char *const *stats;
    /* OPTIONAL. Return the sizes of the memory, which is kept between steps,
     * and of the scratch, which is not kept. The first carried_words words of
     * the memory belong to the state (for example a gradient at x): they move
     * with the state when chains exchange states. */
    size_t (*memory_words)(const cs_target *t, const double *values);
    size_t (*carried_words)(const cs_target *t, const double *values);
    size_t (*scratch_words)(const cs_target *t, const double *values);
    /* OPTIONAL. Rejects a target or values that the kernel does not support. */
    cs_status (*check)(const cs_target *t, const double *values, cs_error *err);
    /* OPTIONAL. Before chains start, prepares the data of the target that the
     * kernel requires (bounds of its rows), on the owner's thread. The function
     * is never called during steps. Callers use cs_kernel_prepare. */
    cs_status (*prepare)(cs_target *t, const double *values, cs_error *err);
    /* OPTIONAL, for a kernel that draws rows of data at random. Returns the
     * mean number of rows per step, for a prepared target; NAN if it depends on
     * the state. The function is never called during steps. */
    double (*expected_rows)(const cs_target *t, const double *values);
    /* OPTIONAL. Fills the memory. x and info.logp are set, and log p was
     * evaluated and cached as CS_NOW (with CS_KERNEL_SIMULATES: the prior, if
     * log p is not known). With CS_KERNEL_EXACT and CS_KERNEL_WEIGHS, `init`
     * also sets info.log_weight; a kernel that estimates log p replaces
     * info.logp by its estimate. If m->fresh is set, the memory is zero;
     * otherwise `init` may keep learned values. */
    void (*init)(cs_move *m);
    /* REQUIRED. Makes one step of every lane. */
    void (*step)(cs_move *m);
    /* OPTIONAL. Makes a step without an accept step, for tuners that use such
     * steps for burn-in. */
    void (*step_unadjusted)(cs_move *m);
    /* OPTIONAL, but REQUIRED with CS_KERNEL_ACCEPTS unless the proposal has no
     * density (as in HMC). Computes out[lanes] = log q(to | from), up to a
     * constant that is independent of both. For tests and the command `check`.
     * The result is computed from the states only, not from the memory, with a
     * fresh m->eval. Auxiliary variables follow x in from[dim + auxiliary
     * rows][lanes], and the density is then the joint density, log p(aux | x) +
     * log q(to | from). */
    void (*log_q)(cs_move *m, const double *from, const double *to,
                  double *out);
    /* OPTIONAL. The best mean acceptance in d dimensions is acceptance +
     * acceptance_of_one / d; 0 means 0.574, the value for a proposal that uses
     * one gradient. For a random walk the best acceptance is 0.44 in one
     * dimension and 0.234 in many dimensions (Roberts and Rosenthal 2001).
     * Callers use cs_kernel_acceptance. */
    double acceptance, acceptance_of_one;
    /* OPTIONAL. The default tuner of an arm, and the parameter that limits the
     * length of a trajectory, which a tuner can set to try single steps. */
    const char *tuner, *length;
    /* OPTIONAL, with CS_KERNEL_EXACT. Returns false if the kernel is biased for
     * this target or these values. Callers use cs_kernel_is_exact. */
    bool (*is_exact)(const cs_target *t, const double *values);
    /* OPTIONAL, for a kernel without CS_KERNEL_REVERSIBLE. Returns true if the
     * kernel is reversible with these values. Callers use
     * cs_kernel_is_reversible. */
    bool (*is_reversible)(const double *values);
    /* OPTIONAL, for a kernel that moves sites. Returns the largest number of
     * sites that differ between two possible states of which one follows the
     * other, with only possible states between them. NULL: any number. */
    size_t (*sites_at_once)(const double *values);
    /* OPTIONAL. Returns the meaning of info.logp for this target and these
     * values (it may use only the values of CS_PARAM_FIXED rows). If `logp` is
     * NULL, info.logp is exact. Callers use cs_kernel_logp. */
    cs_logp_kind (*logp)(const cs_target *t, const double *values);
    /* OPTIONAL, for a kernel that sets m->why. Writes the reason as text, such
     * as "row 7: 3.2 is above its bound 3". Callers use cs_kernel_explain. */
    void (*explain)(const cs_reason *why, char *text, size_t size);
    /* OPTIONAL. Reports on the chains of an arm, under keys that start with
     * `prefix`. The members `logp`, `uniform` and `from` of *m are NULL. */
    void (*report)(const cs_exchange *m, const char *prefix, cs_flat *out);
    /* OPTIONAL, for a kernel that follows a noisy gradient. Fills the output
     * members of *at. Returns false if the noise is not known. */
    bool (*noise)(const cs_noise *at);
    const cs_aux_type *aux;           /* OPTIONAL: auxiliary variables of the
                                         kernel */
    const cs_exchange_type *exchange; /* OPTIONAL: exchanges of states between
                                         chains */
    bool wraps;                       /* true: the kernel moves chains by the
                                         steps of another kernel (see
                                         kernel/wrapper.h) */
    bool composes; /* true: the kernel is made of members (see
                      kernel/composed.h) */
    const cs_instance_type *instance; /* OPTIONAL: set if `self` holds more than
                                         values */
    const cs_map_type *map; /* OPTIONAL: the deterministic part of a step, for
                               the law `returns` */
} cs_kernel_type;

/* ---- auxiliary variables ------------------------------------------------- */

/* A variable that the kernel moves or learns in addition to x: rows of
 * move->memory. The variable is displayed with x, and recorded with draws as
 * NAME.1, NAME.2 ... (as NAME if it has a single row). */
typedef struct cs_aux {
    const char *name, *help;
    size_t (*rows)(const cs_target *t, const double *values); /* returns the
                                                                 number of
                                                                 rows */
    bool unrecorded; /* true: not recorded with the draws */
    /* OPTIONAL, only for unrecorded variables. Fills shown[rows], which is
     * displayed instead of the rows memory[row * stride] of one chain. */
    void (*show)(const cs_target *t, const double *values, const double *memory,
                 size_t stride, double *shown);
} cs_aux;

/* The auxiliary variables of a kernel. Their order in the memory is: recorded
 * variables; in a wrapper, copies of all variables of the inner kernel; then
 * unrecorded variables. */
struct cs_aux_type {
    const cs_aux *variable; /* recorded variables first; ends with a NULL
                               name */
    /* OPTIONAL. Returns the row of the memory where the variables start. If
     * `first` is NULL, they start in row 0. */
    size_t (*first)(const cs_target *t, const double *values);
};

/* ---- exchanges between chains -------------------------------------------- */

/* State and memory of one chain: x[d * stride], memory[w * stride]. */
typedef struct cs_chain_ref {
    const double *x;
    double *memory;
    size_t stride;
} cs_chain_ref;

/* The chains of an arm, all at the same step, on the owner's thread. */
struct cs_exchange {
    cs_target *target;    /* the target. If no other arm uses this target, the
                             exchange may change `learned`; it must then
                             increment `generation` */
    void *self;           /* instance data of the kernel */
    const double *values; /* values of the kernel's parameters */
    size_t chains;
    uint64_t step;
    const double *logp;       /* [chains] log p of the states */
    const double *uniform;    /* [chains] one uniform per chain, from its own
                                 stream */
    const bool *failed;       /* [chains] flags of failed chains, which must not
                                 be changed */
    const cs_chain_ref *lane; /* [chains] states (read only) and memories */
    size_t *from;             /* [chains] output: chain c continues with the
                                 state of chain from[c]; initially from[c] =
                                 c */
};

/* Exchanges between chains: replica exchange, jointly learned weights, a target
 * that is learned from its chains. */
struct cs_exchange_type {
    /* Returns the number of steps between exchanges; 0: no exchanges. */
    uint64_t (*period)(const double *values);
    void (*run)(const cs_exchange *m);
    /* OPTIONAL. Returns the size of a group of chains. The number of chains of
     * an arm is a multiple of this size. Only the first chain of each group
     * draws from the target. If `group` is NULL, the size is 1. */
    size_t (*group)(const double *values);
    /* OPTIONAL. Returns the smallest number of chains with which an arm can
     * reach every state of the target. If `least` is NULL, this number is 1. */
    size_t (*least)(const cs_target *t);
};

/* ---- lists --------------------------------------------------------------- */

/* The `self` of a plain kernel with lists. The `self` of a wrapper starts with
 * this struct. */
typedef struct cs_lists {
    double *of[CS_KERNEL_LISTS]; /* [own] [n] the numbers of each list; lists
                                    are in the order of the rows */
    size_t n[CS_KERNEL_LISTS];   /* length of each list; 0: the list was not
                                    given */
} cs_lists;

/* ---- instances ----------------------------------------------------------- */

/* The table of a kernel whose `self` holds more than lists, such as a Lua
 * function. */
struct cs_instance_type {
    void (*release)(void *self);
    /* OPTIONAL. Writes the parts of the kernel's provenance that the values and
     * lists do not cover, in the form of data/parts.h. */
    void (*parts)(const void *self, cs_page *p);
    /* OPTIONAL, with CS_KERNEL_ESTIMATES. Returns true if a random number for
     * an auxiliary variable was drawn in any step so far; otherwise the ratio
     * is not an estimate. If `has_drawn` is NULL, such a number is drawn in
     * every step. Called on the session's thread. */
    bool (*has_drawn)(const void *self);
};

/* ---- deterministic maps -------------------------------------------------- */

/* The map of a kernel that draws a variable v (such as a momentum) at its state
 * x and proposes the y of (y, w) = map(x, v). With v -> -v after it, the map
 * must be its own inverse, and it must preserve volumes (Neal, "MCMC using
 * Hamiltonian dynamics", 2011, section 3.1). z[dim + n] holds x[dim] and
 * v[n]. Both functions count as work of m->eval. */
struct cs_map_type {
    /* Draws v[n] of one lane at its state, with the streams of m. Returns n;
     * 0 if the draw failed or n is larger than `capacity`. */
    size_t (*draw)(cs_move *m, size_t lane, double *v, size_t capacity);
    /* Computes to[dim + n] = map(z[dim + n]). Returns false if the map
     * failed. */
    bool (*apply)(cs_move *m, size_t lane, const double *z, size_t n,
                  double *to);
};

/* ---- kernels ------------------------------------------------------------- */

/* Choices of the parameter `gradient_precision`: the precision of the gradient
 * that guides the proposals of a kernel with an accept step. */
enum { CS_GRADIENT_DOUBLE, CS_GRADIENT_FLOAT };
extern const char
    *const cs_gradient_precision_names[]; /* names of the choices; ends with
                                             NULL */

/* Implements a part of `check`: checks that the target has a gradient of this
 * precision. */
cs_status cs_kernel_check_precision(const char *kernel, const cs_target *t,
                                    double choice, cs_error *err);

/* A kernel as a user chose it: a type, and values in the order of its rows. */
typedef struct cs_kernel {
    const cs_kernel_type *type;
    double values[CS_KERNEL_PARAMS];
    void *self; /* lists or instance, if any [borrowed by copies; released once,
                   by the creator] */
} cs_kernel;

/* Returns the number of columns that a kernel of this type adds to a draw. */
size_t cs_kernel_count_stats(const cs_kernel_type *type);

/* cs_kernel_find returns the registered type called `name` (for the best
 * instruction set), or NULL. cs_kernel_at returns type number i, or NULL at the
 * end. */
const cs_kernel_type *cs_kernel_find(const char *name);
const cs_kernel_type *cs_kernel_at(size_t i);

/* Creates a kernel of `type` from given values and lists [copied], which are
 * checked against the rows. If its type has lists, free the kernel with
 * cs_kernel_release. */
cs_status cs_kernel_init(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given, cs_error *err);

/* Creates a kernel of the wrapper `type` around `inner` [its `self` is
 * borrowed]. The new kernel has a type of its own, with the rows of both
 * kernels. The numbers and lists of the wrapper come first, and then the
 * numbers and lists of the inner kernel. Free the kernel with
 * cs_kernel_release. */
cs_status cs_kernel_wrap(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given,
                         const cs_kernel *inner, cs_error *err);

/* Frees the contents of `self`, if any. Called once, by the creator of the
 * kernel. */
void cs_kernel_release(const cs_kernel *k);

/* Returns false for a wrapper or a composed kernel whose CS_PARAM_FIXED values
 * have changed since its creation: it must be created again. */
bool cs_kernel_is_as_made(const cs_kernel *k);

/* Returns list number i of a kernel and its length n; NULL if the list was not
 * given. */
const double *cs_kernel_list(const cs_kernel *k, size_t i, size_t *n);

/* Returns list number i and its length, given the `self` of a kernel with
 * lists; for the kernel's own functions. For a wrapper, returns the wrapper's
 * own list. */
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

/* Checks that the values of a kernel agree with its lists. (A wrapper's own
 * values are fixed at creation, so only the inner kernel is checked.) */
cs_status cs_kernel_agrees(const cs_kernel *k, cs_error *err);

/* Finds the registered types named by "outer(inner)". Returns false if the name
 * has another form or is unknown. */
bool cs_kernel_find_wrapper(const char *name, const cs_kernel_type **outer,
                            const cs_kernel_type **inner);

/* Returns the number of cs_ahead of a block with a single chain: each member of
 * a composed kernel has its own, because members draw by turns. */
size_t cs_kernel_count_ahead(const cs_kernel *k);

/* Return the sizes of the memory and of the scratch in doubles per lane,
 * including the inner kernel's. */
size_t cs_kernel_memory_words(const cs_kernel *k, const cs_target *t);
size_t cs_kernel_scratch_words(const cs_kernel *k, const cs_target *t);
size_t cs_kernel_carried_words(const cs_kernel *k, const cs_target *t);

/* Returns the number of chains in a group. */
static inline size_t cs_kernel_group(const cs_kernel *k)
{
    const cs_exchange_type *e = k->type->exchange;
    return e && e->group ? e->group(k->values) : 1;
}

/* Returns the smallest number of chains that an arm may have. */
static inline size_t cs_kernel_least(const cs_kernel *k, const cs_target *t)
{
    const cs_exchange_type *e = k->type->exchange;
    return e && e->least ? e->least(t) : 1;
}

/* An auxiliary variable of a kernel or of its inner kernel. `first` is the
 * first row of the variable, counted from the first auxiliary row. */
typedef struct cs_aux_rows {
    const cs_aux *variable;
    const double *values; /* values of the kernel that owns the variable */
    size_t first, rows;
} cs_aux_rows;

/* Finds auxiliary variable number i, in the order of the memory. Returns false
 * if there is no such variable. */
bool cs_kernel_aux(const cs_kernel *k, const cs_target *t, size_t i,
                   cs_aux_rows *out);

/* Fills shown[rows] for a variable of one chain. memory[0] is the first
 * auxiliary row of this chain. */
void cs_kernel_aux_show(const cs_aux_rows *aux, const cs_target *t,
                        const double *memory, size_t stride, double *shown);

/* cs_kernel_aux_rows returns the number of all auxiliary rows.
 * cs_kernel_aux_recorded returns the number of recorded rows, which come
 * first. */
size_t cs_kernel_aux_rows(const cs_kernel *k, const cs_target *t);
size_t cs_kernel_aux_recorded(const cs_kernel *k, const cs_target *t);

/* Returns the row of the memory where the auxiliary rows start. */
size_t cs_kernel_aux_first(const cs_kernel *k, const cs_target *t);

/* Writes the name of auxiliary row i, such as "theta_a.3". */
void cs_kernel_aux_name(const cs_kernel *k, const cs_target *t, size_t i,
                        char *text, size_t size);

/* Returns the optimal mean acceptance in `dim` dimensions. */
double cs_kernel_acceptance(const cs_kernel_type *type, size_t dim);

/* Returns whether the kernel, with its current values, leaves `target`
 * invariant. */
bool cs_kernel_is_exact(const cs_kernel *k, const cs_target *target);

/* Returns whether the kernel, with its current values, is reversible. */
bool cs_kernel_is_reversible(const cs_kernel *k);

/* Returns the meaning of info.logp when the kernel moves `target`; for a
 * wrapper, info.logp is exact. */
cs_logp_kind cs_kernel_logp(const cs_kernel *k, const cs_target *target);

/* Prepares the target for the kernel and its inner kernel; repeated calls are
 * cheap. Call on the owner's thread, and not during steps. */
cs_status cs_kernel_prepare(const cs_kernel *k, cs_target *target,
                            cs_error *err);

/* Returns the mean number of rows of data per step. NAN: the kernel draws no
 * rows, the number is not known, or the target is not prepared. */
double cs_kernel_expected_rows(const cs_kernel *k, const cs_target *target);

/* Fills text[size] with the reason why a chain failed, or with "the kernel
 * failed" if no reason was given. */
void cs_kernel_explain(const cs_kernel *k, const cs_reason *why, char *text,
                       size_t size);

/* Checks that `k` can move `target`: tests the space and the gradient and calls
 * the `check` of the type. Binds a composed kernel to the target. The error
 * names the kernel and the target, and suggests alternatives. */
cs_status cs_kernel_fits(const cs_kernel *k, cs_target *target, cs_error *err);
