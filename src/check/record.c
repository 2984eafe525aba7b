/* Checks the values that an arm's kernel reports for its steps: log p of the
 * states, and whether they moved. For a kernel with an accept step, every ratio
 * is recomputed from log p and the kernel's own log_q, as functions of the
 * states. The proposal term is not recomputed, but taken as reported, if the
 * proposal has no density (the end of a trajectory) or depends on the rows of
 * data that were drawn. The estimate in an estimated ratio (info.log_aux) is
 * also taken as reported: the log prior then replaces log p, and the error of
 * the estimate is reported. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"
#include "kernel/rule.h"
#include "kernel/wrapper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LANES = CS_CHECK_LANES,
    STEPS = 60,
    COMPARED = 20000000 /* approximate limit on the number of data terms that
                         * are evaluated to compare estimates with exact
                         * ratios */
};

/* The step under test and its recomputed quantities. b is the block under test;
 * `fresh` is a second block that only evaluates; x and y are the states before
 * a step and the proposals, [dim + auxiliary rows][lanes]. */
typedef struct reference {
    cs_block *b, *fresh;
    size_t aux;
    double *x, *y;
    double *logp, *v, *there, *back, *now; /* [lanes] recomputed log densities
                                              and terms of log q */
    double *was, *then; /* [lanes] exact log p before the step (was) and after
                         * it (then), for estimated ratios */
    double most;        /* largest relative error that is tolerated */
    bool estimates;
    size_t steps;             /* number of steps that were checked */
    double squares, compared; /* sum of the squared errors of the estimates;
                                 number of estimates that were compared */
} reference;

static bool near(const reference *w, double got, double want)
{
    return got == want || fabs(got - want) <= w->most * (1 + fabs(want));
}

/* Compares log p of a state. The tolerance is wider because kernels may update
 * log p by differences for many steps, and in single precision the rounding
 * errors accumulate. */
static bool is_log_p(const reference *w, double got, double want)
{
    return near(w, got, want) ||
           fabs(got - want) <= 10 * w->most * (1 + fabs(want));
}

static bool open_reference(reference *w, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, const cs_check *c)
{
    *w = (reference){.b = cs_check_block(t, arm, seed, c->place, c->places),
                     .fresh = cs_check_block(t, arm, seed, c->place, c->places),
                     .most = c->strict ? 1e-10 : 1e-7};
    if (!w->b || !w->fresh)
        return false;
    w->aux = cs_kernel_aux_rows(w->b->kernel, t);
    w->estimates = w->b->move.info.log_aux != NULL;
    size_t rows = t->space.dim + w->aux, lanes = w->b->lanes;
    w->x = cs_alloc((2 * rows + 7) * lanes, sizeof *w->x);
    if (!w->x)
        return false;
    w->y = w->x + rows * lanes;
    w->logp = w->y + rows * lanes;
    w->v = w->logp + lanes;
    w->there = w->v + lanes;
    w->back = w->there + lanes;
    w->now = w->back + lanes;
    w->was = w->now + lanes;
    w->then = w->was + lanes;
    return true;
}

static void close_reference(reference *w)
{
    cs_block_destroy(w->b);
    cs_block_destroy(w->fresh);
    cs_free(w->x);
}

/* Writes the kernel's auxiliary variables into `to`, after the state. */
static void put_aux(const reference *w, const double *from, double *to)
{
    const cs_block *b = w->b;
    if (!from)
        from = b->move.memory +
               cs_kernel_aux_first(b->kernel, b->target) * b->lanes;
    memcpy(to + b->move.dim * b->lanes, from, w->aux * b->lanes * sizeof *to);
}

/* Evaluates log p at x, or only the exact part of log p if the kernel uses
 * estimates. */
static void evaluate(reference *w, const double *x, double *logp)
{
    if (w->estimates)
        cs_eval_prior(&w->fresh->eval, x, logp, NULL);
    else
        cs_eval_log_density(&w->fresh->eval, CS_NEXT, x, logp);
}

/* Evaluates log q in both directions, by the kernel's own log_q if it has
 * one. */
static void evaluate_q(reference *w)
{
    cs_block *f = w->fresh;
    const cs_info *i = &w->b->move.info;
    bool own = f->kernel->type->log_q;
    if (own) {
        f->kernel->type->log_q(&f->move, w->x, w->y, w->there);
        f->kernel->type->log_q(&f->move, w->y, w->x, w->back);
    }
    for (size_t l = 0; l < w->b->lanes; l++)
        if (!own || (w->estimates && isnan(w->there[l]))) {
            w->there[l] = i->log_q_forward[l];
            w->back[l] = i->log_q_back[l];
        }
}

