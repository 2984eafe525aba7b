/* The `self` of a composed kernel: a kernel made of several kernels, its
 * members, each of which moves a part of the state of one target. Created by
 * cs_kernel_cycle and cs_kernel_mixture. A member may be composed itself.
 *
 * A step of a cycle is one step of each member in order, or `times` steps. A
 * step of a mixture is a step (or `times` steps) of one member, which is chosen
 * at random with the weights of the members. The choice depends on the seed and
 * the step only, so that all chains of an arm choose the same member; each
 * chain by itself is a mixture, because the choice does not depend on its
 * state. A member sees a window of the target, whose other coordinates are
 * those of the present state. It has its own rows, random numbers and memory,
 * and its own step number.
 *
 * A kernel is created without a target, and bound to one before its first step
 * (cs_composed_bind, which cs_kernel_fits calls): the members then have windows
 * and the kernel has a size. It stays bound to that target.
 *
 * Parameters, lists and stats: those of each member in order, with the names
 * MEMBER.NAME, for stats MEMBER__NAME (cs_member_stat_name). If a member has the stat divergent__, the first stat has this
 * name too: 1 if a member has diverged in the step. Memory: one row per member,
 * `stale`; the number of steps of the whole; the counters of each member
 * (CS_MEMBER_STEPS ...); for each member that sums out coordinates, log sum_z
 * p(x, z) of the state, or HUGE_VAL if it is not known; then the memory of each
 * member. A lane of a member is
 * stale if another member has moved the lane since the member's last step; the
 * member's `init` is then called for that lane before its next step. (For a
 * composed member its own members are marked instead.) Scratch: the layout is
 * that of cs_composed_scratch.
 *
 * A member may sum out discrete coordinates z that are independent given all
 * others x (tape/sites/sum_out.h). Its kernel then moves some of x by sum_z p(x, z),
 * and z is drawn from p(z | x) at the end of the member's turn, which as a whole
 * keeps p(x, z) (Liu, The collapsed Gibbs sampler in Bayesian computations with
 * applications to a gene regulation problem, 1994). A sum of
 * densities at another temperature differs from a power of the sum, so such a
 * kernel cannot be wrapped. */
#pragma once

#include "kernel/members.h"
#include "kernel/metric.h"
#include "tape/sites/sum_out.h"

#include <stdatomic.h>

enum { CS_MEMBER_NAME = 24, CS_MEMBER_ON = 64 };

/* Counters of a member, [lanes] each; those of a composed member remain 0. They
 * count draws: cs_composed_forget sets them to 0 at the end of a warm-up. */
enum {
    CS_MEMBER_STEPS,         /* steps of the member */
    CS_MEMBER_ACCEPTED,      /* accepted steps; for a kernel that reports
                           accept_stat, the sum of accept_stat */
    CS_MEMBER_MOVED,         /* steps that changed the state */
    CS_MEMBER_LOG_DENSITIES, /* this and the next two rows: work of all lanes of
                                a block, stored in its first lane */
    CS_MEMBER_GRADIENTS,
    CS_MEMBER_SITES,
    CS_MEMBER_ROWS
};

/* Wall time of a member is measured in one of this many steps. */
enum { CS_MEMBER_TIMED = 16 };

typedef struct cs_member {
    cs_kernel kernel;  /* with its values at creation [`self` borrowed] */
    cs_target *target; /* a window, or the whole target; NULL: not bound
                          [held] */
    char name[CS_MEMBER_NAME];
    char (*on)[CS_MEMBER_ON]; /* [n_on] names of the parameters or coordinates
                                 that it moves [own] */
    size_t n_on;
    uint32_t *coordinate; /* [n] the coordinates that it moves, in ascending
                             order; n is 0 if they are given by names or by the
                             members of a composed member, and not bound
                             [own] */
    size_t n;
    size_t first_param, first_list,
        first_stat;    /* first row among those of the whole */
    size_t memory;     /* first word of its memory */
    uint64_t times;    /* steps per step of the whole */
    cs_metric *metric; /* of its coordinates; NULL: the unit metric [held] */
    double weight;     /* of a mixture: the probability of the member */
    cs_key mix;        /* key that is combined by exclusive or with the block's
                          keys */
    int divergent;  /* index of divergent__ among its stats; -1: it has none */
    size_t ahead;   /* its index among the cs_ahead of the kernel */
    bool remembers; /* its memory depends on the state */
    bool binds;     /* it is composed, and was bound together with the whole */
    struct cs_member *sums; /* the coordinates that the member sums out, as a
                               member without a kernel; NULL: none [own] */
    cs_sum_out *sum_out;    /* draws these coordinates [own, unless `owner` is
                               another member] */
    size_t owner;           /* index of the first member that sums out the same
                               coordinates */
    atomic_ullong *time;    /* nanoseconds of the steps that were timed, of all
                            blocks; no result depends on them [own] */
} cs_member;

