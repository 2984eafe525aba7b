/* Looking at a run between quanta. */
#include "base/memory.h"
#include "chain/tally.h"
#include "run/diagnose.h"
#include "run/internal.h"
#include "run/size_errors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t cs_run_arms(const cs_run *r)
{
    return r->n_arms;
}

cs_target *cs_run_target(const cs_run *r)
{
    return r->target;
}

cs_target *cs_run_arm_target(const cs_run *r, size_t arm)
{
    return arm < r->n_arms ? r->arm[arm].target : r->target;
}

bool cs_run_learns(const cs_run *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n_arms; i++)
        any |= r->arm[i].learns != NULL;
    return any;
}

uint64_t cs_run_warmup(const cs_run *r)
{
    return r->warmup;
}

uint64_t cs_run_seed(const cs_run *r)
{
    return r->seed;
}

uint64_t cs_run_steps(const cs_run *r)
{
    return r->steps;
}

const cs_budget *cs_run_budget(const cs_run *r)
{
    return &r->budget;
}

double cs_run_seconds(const cs_run *r)
{
    return r->seconds;
}

cs_arm_view cs_run_arm(const cs_run *r, size_t arm)
{
    if (arm >= r->n_arms)
        return (cs_arm_view){.name = NULL};
    const cs_arm *a = &r->arm[arm];
    double seconds = a->seconds_loaded + a->seconds_elsewhere;
    for (size_t i = 0; i < r->n_items; i++)
        if (r->item[i].arm == a)
            seconds += r->item[i].seconds;
    return (cs_arm_view){.name = a->name,
                         .kernel = &a->kernel,
                         .plan = &a->plan,
                         .metric = a->metric,
                         .chains = a->chains,
                         .own = cs_share_of(r, r->share, arm),
                         .moved = a->own,
                         .group = cs_kernel_group(&a->first),
                         .steps = a->steps,
                         .work = cs_arm_work(a),
                         .observed = cs_arm_observed(a),
                         .logp = cs_block_logp_seen(a->front),
                         .seconds = seconds,
                         .finished = a->finished,
                         .warmup_steps = a->warmup_steps,
                         .learner = cs_learns_look(r, a),
                         .tuning = cs_tuning_look(a)};
}

/* Rows of a lane, each so many doubles from the last. */
static const double *gather(const cs_block *b, const double *from, size_t rows,
                            double *to)
{
    for (size_t d = 0; d < rows; d++)
        to[d] = from[d * b->lanes];
    return to;
}

/* What is shown of the chain's state and of its proposal. */
static void show(cs_block *b, size_t l, double *room, cs_chain_view *v)
{
    size_t n = b->target->outputs.n;
    v->shown = v->x;
    v->shown_proposal = v->proposal;
    if (!n)
        return;
    if (v->proposal && !v->failed) {
        cs_eval_outputs(&b->eval, b->move.info.proposal, b->shown);
        gather(b, b->shown + l, n, room);
        v->shown_proposal = room;
    } else
        v->shown_proposal = NULL;
    cs_block_show(b);
    v->shown = gather(b, b->shown + l, n, room + n);
}

/* What the kernel of a chain that failed goes on to propose means nothing; of
 * the step that failed this much was kept. */
static bool is_proposal_kept(const cs_block *b, size_t l)
{
    return b->move.dim <= CS_FAULT_SHOWN && b->fault[l] >= CS_FAULT_DENSITY &&
           b->fault[l] < CS_FAULT_STATE;
}

cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return (cs_lane_view){.x = NULL};
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    const cs_info *i = &b->move.info;
    size_t l = cs_arm_lane(a, chain), n = b->lanes;
    bool stepped = b->step > 0 && i->proposal, failed = b->failed[l] != 0;
    cs_lane_view v = {.x = b->move.x + l, .aux_rows = b->aux_rows, .stride = n};
    if (failed && is_proposal_kept(b, l))
        v.proposal = b->fault + CS_FAULT_POINT * n + l;
    else if (stepped && !failed)
        v.proposal = i->proposal + l;
    if (b->aux)
        v.aux = b->aux + l;
    if (b->step > 0 && !failed) {
        v.stat = i->stat + l;
        v.accept_stat = b->accept_stat[l];
    }
    if (stepped && !failed && i->aux_proposal)
        v.aux_proposal = i->aux_proposal + l;
    return v;
}

