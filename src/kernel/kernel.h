/* A kernel: a Markov move with named parameters, for a block of chains.
 *
 * One call of `step` moves every lane once: propose for all, ask the target
 * once for all, accept for each. A kernel may use only what stands in its
 * cs_move: no globals, no clock, no other source of randomness than
 * move->streams, no evaluation except through move->eval. It allocates
 * nothing. What it must remember lives in move->memory, one flat slab of
 * doubles, so that copying the slab is checkpoint, rewind and resume. */
#ifndef CS_KERNEL_KERNEL_H
#define CS_KERNEL_KERNEL_H

#include "base/flat.h"
#include "base/page.h"
#include "base/param.h"
#include "rng/stream.h"
#include "target/eval.h"

#include <stdbool.h>

enum {
    CS_KERNEL_PARAMS = 16,
    CS_KERNEL_STATS = 6,
    CS_KERNEL_LISTS = 2, /* of a kernel, */
    CS_KERNEL_LIST = 256 /* and numbers of one */
};

enum {
    CS_KERNEL_EXACT = 1,        /* leaves the target invariant */
    CS_KERNEL_REVERSIBLE = 2,   /* ... and is reversible */
    CS_KERNEL_GRADIENT = 4,     /* needs a target with a gradient */
    CS_KERNEL_ACCEPTS = 8,      /* has an accept step: info is complete */
    CS_KERNEL_MAIN_THREAD = 16, /* step only on the session's thread */
    CS_KERNEL_HIDDEN = 32,      /* made by other means than its name */
    CS_KERNEL_WRAPPER = 64,     /* wraps another: cs_kernel_wrap */
    CS_KERNEL_WEIGHS = 128,     /* writes info.weight */
    CS_KERNEL_PARTS = 256       /* asks for parts of the target (bonds, rows of
                                   data, draws of its own): not to be tempered */
};

/* The parts of the last step, one entry a lane [lanes]. Where a kernel has no
 * accept step, log_q and log_ratio are 0 and accepted is true. In nats. */
typedef struct cs_info {
    double *logp;          /* log p of the state after the step: always kept */
    double *logp_proposal; /* log p of the proposal */
    double *
        logp_change; /* log p(proposal) - log p(state before), times the inverse
                               temperature of a tempered chain */
    double *log_q_forward; /* log q(proposal | state), up to a constant that
                              is the same in both directions */
    double *log_q_back;    /* log q(state | proposal) */
    double *log_ratio;     /* logp_change + log_q_back - log_q_forward; NaN also
                               where a kernel without accept step met log p = NaN */
    double *log_uniform;   /* the log uniform that was compared with it */
    const double *proposal; /* [dim][lanes], live lanes only; NULL if the
                              kernel has none */
    const double
        *aux_proposal; /* [auxiliary rows][lanes] the same for the kernel's
                                   auxiliary variables, NULL if it has none */
    double *stat;      /* [CS_KERNEL_STATS][lanes] the type's `stats`, else 0 */
    double *weight; /* what the state counts for in estimates, 0: it is no draw
                       of the target; NULL: 1 everywhere (CS_KERNEL_WEIGHS) */
    bool *accepted;
    bool *moved; /* the state differs from the one before */
} cs_info;

/* What a kernel sees of one block during one step. */
typedef struct cs_move {
    cs_eval *eval;
    const cs_space *space;
    size_t dim, lanes, live;
    cs_streams streams;  /* streams.step is the number of this step, from 1 */
    double *x;           /* [dim][lanes] the states; the kernel moves them */
    double *memory;      /* [memory_words][lanes] kept between steps */
    double *scratch;     /* [scratch_words][lanes] contents do not survive */
    const double *param; /* [n_params][lanes], in the order of the rows: a
                             parameter may differ from chain to chain unless
                             its row is CS_PARAM_SHARED */
    cs_info info;
    bool *failed; /* [lanes] set where the state is impossible, or log p of a
                             proposal HUGE_VAL; the chain stays where it was and
                             is stepped no more. A proposal with log p = NaN is
                             refused */
    bool fresh;   /* of init: the memory is zero */
    /* Of a chain alone that makes many steps at once. Between them nobody
     * changes x or the scratch: `packed_valid`, that what lies close there does so
     * from the last step on. And nobody looks at them before the last, or says
     * so: till then the state is at `packed_x` [dim], if that
     * is set, and `packed_proposal` [dim] is to be written to where info.proposal is,
     * the first rows of the scratch. */
    bool multi_step, packed_valid;
    const double *packed_x, *packed_proposal;
    void *self; /* of the kernel instance (a Lua function ...) */
} cs_move;