typedef struct cs_composed {
    cs_lists lists;      /* empty; must be the first member, as in cs_wrapper */
    cs_kernel_type type; /* the type with the rows of all members */
    cs_target *whole;    /* the target whose parts the members move; NULL: not
                            bound [held] */
    cs_member *member;   /* [n] [own] */
    size_t n;
    uint32_t *held; /* [n_held] coordinates that no member has to move [own] */
    size_t n_held;
    bool mixture;
    bool sums;       /* a member, or a member of one, sums out coordinates */
    size_t n_sums;   /* number of members that sum out coordinates */
    size_t n_ahead;  /* number of cs_ahead: one for the kernel itself, and those
                       of all members */
    bool covers;     /* true once cs_composed_covers has succeeded */
    unsigned height; /* 1: no member is composed; otherwise one more than the
                           largest height of a member */
    cs_param *rows;  /* [type.n_params + type.n_lists] [own] */
    char (*names)[64];     /* [type.n_params + type.n_lists + n_stats] names of
                           rows and stats [own] */
    const char **stats;    /* [n_stats + 1] ends with NULL [own] */
    size_t n_stats, n_own; /* n_own: stats of its own, which come first */
    double values[CS_KERNEL_PARAMS]; /* values at creation */
    size_t x_rows, memory_rows, eval_rows,
        kernel_rows; /* sizes in the scratch: the largest of all members */
    char kind[64], title[128];
} cs_composed;

/* A member that is to be created. */
typedef struct cs_member_spec {
    const char *name;           /* unique among the members */
    const cs_kernel *kernel;    /* its `self` must outlive the new kernel
                                   [borrowed] */
    const uint32_t *coordinate; /* [n] the coordinates that it moves, in
                                   ascending order [copied] */
    size_t n;
    const char *const *on; /* [n_on] names of parameters or coordinates, if n is
                              0 [copied]. A composed member has neither: it
                              moves the coordinates of its members */
    size_t n_on;
    uint64_t times;    /* 1 or more */
    double weight;     /* of a mixture: positive and finite */
    cs_metric *metric; /* metric of the member's coordinates, or NULL [held] */
    /* The discrete coordinates that the member sums out, as a member without a
     * kernel; NULL: none [copied] */
    const struct cs_member_spec *sums;
} cs_member_spec;

/* Create the kernel that makes a step of each of the n members in order, and
 * the kernel that makes a step of one of them. If `whole` is not NULL, the
 * kernel is bound to it. Fail with CS_UNSUPPORTED, and name the member, if a
 * kernel cannot move a part of a state, or not this part; with CS_INPUT if the
 * names or weights are invalid. Free the kernel with cs_kernel_release.
 * Cold. */
cs_status cs_kernel_cycle(cs_kernel *k, cs_target *whole,
                          const cs_member_spec *spec, size_t n, cs_error *err);
cs_status cs_kernel_mixture(cs_kernel *k, cs_target *whole,
                            const cs_member_spec *spec, size_t n,
                            cs_error *err);

/* Binds a kernel to a target: finds the coordinates of each member and creates
 * its window. Does nothing if the kernel is bound to this target; fails if it
 * is bound to another. Cold. */
cs_status cs_composed_bind(cs_composed *c, cs_target *whole, cs_error *err);

/* Lets n coordinates keep their values: no member has to move them. Called
 * once, before the kernel is bound. Fails with CS_MEMORY. Cold. */
cs_status cs_composed_hold(cs_composed *c, const uint32_t *coordinate, size_t n,
                           cs_error *err);

/* Writes the name of a member's stat, which is the name of a column of the
 * draws, to name[size]. `path` has the names of the members that lead to it, each
 * with a dot; empty for the whole kernel. Dots become "__" because programs that
 * read CmdStan's files expect only indices after a dot. */
void cs_member_stat_name(const char *path, const char *stat, char *name,
                         size_t size);

/* Fails with CS_INPUT, and names a coordinate, if no member of a bound kernel
 * moves it and it is not held. Once it has succeeded it allocates nothing.
 * Cold. */
cs_status cs_composed_covers(cs_composed *c, cs_error *err);

/* Gives a member that is not bound the coordinates that are marked in
 * moved[dim], at least one. */