static bool accepts(const cs_block *b)
{
    return b->kernel->type->flags & CS_KERNEL_ACCEPTS;
}

/* Used for a kernel without an accept step. Returns true if lane l had to stay,
 * because its proposal is impossible under the target. Rejecting proposals
 * outside the support is not an accept step. Call after look_again. */
static bool had_to_stay(const reference *w, size_t l)
{
    const cs_block *b = w->b;
    return !accepts(b) && b->move.info.proposal && !b->move.info.moved[l] &&
           (w->v[l] == -HUGE_VAL ||
            !cs_space_contains(b->move.space, w->y + l, b->lanes));
}

/* Evaluates log p of the proposals of lanes that did not move, for a kernel
 * without an accept step. */
static void look_outside(reference *w)
{
    cs_block *b = w->b;
    bool stayed = false;
    for (size_t l = 0; l < b->live; l++)
        stayed |= !b->move.info.moved[l];
    if (accepts(b) || !stayed || b->target->flags & CS_TARGET_UNNORMALISED)
        return;
    memcpy(w->y, b->move.info.proposal, b->move.dim * b->lanes * sizeof *w->y);
    cs_eval_log_density(&w->fresh->eval, CS_NEXT, w->y, w->v);
}

/* Recomputes all quantities of the step from its states. */
static void look_again(reference *w)
{
    cs_block *b = w->b, *f = w->fresh;
    const cs_info *i = &b->move.info;
    evaluate(w, b->move.x, w->now);
    memset(w->v, 0, b->lanes * sizeof *w->v);
    if (i->proposal)
        look_outside(w);
    if (!i->proposal || !accepts(b))
        return;
    memcpy(w->y, i->proposal, b->move.dim * b->lanes * sizeof *w->y);
    put_aux(w,
            i->aux_proposal ? i->aux_proposal : w->x + b->move.dim * b->lanes,
            w->y);
    memcpy(f->param, b->param,
           b->kernel->type->n_params * b->lanes * sizeof(double));
    evaluate(w, w->x, w->logp);
    evaluate(w, w->y, w->v);
    evaluate_q(w);
}

/* Accumulates the errors of the step's estimates of log p, until the limit
 * COMPARED is reached. Call after look_again. */
static void compare(reference *w)
{
    cs_block *b = w->b, *f = w->fresh;
    const cs_info *i = &b->move.info;
    double terms = 2 * (double)b->live * (double)b->target->n_rows;
    if (!w->estimates || !i->proposal ||
        (w->compared + (double)b->live) * terms > COMPARED * (double)b->live)
        return;
    cs_eval_log_density(&f->eval, CS_NEXT, w->x, w->was);
    cs_eval_log_density(&f->eval, CS_NEXT, w->y, w->then);
    for (size_t l = 0; l < b->live; l++) {
        double off =
            i->log_aux[l] - (w->then[l] - w->was[l] - (w->v[l] - w->logp[l]));
        if (!isfinite(off) || b->failed[l] != 0)
            continue;
        w->squares += off * off;
        w->compared++;
    }
}

/* Returns the inverse temperature with which lane l decides. A wrapper without
 * CS_KERNEL_DECIDES tempers its inner kernel; the inverse temperature is the
 * wrapper's first auxiliary variable or, without auxiliary variables, its first
 * stat. */
static double inverse_temperature(const cs_block *b, size_t l)
{
    const cs_kernel_type *type = b->kernel->type;
    if (!type->wraps || type->flags & CS_KERNEL_DECIDES)
        return 1;
    size_t first = cs_kernel_aux_first(b->kernel, b->target);
    return type->aux ? b->move.memory[first * b->lanes + l]
                     : b->move.info.stat[l];
}

/* Returns true if proposed auxiliary variables were accepted or rejected
 * together with the state. */
static bool is_aux_kept(const reference *w, size_t l)
{
    const cs_block *b = w->b;
    const cs_info *i = &b->move.info;
    size_t n = b->lanes;
    const double *before = w->x + b->move.dim * n,
                 *now = b->move.memory +
                        cs_kernel_aux_first(b->kernel, b->target) * n;
    bool kept = true;
    if (!i->aux_proposal || b->kernel->type->wraps || had_to_stay(w, l))
        return true;
    for (size_t at = l; at < w->aux * n; at += n)
        kept &= now[at] == (i->accepted[l] ? i->aux_proposal : before)[at];
    return kept;
}

/* Returns true if the kernel has no accept step and only reports an acceptance
 * statistic. */
static bool tells(const cs_block *b)
{
    unsigned flags = b->kernel->type->flags;
    return flags & CS_KERNEL_ACCEPT_STAT && !(flags & CS_KERNEL_ACCEPTS);
}