/* The last decision of lane l; `failed_at`: the step at which it failed, or 0. */
cs_decision cs_decision_of(const cs_block *b, size_t l, double failed_at)
{
    const cs_info *i = &b->move.info;
    const double nan = (double)NAN;
    const double logp = b->logp_kind == CS_LOGP_NONE ? nan : i->logp[l];
    if (failed_at != 0)
        return (cs_decision){.logp = logp,
                             .logp_proposal = nan,
                             .logp_change = nan,
                             .log_q_forward = nan,
                             .log_q_back = nan,
                             .log_ratio = nan,
                             .log_uniform = nan,
                             .log_aux = i->log_aux ? nan : 0,
                             .estimates = i->log_aux != NULL,
                             .failed_at = failed_at};
    return (cs_decision){.logp = logp,
                         .logp_proposal = i->logp_proposal[l],
                         .logp_change = i->logp_change[l],
                         .log_q_forward = i->log_q_forward[l],
                         .log_q_back = i->log_q_back[l],
                         .log_ratio = i->log_ratio[l],
                         .log_uniform = i->log_uniform[l],
                         .log_aux = i->log_aux ? i->log_aux[l] : 0,
                         .estimates = i->log_aux != NULL,
                         .accepted = i->accepted[l],
                         .moved = i->moved[l]};
}

cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return (cs_chain_view){.x = NULL};
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain);
    return (cs_chain_view){.last = cs_decision_of(b, l, (double)b->failed[l]),
                           .failed = b->failed[l] != 0,
                           .tally = cs_tally_of(b->tally + l, b->lanes)};
}

cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain)
{
    cs_chain_view view = cs_run_decision(r, arm, chain);
    cs_lane_view at = cs_run_lane(r, arm, chain);
    if (!at.x)
        return view;
    const cs_arm *a = &r->arm[arm];
    cs_block *b = cs_arm_block(a, chain);
    size_t dim = b->move.dim;
    double *room = r->state;
    view.x = gather(b, at.x, dim, room);
    if (at.proposal)
        view.proposal = gather(b, at.proposal, dim, room + dim);
    view.aux = at.aux;
    view.aux_proposal = at.aux_proposal;
    view.aux_rows = at.aux_rows;
    view.aux_stride = at.stride;
    show(b, cs_arm_lane(a, chain), room + 2 * dim, &view);
    return view;
}

bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected)
{
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    const cs_kernel_type *type = b->kernel->type;
    size_t l = cs_arm_lane(a, chain);
    double values[CS_KERNEL_PARAMS];
    if (!type->noise || b->failed[l] != 0 || b->step == 0)
        return false;
    for (size_t k = 0; k < type->n_params; k++)
        values[k] = b->param[k * b->lanes + l];
    const cs_noise at = {.target = b->target,
                         .values = values,
                         .chain = chain,
                         .x = b->move.x + l,
                         .memory = b->move.memory + l,
                         .stride = b->lanes,
                         .n = n,
                         .metric = a->metric,
                         .gradient = gradient,
                         .injected = injected};
    return type->noise(&at);
}

cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err)
{
    const cs_arm *a = &r->arm[arm];
    cs_block *b = cs_arm_block(a, chain);
    cs_status s = cs_target_check_density(r->target, err);
    if (s == CS_OK)
        s = cs_block_reserve_observer(b, err);
    if (s == CS_OK)
        *logp = cs_block_true_logp_of(b, cs_arm_lane(a, chain));
    return s;
}

/* What probe p has seen of chain c. */
static cs_lane_memory memory_of(const cs_arm *a, size_t p, size_t c)
{
    const cs_block *b = cs_arm_block(a, c);
    size_t l = cs_arm_lane(a, c);
    return (cs_lane_memory){.word = b->probe_memory[p] + l,
                            .stride = b->lanes,
                            .failed = b->failed[l] != 0};
}