cs_status cs_member_place(cs_member *q, const bool *moved, size_t dim,
                          cs_error *err);

/* Returns the data of a composed kernel; NULL: the kernel is not composed. */
static inline const cs_composed *cs_composed_of(const cs_kernel *k)
{
    return k->type->composes ? k->self : NULL;
}

/* Returns the kernel of member i, with its share of the current values. */
cs_kernel cs_kernel_member(const cs_kernel *k, size_t i);

/* Returns list number i of a composed kernel and its length n, as
 * cs_kernel_list does. */
const double *cs_composed_list(const cs_composed *c, size_t i, size_t *n);

/* Returns the streams of a member at its step number `turn` (from 0) within a
 * step of the whole. */
cs_streams cs_member_streams(const cs_member *q, const cs_streams *whole,
                             uint64_t turn);

/* Returns the index of the member that a mixture chooses at a step. */
size_t cs_mixture_choice(const cs_composed *c, const cs_streams *whole);

/* Return the sizes of the memory and of the scratch of a bound kernel, in
 * doubles per lane. */
size_t cs_composed_memory(const cs_composed *c);
size_t cs_composed_scratch(const cs_composed *c);

/* Returns the first row of the counters of member i of c in its memory. The row
 * before those of member 0 counts the steps of the whole. */
static inline size_t cs_member_counters(const cs_composed *c, size_t i)
{
    return c->n + 1 + i * CS_MEMBER_ROWS;
}

/* Returns the row of the memory with the log density of member i, which sums out
 * coordinates; members that sum out the same ones share it. */
static inline size_t cs_member_sum(const cs_composed *c, size_t i)
{
    size_t row = cs_member_counters(c, c->n);
    for (size_t k = 0; k < c->member[i].owner; k++)
        row += c->member[k].sums != NULL;
    return row;
}

/* Sets the counters of all members to 0; memory[w * lanes + lane] is the memory
 * of a block. Defined in kernel/composed_report.c, as is the report:
 * PREFIXmembers has a row of numbers per member that is not composed.
 * PREFIXmember/I/name is its name, as a path in the tree, /kernel its kernel,
 * /moves the names of the coordinates that it moves, and /aim the acceptance at
 * which a kernel with a step size works best. PREFIXmoved_by[dim] has the member
 * that moves each coordinate, or CS_MOVED_BY_NONE or CS_MOVED_BY_SEVERAL. */
void cs_composed_forget(const cs_composed *c, double *memory, size_t lanes);
void cs_composed_report(const cs_exchange *m, const char *prefix, cs_flat *out);

/* Finds the member that has parameter number `row` of c. Returns the first row
 * of its counters in the memory of c. */
size_t cs_composed_owner(const cs_composed *c, size_t row);

enum { CS_MOVED_BY_SEVERAL = -1, CS_MOVED_BY_NONE = -2 };

/* Columns of the report: acceptance, share of the steps that moved, steps and
 * work per step of the whole and chain, and share of the time (NAN: none was
 * measured). */
enum {
    CS_MEMBER_OF_ACCEPTANCE,
    CS_MEMBER_OF_MOVED,
    CS_MEMBER_OF_STEPS,
    CS_MEMBER_OF_LOG_DENSITIES,
    CS_MEMBER_OF_GRADIENTS,
    CS_MEMBER_OF_SITES,
    CS_MEMBER_OF_TIME,
    CS_MEMBER_COLUMNS
};

/* Names of the kinds of work, in the order of their columns from
 * CS_MEMBER_OF_LOG_DENSITIES on: for one and for several evaluations. */
enum { CS_MEMBER_WORKS = 3 };
extern const char *const cs_member_work[CS_MEMBER_WORKS][2];

/* The code for a member whose summed-out coordinates cannot be drawn; it is
 * larger than the codes of kernels. The row and the value of the reason are those
 * of a cs_sum_fault. */
enum { CS_REASON_SUMMED = 1 << 16 };

/* Writes why a member made a chain fail. The code of the reason is that of the
 * member's kernel, or CS_REASON_SUMMED, times the number of members plus the
 * index of the member. */
void cs_composed_explain(const cs_composed *c, const cs_reason *why, char *text,
                         size_t size);

/* The functions of a composed kernel. Defined in kernel/composed_step.c. */
void cs_composed_init(cs_move *m);
void cs_composed_step(cs_move *m);

/* Makes the steps of one member only, which may be a member of a member. For
 * tests: info describes the last step of the whole. */
void cs_composed_turn(cs_move *m, const cs_member *member);