/* Returns true if the steps of a kernel are made by members. Such a step counts
 * as moved if a member moved, also if a later member returned to the state
 * before. */
static bool has_members(const cs_kernel *k)
{
    if (!k->type->wraps)
        return k->type->composes;
    cs_kernel inner = cs_kernel_inner(k);
    return has_members(&inner);
}

/* Checks the state of lane l: it must be the proposal or the previous state. (A
 * trajectory may meet a NaN and then continue from an earlier point.) */
static const char *move_fault(const reference *w, size_t l)
{
    const cs_block *b = w->b;
    const cs_info *i = &b->move.info;
    bool moved = false, taken = true, odd = tells(b) && isnan(i->log_ratio[l]);
    for (size_t at = l; at < b->move.dim * b->lanes; at += b->lanes) {
        moved |= b->move.x[at] != w->x[at];
        taken &= !i->proposal || b->move.x[at] == i->proposal[at];
    }
    if (b->logp_kind == CS_LOGP_EXACT && !is_log_p(w, i->logp[l], w->now[l]))
        return "log p of a state differs from the target's";
    if (w->estimates && !near(w, i->logp[l], w->now[l]))
        return "the log prior of a state differs from the target's";
    if (moved != i->moved[l] && (moved || !has_members(b->kernel)))
        return "a state is wrongly reported as moved or not moved";
    if (!is_aux_kept(w, l))
        return "an auxiliary variable did not move with its state";
    if (i->accepted[l] && !taken && !had_to_stay(w, l))
        return "a state is not the accepted proposal";
    if (!i->accepted[l] && moved && !odd)
        return "a state moved though its proposal was rejected";
    return NULL;
}

/* Checks the log ratio of lane l and the decision. A proposal whose gradient
 * overflows because log p is extremely low counts as impossible
 * (cs_eval_gradient). */
static const char *ratio_fault(const reference *w, size_t l)
{
    const cs_block *b = w->b;
    const cs_info *i = &b->move.info;
    bool inside = cs_space_contains(b->move.space, w->y + l, b->lanes);
    bool deep = w->v[l] < -1e100 && i->logp_proposal[l] == -HUGE_VAL;
    double power = inverse_temperature(b, l), q = w->back[l] - w->there[l];
    double change =
        inside && !deep ? power * (w->v[l] - w->logp[l]) : -HUGE_VAL;
    if (isnan(i->logp_change[l])) /* no ratio exists, for example because
                                     the trajectory diverged */
        return i->accepted[l] ? "a step that met NaN was accepted" : NULL;
    if (!near(w, i->logp_change[l], change))
        return w->estimates
                   ? "the change of the log prior differs from the target's"
                   : "the change of log p differs from the target's";
    if (w->estimates && isfinite(change))
        change += i->log_aux[l];
    if (isfinite(change) && !near(w, i->log_q_back[l] - i->log_q_forward[l], q))
        return "the reverse minus the forward log q differs from the kernel's "
               "log_q";
    if (isfinite(change) ? !near(w, i->log_ratio[l], change + q)
                         : i->log_ratio[l] > -HUGE_VAL)
        return w->estimates ? "the log ratio is not the sum of its parts"
                            : "the log ratio is not the one computed from log "
                              "p and log_q";
    if (!(b->kernel->type->flags & CS_KERNEL_OWN_RULE) &&
        !(i->log_uniform[l] < 0))
        return "a decision does not compare the ratio with the logarithm of a "
               "uniform";
    if (i->accepted[l] != (i->log_uniform[l] < i->log_ratio[l]))
        return "a verdict contradicts its ratio";
    return NULL;
}

static const char *fault_of(const reference *w, size_t l, bool scored)
{
    const cs_info *i = &w->b->move.info;
    const char *fault = move_fault(w, l);
    if (fault || scored)
        return fault ? fault : ratio_fault(w, l);
    if (accepts(w->b))
        return NULL;
    if (had_to_stay(w, l))
        return NULL;
    bool plain =
        i->accepted[l] == (!tells(w->b) || i->moved[l]) && i->log_ratio[l] == 0;
    return plain || isnan(i->log_ratio[l]) /* NaN: log p was NaN, and the
                                              step did not move */
               ? NULL
               : "a kernel without an accept step reports decisions";
}

/* Reports the errors of estimated ratios. Such an error is not a fault of the
 * kernel: its draws may still be exact. */
static void say_estimates(cs_check *c, const reference *w, const char *arm,
                          size_t scored)
{
    char off[96] = "";
    if (w->compared > 0)
        snprintf(off, sizeof off, ", with a root mean square error of %.3g",
                 sqrt(w->squares / w->compared));
    cs_check_hold(c, arm, "record", (cs_detects){w->most, "in the sum", 1},
                  "%zu log ratios equal the sum of their terms, with the log "
                  "prior recomputed; the other term is an estimate%s",
                  scored, off);
}