/* The memories that a report is made from: of all chains, or of a sample. */
static size_t find_lanes(const cs_run *r, const cs_arm *a, size_t p,
                         const cs_run_sample *sample, cs_lane_memory *to)
{
    size_t group = cs_kernel_group(&a->kernel), n = 0;
    size_t by = r->probe[p].type->all_chains ? 1 : group;
    for (size_t c = 0; c < a->chains && !sample; c += by)
        to[n++] = memory_of(a, p, c);
    for (size_t i = 0; sample && i < sample->n; i++)
        for (size_t c = 0; c < a->chains; c += by)
            if (c / group % sample->groups == sample->group[i])
                to[n++] = memory_of(a, p, c);
    return n;
}

/* A costly report may be under way on another thread: see cs_probe_type. */
static void make_report(cs_run *r, size_t p, const cs_lane_memory *lane,
                        size_t n, const char *prefix, cs_flat *out)
{
    const cs_probe_type *type = r->probe[p].type;
    if (type->costly)
        pthread_mutex_lock(&r->reporting);
    type->report(&r->probe[p], lane, n, prefix, out);
    if (type->costly)
        pthread_mutex_unlock(&r->reporting);
}

/* What log p is that probe p has seen of an arm. */
static cs_logp_kind logp_for(const cs_run *r, const cs_arm *a, size_t p)
{
    return r->probe[p].true_logp ? CS_LOGP_EXACT : cs_block_logp_seen(a->front);
}

/* Whoever shows log p says what it is. */
static void put_logp(const cs_run *r, size_t p, cs_logp_kind kind,
                     const char *prefix, cs_flat *out)
{
    if (kind != CS_LOGP_EXACT && r->probe[p].type->logp)
        cs_flat_text(out, cs_logp_name(kind), "%slogp", prefix);
}

static void report(cs_run *r, cs_arm *a, size_t p, const cs_run_sample *sample,
                   const char *prefix, cs_flat *out)
{
    size_t n = find_lanes(r, a, p, sample, r->report_lane);
    make_report(r, p, r->report_lane, n, prefix, out);
    put_logp(r, p, logp_for(r, a, p), prefix, out);
    /* of a sample one scalar at a time: cs_run_diagnosis */
    if (!r->probe[p].type->judged || sample)
        return;
    cs_worst w = cs_diagnose_arm(r, a, prefix, out);
    cs_size_errors_put(r, p, r->report_lane, n, make_report, w.row, w.error,
                       prefix, out);
}

static void settle(cs_run *r, size_t p)
{
    const cs_probe_type *type = r->probe[p].type;
    if (type->costly)
        pthread_mutex_lock(&r->reporting);
    cs_probe_settle(&r->probe[p]);
    if (type->costly)
        pthread_mutex_unlock(&r->reporting);
}

bool cs_run_settle(cs_run *r, size_t most)
{
    size_t left = 0;
    for (size_t p = 0; p < r->n_probes; p++) {
        if (r->probe[p].settled)
            continue;
        if (most > 0)
            settle(r, p);
        left += most == 0;
        most -= most > 0;
    }
    for (; most > 0 && !cs_bins_settled(r); most--)
        cs_bins_settle(r);
    while (most > 0 && cs_quantities_settle(&r->wanted, r->target))
        most--;
    return left == 0 && cs_bins_settled(r) && r->wanted.sought == r->wanted.n;
}

void cs_run_report(cs_run *r, cs_flat *out)
{
    cs_run_settle(r, r->n_probes + CS_BINNED);
    for (size_t i = 0; i < r->n_arms; i++)
        for (size_t p = 0; p <= r->n_probes; p++)
            cs_run_glance(r, i, p, out);
}

const cs_probe_type *cs_run_probe(const cs_run *r, size_t i)
{
    return i < r->n_probes ? r->probe[i].type : NULL;
}