/* A chain in an exchange: x[d * stride], memory[w * stride]. */
typedef struct cs_chain_ref {
    const double *x;
    double *memory;
    size_t stride;
} cs_chain_ref;

/* The chains of an arm, all at one step, on the owner's thread. */
typedef struct cs_exchange {
    cs_target *target;    /* whose `learned` an arm that is alone on it may
                             change, counting up `generation` */
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
} cs_exchange;

/* An auxiliary variable: one of the kernel that is part of the state it moves (an
 * auxiliary variable, weights it has learned): rows of move->memory, from row
 * own_first on, one variable after the other. It is shown beside x, and draws carry it
 * as NAME.1, NAME.2 ... (a single row: NAME). */
typedef struct cs_aux {
    const char *name, *help;
    size_t (*rows)(const cs_target *t, const double *values);
} cs_aux;

typedef struct cs_kernel_type {
    const char *name, *title, *ref, *help;
    unsigned spaces; /* cs_space_kind bits it can move */
    unsigned flags;
    const cs_param *params; /* numbers, then lists */
    size_t n_params;        /* the numbers */
    /* OPTIONAL, of a kernel that wraps another. Lists of numbers (rows of
     * CS_PARAM_ARRAY) behind the numbers, chosen at creation: cs_kernel_list.
     * `arrange` refuses nonsense and lets values follow from lists;
     * given[n_params + n_lists] are its own ones, as resolved. */
    size_t n_lists;
    cs_status (*arrange)(const cs_value *given, double *values, cs_error *err);
    /* Set by cs_kernel_wrap alone: the kernel that this one wraps. Its
     * rows, values and stats follow this one's own; its memory lies before, its
     * scratch (and room for its memory once more) behind what this one's
     * functions ask for. Where both have auxiliary variables it copies the inner
     * kernel's behind its own after each step, for which there is as much
     * memory again. */
    const struct cs_kernel_type *inner;
    /* OPTIONAL. The mean acceptance at which it goes best in `dim` dimensions;
     * NULL: 0.574, that of one gradient (Roberts and Rosenthal 2001). */
    double (*acceptance)(size_t dim);
    /* OPTIONAL. What a draw carries beside log p and x, up to CS_KERNEL_STATS
     * names of columns, NULL at the end ("weight__", "n_leapfrog__"): `step`
     * writes them to info.stat. */
    const char *const *stats;
    /* OPTIONAL. Variables of its own, name NULL at the end. How many rows they
     * have may depend on values of CS_PARAM_FIXED rows only. */
    const cs_aux *aux;
    size_t (*aux_first)(const cs_target *t); /* NULL: 0 */

    /* OPTIONAL, NULL: none. Doubles per lane. */
    size_t (*memory_words)(const cs_target *t);
    size_t (*scratch_words)(const cs_target *t);
    /* OPTIONAL. Refuses a target or values it cannot work with. */
    cs_status (*check)(const cs_target *t, const double *values, cs_error *err);
    /* REQUIRED. x and info.logp are set (log p evaluated NOW): fill the memory (a
     * gradient at x, say). With m->fresh it is zero; without, x was replaced
     * or the target has changed, and what was learned may stay. */
    void (*init)(cs_move *m);
    /* REQUIRED. One step of every lane. */
    void (*step)(cs_move *m);
    /* OPTIONAL. The same without its accept step, where a tuner burns in. */
    void (*follow)(cs_move *m);
    /* OPTIONAL, REQUIRED with CS_KERNEL_ACCEPTS unless the proposal has no
     * density of its own (HMC): out[lanes] = log q(to | from), normalised or
     * up to a constant independent of both states. For tests and `check`;
     * must be computed from x alone, not from the memory, by a evaluator of its
     * own (m->eval is a fresh one here). A kernel with auxiliary variables
     * finds them behind x, from[dim + auxiliary rows][lanes], and returns the density
     * of auxiliary variables and move together, log p(own | x) + log q(to | from). */
    void (*log_q)(cs_move *m, const double *from, const double *to,
                  double *out);
    /* OPTIONAL, together. Every period(values) steps the chains of an arm
     * meet: replica exchange, weights learned together, a target learned from
     * its chains. The first carried_words (OPTIONAL) of a chain's memory go
     * with its state (a gradient at x), the rest stays (a temperature). */
    uint64_t (*period)(const double *values);
    void (*exchange)(const cs_exchange *m);
    size_t (*carried_words)(const cs_target *t);
    /* OPTIONAL. So many chains belong together: an arm has a multiple of them.
     * The first of each group draws from the target, the others serve it. */
    size_t (*group)(const double *values);
    /* OPTIONAL, of a kernel whose chains meet: what it has to say of the chains
     * of an arm (u, uniform, failed, from are NULL), under keys that start with
     * `prefix`. */
    void (*report)(const cs_exchange *m, const char *prefix, cs_flat *out);
    void (*release)(void *self); /* OPTIONAL */
    /* OPTIONAL. What an instance is made of beside its values and lists, as
     * base/parts.h has it: a function of a script. */
    void (*parts)(const void *self, cs_page *p);
} cs_kernel_type;