/* Returns true if an auxiliary variable may explain a difference in the
 * ratio. */
static bool has_excuse(const reference *w)
{
    const cs_kernel *k = w->b->kernel;
    const cs_instance_type *own = k->type->instance;
    return !own || !own->has_drawn || own->has_drawn(k->self) ||
           w->b->target->flags & CS_TARGET_UNNORMALISED;
}

/* Reports the ratio of a kernel that draws no auxiliary variable. */
static void say_ratio(cs_check *c, const reference *w, const char *arm,
                      const cs_ratio_rest *r)
{
    double most = w->most * r->scale;
    bool far = r->same_way && r->most - r->least > most;
    if (r->has_log_q ? r->off > most : far)
        cs_check_say(
            c, arm, "record", CS_BROKEN,
            "the log ratio is not that of Metropolis and Hastings: it differs "
            "from the change of log p%s by %.3g to %.3g for the same proposed "
            "step, and no auxiliary variable was drawn",
            r->has_log_q ? " and log_q" : "", r->least, r->most);
    else if (r->compared == 0 || r->off > most)
        cs_check_say(c, arm, "record", CS_UNTRIED,
                     "the log ratio differs from the change of log p by up to "
                     "%.3g, without an auxiliary variable, and the density of "
                     "the proposals is unknown: give log_q",
                     r->off);
    else
        cs_check_hold(c, arm, "record",
                      (cs_detects){most, "in the log ratio", 1},
                      "%zu log ratios equal the change of log p%s; no "
                      "auxiliary variable is drawn",
                      r->compared, r->has_log_q ? " and log_q" : "");
}

static void say_holds(cs_check *c, const reference *w, const char *arm,
                      size_t scored)
{
    const cs_kernel_type *type = w->b->kernel->type;
    const cs_detects seen = {w->most, "in a log ratio", 1};
    if (w->estimates)
        say_estimates(c, w, arm, scored);
    else if (scored)
        cs_check_hold(c, arm, "record", seen,
                      "%zu decisions recomputed from log p%s", scored,
                      type->log_q ? " and log_q"
                                  : "; the proposals have no density of their "
                                    "own");
    else if (accepts(w->b))
        cs_check_say(c, arm, "record", CS_UNTRIED,
                     "the moves have no density that could be compared");
    else
        cs_check_hold(
            c, arm, "record", (cs_detects){10 * w->most, "in log p", 1},
            "%zu steps agree with their record%s; no accept step", w->steps,
            w->b->logp_kind == CS_LOGP_EXACT ? ", at log p of the target"
            : w->b->logp_kind == CS_LOGP_NONE
                ? ", and it has no log p"
                : ", and its log p is an estimate");
}

/* Checks the steps. Returns false after reporting that the law is broken. Sets
 * *scored to the number of decisions that were checked. */
static bool watch(cs_check *c, reference *w, const cs_arm_view *arm,
                  size_t *scored)
{
    cs_block *b = w->b;
    double end = cs_clock_work() + 0.5 * c->seconds;
    for (uint64_t k = 1; k <= STEPS && (k == 1 || cs_clock_work() < end); k++) {
        memcpy(w->x, b->move.x, b->move.dim * b->lanes * sizeof *w->x);
        put_aux(w, NULL, w->x);
        cs_check_steps(b, arm, k, 1);
        look_again(w);
        compare(w);
        for (size_t l = 0; l < b->live; l++) {
            bool reported =
                accepts(b) && b->move.info.proposal && !isnan(w->there[l]);
            const char *fault =
                b->failed[l] != 0 ? NULL : fault_of(w, l, reported);
            *scored += reported;
            if (!fault)
                continue;
            cs_check_say(c, arm->name, "record", CS_BROKEN, "%s (step %zu)",
                         fault, (size_t)k);
            return false;
        }
        w->steps = (size_t)k;
    }
    return true;
}

cs_status cs_check_record(cs_check *c, cs_target *t, const cs_arm_view *arm,
                          uint64_t seed, cs_error *err)
{
    reference w;
    cs_ratio_rest ratio;
    size_t scored = 0;
    bool good = open_reference(&w, t, arm, seed + 2, c);
    if (good && watch(c, &w, arm, &scored)) {
        bool excused = !w.estimates || has_excuse(&w);
        good = excused || cs_check_ratio(c, t, arm, seed + 3, &ratio);
        if (excused)
            say_holds(c, &w, arm->name, scored);
        else if (good)
            say_ratio(c, &w, arm->name, &ratio);
    }
    close_reference(&w);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the law 'record'");
}