static void prefix_of(const cs_run *r, size_t arm, size_t probe,
                      char to[CS_FLAT_KEY])
{
    snprintf(to, CS_FLAT_KEY, "arm/%zu/%s/", arm,
             probe < r->n_probes ? r->probe[probe].type->name : "kernel");
}

void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out)
{
    char prefix[CS_FLAT_KEY];
    prefix_of(r, arm, probe, prefix);
    if (probe < r->n_probes)
        report(r, &r->arm[arm], probe, NULL, prefix, out);
    else
        cs_arm_report(r, &r->arm[arm], prefix, false, out);
    if (probe < r->n_probes)
        return;
    snprintf(prefix, sizeof prefix, "arm/%zu/learn/", arm);
    cs_learns_report(r, &r->arm[arm], prefix, out);
}

bool cs_run_report_of(cs_run *r, size_t arm, const char *probe,
                      const cs_run_sample *sample, const char *prefix,
                      cs_flat *out)
{
    if (arm < r->n_arms && strcmp(probe, "learn") == 0)
        return cs_learns_report(r, &r->arm[arm], prefix, out);
    if (arm < r->n_arms && strcmp(probe, "kernel") == 0)
        return cs_arm_report(r, &r->arm[arm], prefix, true, out);
    for (size_t p = 0; arm < r->n_arms && p < r->n_probes; p++) {
        if (strcmp(r->probe[p].type->name, probe) != 0)
            continue;
        settle(r, p);
        report(r, &r->arm[arm], p, sample, prefix, out);
        return true;
    }
    return false;
}

bool cs_run_diagnosis(cs_run *r, size_t arm, size_t scalar,
                      const cs_run_sample *sample, cs_figures *figures)
{
    enum { BYTES = 1 << 14 };
    double room[BYTES / sizeof(double)];
    cs_flat f;
    for (size_t p = 0; arm < r->n_arms && p < r->n_probes; p++) {
        if (!r->probe[p].type->judged)
            continue;
        cs_flat_begin(&f, room, sizeof room);
        size_t n = find_lanes(r, &r->arm[arm], p, sample, r->report_lane);
        make_report(r, p, r->report_lane, n, "", &f);
        return cs_diagnose_one(r, &r->arm[arm], scalar, sample, &f, figures);
    }
    return false;
}

bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out)
{
    return cs_run_report_of(r, arm, probe, NULL, prefix, out);
}

/* ---- aside ---- */

static bool hold(void **at, size_t *room, size_t n, size_t size)
{
    if (n <= *room)
        return true;
    cs_free(*at);
    *at = cs_alloc(n, size);
    *room = *at ? n : 0;
    return *at != NULL;
}

static cs_status copy_draws(cs_copy *c, const cs_arm *a, cs_error *err)
{
    if (!c->judged)
        c->judged = cs_alloc(1, sizeof *c->judged);
    if (!c->judged)
        return cs_fail(err, CS_MEMORY, "out of memory for a report");
    cs_judged_end(c->judged);
    if (cs_judged_look(a, NULL, c->judged) && cs_judged_copy(c->judged))
        return CS_OK;
    cs_judged_end(c->judged);
    return cs_fail(err, CS_MEMORY, "out of memory for a report");
}

cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err)
{
    const cs_arm *a = &r->arm[arm];
    c->run = r;
    c->arm = arm;
    c->probe = probe;
    c->step = r->steps;
    c->n = 0;
    if (probe == r->n_probes)
        return cs_copy_take_draws(c, r, arm, err);
    size_t words = r->probe[probe].words, all = 0;
    for (size_t b = 0; b < a->n_blocks; b++)
        all += words * a->block[b]->lanes;
    void *to = c->words, *lane = c->lane;
    bool good = hold(&to, &c->n_words, all, sizeof *c->words) &
                hold(&lane, &c->n_lanes, a->chains, sizeof *c->lane);
    c->words = to;
    c->lane = lane;
    if (!good)
        return cs_fail(err, CS_MEMORY, "out of memory for a report");
    c->logp = logp_for(r, a, probe);
    c->n = find_lanes(r, a, probe, NULL, c->lane);
    double *at = c->words;
    for (size_t b = 0, i = 0; b < a->n_blocks; b++) {
        const double *from = a->block[b]->probe_memory[probe];
        size_t n = words * a->block[b]->lanes;
        memcpy(at, from, n * sizeof *at);
        for (;
             i < c->n && c->lane[i].word >= from && c->lane[i].word < from + n;
             i++)
            c->lane[i].word = at + (c->lane[i].word - from);
        at += n;
    }
    return r->probe[probe].type->judged ? copy_draws(c, a, err) : CS_OK;
}