/* The choices of a parameter `force`: which gradient steers the proposals of a
 * kernel with an accept step. */
enum { CS_GRADIENT_DOUBLE, CS_GRADIENT_FLOAT, CS_GRADIENT_INT8 };
extern const char
    *const cs_gradient_precision_names[]; /* all; ends with NULL */

/* For `check`: whether the target has the force of this choice. */
cs_status cs_kernel_check_precision(const char *kernel, const cs_target *t,
                                    double choice, cs_error *err);

/* A kernel as chosen by a user: a type and values in the order of its rows. */
typedef struct cs_kernel {
    const cs_kernel_type *type;
    double values[CS_KERNEL_PARAMS];
    void *self; /* [borrowed by copies; released once by its maker] */
} cs_kernel;

/* The registered type called `name` (best instruction set), or NULL; number
 * i, NULL at the end. */
const cs_kernel_type *cs_kernel_find(const char *name);
const cs_kernel_type *cs_kernel_at(size_t i);

/* A kernel of `type` from given values, checked against its rows. */
cs_status cs_kernel_init(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given, cs_error *err);

/* A kernel of `type`, which is CS_KERNEL_WRAPPER, around `inner` [its self
 * borrowed]: a type of its own, with the rows of both. Free with
 * type->release(self). */
cs_status cs_kernel_wrap(cs_kernel *k, const cs_kernel_type *type,
                         const cs_value *given, size_t n_given,
                         const cs_kernel *inner, cs_error *err);

/* List i of a kernel, n numbers of it; NULL where it was not given. */
const double *cs_kernel_list(const cs_kernel *k, size_t i, size_t *n);

/* The registered types of "outer(inner)"; false if it is no such name. */
bool cs_kernel_find_wrapper(const char *name, const cs_kernel_type **outer,
                            const cs_kernel_type **inner);

/* Doubles per lane, those of the inner kernel with them. */
size_t cs_kernel_memory_words(const cs_kernel_type *type, const cs_target *t);
size_t cs_kernel_scratch_words(const cs_kernel_type *type, const cs_target *t);
size_t cs_kernel_carried_words(const cs_kernel_type *type, const cs_target *t);

/* How many chains belong together. */
static inline size_t cs_kernel_group(const cs_kernel *k)
{
    return k->type->group ? k->type->group(k->values) : 1;
}

/* The rows that the kernel's auxiliary variables take in all. */
size_t cs_kernel_aux_rows(const cs_kernel *k, const cs_target *target);

/* Where they begin in the memory. */
size_t cs_kernel_aux_first(const cs_kernel *k, const cs_target *target);

/* The name of auxiliary row i: "theta_a.3". */
void cs_kernel_aux_name(const cs_kernel *k, const cs_target *target, size_t i,
                        char *text, size_t size);

/* Whether `k` can move `target`: space, gradient, the type's own check. The
 * error names both and what would do instead. */
cs_status cs_kernel_fits(const cs_kernel *k, const cs_target *target,
                         cs_error *err);

#endif