void cs_copy_report(const cs_copy *c, cs_flat *out)
{
    char prefix[CS_FLAT_KEY];
    if (c->probe == c->run->n_probes) {
        cs_copy_report_draws(c, out);
        return;
    }
    prefix_of(c->run, c->arm, c->probe, prefix);
    make_report(c->run, c->probe, c->lane, c->n, prefix, out);
    put_logp(c->run, c->probe, c->logp, prefix, out);
    if (!c->run->probe[c->probe].type->judged)
        return;
    cs_worst w = cs_diagnose_copy(c->run->target, c->judged, prefix, out);
    cs_size_errors_put(c->run, c->probe, c->lane, c->n, make_report, w.row,
                       w.error, prefix, out);
}

void cs_copy_fini(cs_copy *c)
{
    cs_free(c->words);
    cs_free(c->lane);
    if (c->judged)
        cs_judged_end(c->judged);
    cs_free(c->judged);
    cs_copy_free_wanted(c);
    *c = (cs_copy){.run = NULL};
}

bool cs_run_one_place(const cs_run *r)
{
    return r->one_start;
}

const char *cs_run_note(const cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].kernel.type->flags & CS_KERNEL_GRADIENT)
            return r->target->note;
    const unsigned alone = CS_TARGET_OUTSIDE | CS_TARGET_MAIN_THREAD;
    return (r->target->flags & alone) == alone ? r->target->note : NULL;
}

/* ---- faults ---- */

enum {
    REASON = 128,
    SAID = 320
}; /* characters of a kernel's own words, of a
                                      model's */

static size_t put(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static size_t put(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text + at, size - at, format, args);
    va_end(args);
    at += n > 0 ? (size_t)n : 0;
    return at < size ? at : size - 1;
}

/* "(1, 2, ...)" of the first coordinates of dim, at a stride. */
static size_t put_point(char *text, size_t size, size_t at, const double *x,
                        size_t dim, size_t stride)
{
    size_t shown = dim < CS_FAULT_SHOWN ? dim : CS_FAULT_SHOWN;
    for (size_t d = 0; d < shown; d++)
        at = put(text, size, at, "%s%.6g", d ? ", " : "(", x[d * stride]);
    return put(text, size, at, dim > shown ? ", ...)" : ")");
}

/* What lane l of a block failed of. */
static cs_fault fault_of(const cs_block *b, size_t l)
{
    cs_fault cause = (cs_fault)b->fault[l];
    return cause <= CS_FAULT_KERNEL ? cause : CS_FAULT_NONE;
}

/* In words, which may stand in text[size]. */
static const char *words_of(const cs_block *b, size_t l, char *text,
                            size_t size)
{
    cs_fault cause = fault_of(b, l);
    const cs_reason why = cs_block_reason(b, l);
    static const char *const what[] = {
        [CS_FAULT_NONE] = "the kernel failed",
        [CS_FAULT_DENSITY] = "log density is NaN",
        [CS_FAULT_GRADIENT] = "gradient is not finite",
        [CS_FAULT_INFINITE] = "log density is +infinity",
        [CS_FAULT_RATIO] = "the density of the kernel's proposal is NaN",
        [CS_FAULT_STATE] = "log density or a difference of it is NaN",
        [CS_FAULT_ENDLESS] = "log density is +infinity"};
    if (cause != CS_FAULT_KERNEL)
        return what[cause];
    cs_kernel_explain(b->kernel, &why, text, size);
    return text;
}

/* What a model of somebody else said of it, if anything. */
static void put_said(char *text, size_t size, size_t at, const cs_target *t,
                     cs_fault cause)
{
    char said[SAID];
    if (cause != CS_FAULT_KERNEL && t->type->why &&
        t->type->why(t, said, sizeof said))
        put(text, size, at, "; why: %s", said);
}

/* Whether put_point would say the same of both. */
static bool are_alike(const double *x, const double *y, size_t dim,
                      size_t stride)
{
    for (size_t d = 0; d < dim && d < CS_FAULT_SHOWN; d++)
        if (x[d * stride] != y[d * stride])
            return false;
    return true;
}

static void tell(const cs_run *r, const cs_arm *a, size_t chain, char *text,
                 size_t size)
{
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain), dim = b->move.dim, n = b->lanes;
    cs_fault cause = fault_of(b, l);
    bool kernel = cause == CS_FAULT_KERNEL;
    char words[REASON];
    size_t at = put(
        text, size, 0, "%s %s: %s in chain %zu of arm %s at step %.0f, x = ",
        kernel ? "kernel" : "target",
        kernel ? b->kernel->type->name : r->target->name,
        words_of(b, l, words, sizeof words), chain + 1, a->name, b->failed[l]);
    const double *x = b->move.x + l, *point = b->fault + CS_FAULT_POINT * n + l;
    at = put_point(text, size, at, x, dim, n);
    if (cause >= CS_FAULT_STATE && are_alike(x, point, dim, n)) {
        put_said(text, size, at, r->target, cause);
        return;
    }
    at = put(text, size, at, cause >= CS_FAULT_STATE ? ", at " : ", proposal ");
    at = put_point(text, size, at, point, dim, n);
    put_said(text, size, at, r->target, cause);
}

bool cs_run_chain_fault(const cs_run *r, size_t arm, size_t chain, char *text,
                        size_t size)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return false;
    const cs_arm *a = &r->arm[arm];
    if (cs_arm_block(a, chain)->failed[cs_arm_lane(a, chain)] == 0)
        return false;
    tell(r, a, chain, text, size);
    return true;
}

bool cs_run_chain_stop(const cs_run *r, size_t arm, size_t chain,
                       uint64_t *step, char *why, size_t size)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return false;
    const cs_arm *a = &r->arm[arm];
    const cs_block *b = cs_arm_block(a, chain);
    size_t l = cs_arm_lane(a, chain);
    if (b->failed[l] == 0)
        return false;
    cs_fault cause = fault_of(b, l);
    *step = (uint64_t)b->failed[l];
    char words[REASON];
    size_t at =
        put(why, size, 0, "%s at the %s ", words_of(b, l, words, sizeof words),
            cause >= CS_FAULT_STATE ? "state" : "proposal");
    at = put_point(why, size, at, b->fault + CS_FAULT_POINT * b->lanes + l,
                   b->move.dim, b->lanes);
    put_said(why, size, at, r->target, cause);
    return true;
}

bool cs_run_arm_lives(const cs_run *r, size_t arm)
{
    const cs_arm *a = &r->arm[arm];
    for (size_t b = 0; b < a->n_blocks; b++)
        if (cs_arm_moves(a, a->block[b]) && cs_block_lives(a->block[b]))
            return true;
    if (cs_run_is_split(r))
        return a->lives_elsewhere;
    return a->own.end == 0; /* elsewhere, for all that is known */
}

bool cs_run_lives(const cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++)
        if (cs_run_arm_lives(r, i))
            return true;
    return false;
}

bool cs_run_fault(cs_run *r, char *text, size_t size)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        for (size_t c = 0; c < a->chains; c++) {
            const cs_block *b = cs_arm_block(a, c);
            bool failed = b->failed[cs_arm_lane(a, c)] != 0;
            bool news = failed && !a->reported[c];
            a->reported[c] = failed;
            if (!news)
                continue;
            tell(r, a, c, text, size);
            return true;
        }
    }
    return false;
}
