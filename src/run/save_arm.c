/* Saves and loads an arm as bytes. Each chain is a separate row, so a run with
 * any number of workers and any block size can load the chains, and parts of a
 * run can be merged. Kernels and schedules are stored as text
 * (chain/kernel_text.h). An object without a registered name, such as a Lua
 * function, must already exist in the run that loads. */
#include "run/save_arm.h"

#include "base/memory.h"
#include "chain/narrow_row.h"
#include "chain/tally.h"
#include "kernel/member_metrics.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/draws/diagnosed.h"
#include "run/draws/draw_store.h"
#include "run/history/change.h"
#include "run/history/marks.h"
#include "run/history/run_timeline.h"
#include "run/saved_stream.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"
#include "run/views/view.h"

#include <math.h>
#include <string.h>

/* Writes or reads the kernel as text, and the original values of the scheduled
 * parameters. */
static cs_status kernel(stream *s, cs_run *r, cs_kernel *k, cs_plan *plan,
                        cs_error *err)
{
    cs_page p = {.text = NULL};
    if (!s->in)
        cs_kernel_put(&p, k, plan);
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for the saved run")
               : long_text(s, &p.text, err);
    const char *at = p.text;
    if (status == CS_OK && s->in)
        status = cs_kernel_read(&at, &r->timeline->restored, k, plan, err);
    cs_free(p.text);
    for (size_t i = 0; status == CS_OK && i < k->type->n_params; i++) {
        if (!plan->driven[i])
            continue;
        number(s, &k->values[i]);
        status = cs_param_check_number(&k->type->params[i], k->values[i], err);
    }
    return status;
}

/* The word in place of the kind of a metric that has those of members. */
enum { OF_MEMBERS = CS_METRICS, MOST_MEMBERS = 1000, MOST_DEPTH = 16 };

static cs_status one_metric(stream *s, const cs_metric *metric, unsigned depth,
                            cs_metric **out, cs_error *err);

/* Writes or reads the metrics of n members. */
static cs_status metrics(stream *s, const cs_metric *metric, uint64_t n,
                         unsigned depth, cs_metric **out, cs_error *err)
{
    cs_status status = CS_OK;
    s->bad |= n == 0 || n > MOST_MEMBERS || depth > MOST_DEPTH;
    cs_metric **member = s->bad ? NULL : cs_alloc((size_t)n, sizeof *member);
    if (!member)
        return s->bad ? CS_OK
                      : cs_fail(err, CS_MEMORY, "out of memory for a metric");
    for (size_t i = 0; i < n && !s->bad && status == CS_OK; i++)
        status = one_metric(s, metric ? metric->member[i] : NULL, depth + 1,
                            &member[i], err);
    if (s->in && !s->bad && status == CS_OK) {
        *out = cs_metric_of_members(member, (size_t)n);
        if (!*out)
            status = cs_fail(err, CS_MEMORY, "out of memory for a metric");
    }
    for (size_t i = 0; i < n; i++)
        cs_metric_let_go(member[i]);
    cs_free(member);
    return status;
}

/* Writes or reads a metric; *out is [own] after reading, and NULL after
 * writing. */
static cs_status one_metric(stream *s, const cs_metric *metric, unsigned depth,
                            cs_metric **out, cs_error *err)
{
    uint64_t members = metric ? metric->n_members : 0;
    uint64_t kind = members ? OF_MEMBERS : cs_metric_kind_of(metric);
    uint64_t centred = metric && metric->centre;
    uint64_t dim = members ? members : metric ? metric->dim : 0;
    *out = NULL;
    word(s, &kind);
    word(s, &dim);
    if (kind == OF_MEMBERS)
        return metrics(s, metric, dim, depth, out, err);
    word(s, &centred);
    s->bad |= s->in && dim > (s->size - s->at) / 8;
    dim = s->bad ? 0 : dim;
    size_t n =
        kind < CS_METRICS && (kind != CS_METRIC_DENSE || dim < UINT32_MAX)
            ? cs_metric_words((cs_metric_kind)kind, (size_t)dim)
            : 0;
    size_t more = centred ? dim : 0;
    s->bad |= kind >= CS_METRICS || (dim > 0) != (n > 0) || centred > (n > 0) ||
              (s->in && n + more > (s->size - s->at) / 8);
    if (!s->in && n)
        numbers(s, metric->covariance, n);
    if (!s->in && more)
        numbers(s, metric->centre, more);
    if (!s->in || !n || s->bad)
        return CS_OK;
    double *x = cs_alloc(n + more, sizeof *x);
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for a metric");
    numbers(s, x, n + more);
    cs_status status =
        cs_metric_make(out, (cs_metric_kind)kind, (size_t)dim, x, err);
    if (!status)
        status = cs_metric_set_centre(*out, more ? x + n : NULL, err);
    cs_free(x);
    return status;
}

/* ---- chains ---- */

/* Returns the number of elements of a kept draw. */
static size_t draw_row(const cs_arm *a)
{
    return cs_arm_lead(a) + cs_target_shown(a->block[0]->target) + a->aux;
}

/* Returns the number of words that a row of a recorder takes in memory. */
static size_t stored_row(const cs_recorder *recorder, size_t row)
{
    size_t others = recorder->lead + recorder->aux;
    return others + cs_narrow_words(recorder->bytes, row - others);
}

/* Copies a row of `row` numbers, whose quantities are bytes or words; see
 * cs_narrow_copy. */
static void copy_row(const cs_recorder *recorder, size_t row, double *to,
                     bool to_bytes, const double *from, bool from_bytes)
{
    size_t lead = recorder->lead, aux = recorder->aux, n = row - lead - aux;
    memcpy(to, from, lead * sizeof *to);
    cs_narrow_copy(to + lead, to_bytes, from + lead, from_bytes, n);
    memcpy(to + lead + cs_narrow_words(to_bytes, n),
           from + lead + cs_narrow_words(from_bytes, n), aux * sizeof *to);
}

/* Writes or reads draws. `scratch` has space for one row. If draws are read and
 * `keep` is true, stores each row whose number, counted from 1, is a multiple
 * of `by`, until the recorder is full. */
static void draws(stream *s, const cs_recorder *recorder, uint64_t used,
                  uint64_t by, size_t lane, size_t row, double *scratch,
                  bool keep)
{
    size_t words = stored_row(recorder, row);
    for (uint64_t i = 0; i < used && !s->bad; i++) {
        bool wanted = (i + 1) % by == 0 && (i + 1) / by <= recorder->capacity;
        size_t at = wanted ? (size_t)((i + 1) / by - 1) : 0;
        double *rows = recorder->row + (lane * recorder->capacity + at) * words;
        copy_row(recorder, row, scratch, false, rows, recorder->bytes);
        packed(s, scratch, row);
        if (keep && wanted && !s->bad)
            copy_row(recorder, row, rows, recorder->bytes, scratch, false);
    }
}

/* Writes or reads the memory of a running tuner for a chain. */
static void remembered(stream *s, cs_arm *a, size_t c, double *words,
                       bool apply)
{
    const cs_tuning *g = a->tuning;
    for (size_t slot = 0; slot < g->tuner.type->slots && !s->bad; slot++) {
        double *at = cs_tuning_slot(a, slot, c);
        memcpy(words, at, g->words * sizeof *words);
        numbers(s, words, g->words);
        s->bad |=
            s->in && !cs_space_contains(a->block[0]->move.space, words, 1);
        if (apply && !s->bad)
            memcpy(at, words, g->words * sizeof *words);
    }
}

/* Writes or reads the moments that a running tuner has gathered in its present
 * window. */
static void gathered(stream *s, cs_arm *a, bool apply)
{
    double *words = cs_tuning_moments(a), x;
    for (size_t i = 0; i < a->tuning->n_moments && !s->bad; i++) {
        x = words[i];
        number(s, &x);
        s->bad |= !isfinite(x);
        if (apply && !s->bad)
            words[i] = x;
    }
}

/* Writes or reads the learned parameters of the target, and the learner's
 * memory. */
static void learned(stream *s, cs_arm *a, bool apply)
{
    cs_learns *l = a->learns;
    double *const part[] = {a->target->learned, l->memory};
    const size_t n[] = {a->target->n_learned, l->words};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < n[k] && !s->bad; i++) {
            double x = part[k][i];
            number(s, &x);
            s->bad |= k ? !cs_learns_sound(a, i, x) : !isfinite(x);
            if (apply && !s->bad)
                part[k][i] = x;
        }
    if (apply && !s->bad)
        cs_learns_restored(a);
}

/* Writes or reads the progress of the tuner, mainly the results of its trials,
 * from which the remaining state is computed. */
static void tuning(stream *s, cs_arm *a, cs_arm_mark *m, bool apply)
{
    cs_tuning *g = a->tuning;
    if (!g)
        return;
    uint64_t trials = m->tuning.trials;
    double start[CS_TUNER_DRIVEN]; /* start values, which a user may have set */
    double past[CS_TUNER_PAST];
    memcpy(start, g->tuner.start, sizeof start);
    memcpy(past, g->tuner.past, sizeof past);
    size_t each = cs_tuner_results(&g->tuner);
    numbers(s, g->tuner.start, g->tuner.n_driven > 2 ? g->tuner.n_driven : 2);
    if (g->tuner.type->remember)
        numbers(s, g->tuner.past, CS_TUNER_PAST);
    for (size_t i = 0; i < CS_TUNER_PAST; i++)
        s->bad |= !isfinite(g->tuner.past[i]);
    flag(s, &m->tuning.active);
    word(s, &trials);
    word(s, &m->tuning.trial_steps);
    s->bad |= trials >= g->capacity;
    for (size_t i = 0; i < trials * each && !s->bad; i++) {
        g->read[i] = g->result[i];
        number(s, &g->read[i]);
        s->bad |= g->read[i] < 0 || g->read[i] > 1;
        if (apply && !s->bad)
            g->result[i] = g->read[i];
    }
    m->tuning.trials = (size_t)trials;
    for (size_t i = 0; i < g->tuner.n_driven; i++)
        s->bad |=
            cs_param_check_number(&a->kernel.type->params[g->tuner.param[i]],
                                  g->tuner.start[i], NULL) != CS_OK;
    s->bad |= s->bad || !cs_tuning_place(a, &m->tuning, g->read);
    if (!apply) {
        memcpy(g->tuner.start, start, sizeof start);
        memcpy(g->tuner.past, past, sizeof past);
    }
}

/* Returns the index of log p among the words of a chain. */
static size_t at_logp(const cs_run *r)
{
    return r->target->space.dim;
}

/* Compares the saved log density of a state with its present value. The two
 * values must be equal; they may differ by rounding only if a sum is updated
 * from step to step. When this is called, the values that the target has
 * learned are not restored yet. */
static cs_status same_density(cs_run *r, const cs_arm *a, size_t c,
                              const double *words, cs_error *err)
{
    size_t dim = r->target->space.dim, lanes = CS_PAD;
    size_t scratch =
        cs_eval_scratch_words(r->target) + cs_eval_cache_words(r->target);
    const double was = words[at_logp(r)], failed = words[at_logp(r) + 1];
    if (r->target->n_learned || failed != 0)
        return CS_OK;
    double *x = cs_alloc((dim + 1 + scratch) * lanes, sizeof *x);
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for a chain");
    double *logp = x + dim * lanes, *room = logp + lanes;
    for (size_t i = 0; i < dim * lanes; i++)
        x[i] = words[i / lanes];
    cs_eval e;
    cs_eval_open(&e, r->target, lanes, 1, room,
                 room + cs_eval_cache_words(r->target) * lanes);
    cs_eval_log_density(&e, CS_NOW, x, logp);
    double is = logp[0];
    cs_free(x);
    if (fabs(is - was) <= 1e-6 * (1 + fabs(was)))
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "target: the log density at the state of chain %zu of arm %s was "
            "%.9g, is %.9g",
            c + 1, a->name, was, is);
    return CS_INPUT;
}

/* Numbers and sizes of the data that are saved for each chain. */
typedef struct rows {
    uint64_t kept, diagnosed;
    uint64_t kept_by, diagnosed_by; /* thinning factors: see draws() */
    bool anew;                      /* the target was changed intentionally */
    /* words: number of words per saved lane; probes: number of these words that
     * belong to probes */
    size_t words, probes;
} rows;

/* If the target was changed, a probe may need memory of another size (for
 * example for one more mode). Moves the words that follow the probes' memory.
 * The probes then start again. */
static void fit_probes(const cs_block *b, rows n, double *lane_words)
{
    size_t probes = cs_block_probe_words(b);
    size_t head = cs_block_head_words(b), rest = n.words - head - n.probes;
    memmove(lane_words + head + probes, lane_words + head + n.probes,
            rest * sizeof *lane_words);
    for (size_t i = 0; i < probes; i++)
        lane_words[head + i] = 0;
}

/* Returns true if a chain's word for the kinds of log p in its draws is valid:
 * an integer of at most 8 bits, one bit per kind. */
static bool kinds_make_sense(const cs_block *b, const double *lane_words)
{
    size_t row = (size_t)(b->tally - b->slab) / b->lanes;
    double kinds = lane_words[row + CS_TALLY_LOGP];
    return kinds >= 0 && kinds <= UINT8_MAX && kinds == floor(kinds);
}

/* Writes or reads a chain with kernel `k`. Stores the values read in the run if
 * `apply` is true. Rejects a state outside the space. */
static cs_status chain(stream *s, cs_run *r, cs_arm *a, size_t c,
                       const cs_kernel *k, rows n, bool apply, cs_error *err)
{
    double *lane_words = r->saving->lane_words;
    cs_block *b = cs_arm_block(a, c);
    size_t lane = cs_arm_lane(a, c);
    if (!s->in)
        cs_block_save_lane(b, lane, lane_words);
    packed(s, lane_words, n.words);
    if (n.anew && s->in && !s->bad)
        fit_probes(b, n, lane_words);
    s->bad |= s->in && !(cs_space_contains(b->move.space, lane_words, 1) &&
                         kinds_make_sense(b, lane_words));
    bool known = cs_kernel_logp(k, r->target) == CS_LOGP_EXACT;
    if (s->in && !s->bad && !apply && known) {
        cs_status status =
            n.anew ? CS_OK : same_density(r, a, c, lane_words, err);
        if (status != CS_OK)
            return status;
    }
    if (apply && !s->bad)
        cs_block_load_lane(b, lane, lane_words);
    draws(s, &b->recorder[CS_KEPT], n.kept, n.kept_by, lane, draw_row(a),
          lane_words, apply);
    draws(s, &b->recorder[CS_DIAGNOSED],
          c < a->diagnosed->chains ? n.diagnosed : 0, n.diagnosed_by, lane,
          cs_arm_lead(a) + a->diagnosed->coordinates, lane_words, apply);
    return CS_OK;
}

static size_t words_for(const cs_run *r, const cs_arm *a, const cs_kernel *k)
{
    const cs_block *b = a->block[0];
    return b->slab_words - cs_kernel_memory_words(b->kernel, r->target) +
           cs_kernel_memory_words(k, r->target);
}

static void set_arm(cs_arm *a, const cs_arm_mark *m, const cs_plan *plan,
                    const cs_block_work *total, const cs_recorder *kept)
{
    cs_arm_set_kernel(a, &m->kernel, plan);
    cs_arm_set_metric(a, m->metric);
    cs_tuning_place(a, &m->tuning, NULL);
    a->steps = m->steps;
    a->finished = m->finished;
    a->loaded.work = total->own;
    a->loaded.observed = total->observed;
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_block *block = a->block[b];
        block->step = a->steps;
        block->eval.work = block->observer.work = (cs_work){0};
        block->recorder[CS_KEPT].every = kept->every;
        block->recorder[CS_KEPT].used = block->recorder[CS_KEPT].valid =
            kept->used;
    }
}

/* Sets the CPU time that the arm used before it was loaded. */
static void set_seconds(cs_arm *a, double seconds)
{
    a->loaded.seconds = seconds;
    for (size_t i = 0; i < a->n_blocks; i++)
        a->item[i].seconds = 0;
}

/* Returns the number of words of a saved lane. If the lane was saved with
 * another target, uses the sizes that its probes had when it was saved;
 * otherwise uses the present sizes. */
static size_t saved_words(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                          const cs_saved_pace *all)
{
    size_t words = words_for(r, a, k);
    return all->anew ? words - cs_block_probe_words(a->block[0]) + all->probes
                     : words;
}

/* Returns true if the head is valid: arms that are not finished are at the step
 * of the run. */
static bool sound(const cs_run *r, const cs_arm *a, const cs_arm_mark *m,
                  const cs_recorder *kept, const cs_saved_pace *all)
{
    bool together = m->finished || all->behind ? m->steps <= all->steps
                                               : m->steps == all->steps;
    bool tunes =
        !m->tuning.active || ((m->tuning.warmup_steps == 0 || a->learns) &&
                              m->kernel.type == a->first.type);
    return together && tunes && m->tuning.warmup_steps <= m->steps &&
           saved_words(r, a, &m->kernel, all) == a->loaded.slab_words &&
           kept->every && kept->used <= a->front->recorder[CS_KEPT].capacity &&
           cs_arm_fits(r, a, &m->kernel, NULL) == CS_OK;
}

/* Allocates scratch for a chain of any block, for a draw, and for a saved lane
 * of `saved` words; the caller has checked `saved`. */
static cs_status lane_room(cs_run *r, size_t saved, cs_error *err)
{
    size_t most = saved;
    for (size_t i = 0; i < r->n_items; i++)
        if (r->item[i].block->capacity.slab > most)
            most = r->item[i].block->capacity.slab;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        most = draw_row(a) > most ? draw_row(a) : most;
    }
    cs_free(r->saving->lane_words);
    r->saving->lane_words = cs_alloc(most, sizeof(double));
    return r->saving->lane_words
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for a chain");
}

/* Writes or reads the numbers of recorded and of diagnosed draws. Diagnosed
 * draws that are in files are not saved; loading reads the files. */
static void draws_of(stream *s, const cs_run *r, cs_arm *a, cs_saved_head *h,
                     cs_recorder *kept)
{
    word(s, &kept->every);
    word(s, &h->used);
    kept->used = (size_t)h->used;
    h->every = kept->every;
    h->diagnosed = cs_diagnosed_rows(a, &h->each);
    h->diagnosed =
        r->saving->beside_files && cs_diagnosed_in_files(a) ? 0 : h->diagnosed;
    word(s, &h->each);
    word(s, &h->diagnosed);
    s->bad |= !h->each || !cs_diagnosed_fits(r, a, h->diagnosed);
}

/* Writes or reads the head before the chains, and applies it except for the
 * fields in `given`. */
static cs_status head_of(stream *s, cs_run *r, cs_arm *a, cs_saved_pace *all,
                         cs_saved_how how, const cs_saved_head *given,
                         cs_saved_head *read, cs_arm_mark *m, cs_error *err)
{
    cs_recorder kept = a->front->recorder[CS_KEPT];
    cs_saved_head h = {.total = {cs_arm_work(a), cs_arm_observed(a)},
                       .used = kept.used};
    h.seconds = cs_run_arm(r, (size_t)(a - r->arm)).seconds;
    bool apply = how == CS_SAVED_LOAD || how == CS_SAVED_PLACE;
    cs_plan plan = a->plan;
    /* if the budget was lifted, the arm had spent it before */
    m->finished |= r->ending.lifted;
    cs_status status = kernel(s, r, &m->kernel, &plan, err);
    if (status != CS_OK)
        return status;
    word(s, &m->steps);
    word(s, &m->tuning.warmup_steps);
    flag(s, &m->finished);
    tuning(s, a, m, apply);
    work(s, &h.total.own);
    work(s, &h.total.observed);
    number(s, &h.seconds);
    draws_of(s, r, a, &h, &kept);
    a->loaded.slab_words = words_for(r, a, &a->kernel);
    word(s, &a->loaded.slab_words);
    s->bad |=
        s->in && !cs_metric_serves(m->metric, &m->kernel, r->target->space.dim);
    if (s->bad || !sound(r, a, m, &kept, all))
        return cs_fail(err, CS_INPUT,
                       "corrupt checkpoint: arm %s is inconsistent", a->name);
    all->most = m->steps > all->most ? m->steps : all->most;
    if (s->in)
        status = cs_arm_reserve(a, &m->kernel, err);
    if (status == CS_OK)
        status = lane_room(r, a->loaded.slab_words, err);
    if (status != CS_OK)
        return status;
    h.steps = m->steps;
    h.warmup = m->tuning.active ? UINT64_MAX : m->tuning.warmup_steps;
    h.finished = m->finished;
    *read = h;
    if (!apply)
        return CS_OK;
    given = how == CS_SAVED_PLACE ? given : read;
    set_arm(a, m, &plan, &given->total, &kept);
    set_seconds(a, given->seconds);
    cs_diagnosed_place(a, given->each, (size_t)given->diagnosed);
    return CS_OK;
}

/* Returns the factor by which saved rows, one per `was` steps, are thinned to
 * one per `now` steps. If this thinning is not possible, returns 0. */
static uint64_t thinner(uint64_t now, uint64_t was)
{
    return now % was ? 0 : now / was;
}

/* Computes the thinning of the rows that were read. */
static cs_status rows_of(const cs_arm *a, const cs_saved_head *h,
                         cs_saved_how how, rows *n, cs_error *err)
{
    uint64_t each;
    cs_diagnosed_rows(a, &each);
    *n = (rows){.kept = h->used,
                .diagnosed = h->diagnosed,
                .kept_by = 1,
                .diagnosed_by = 1};
    if (how != CS_SAVED_FILL)
        return CS_OK;
    n->kept_by = thinner(a->front->recorder[CS_KEPT].every, h->every);
    n->diagnosed_by = h->diagnosed ? thinner(each, h->each) : 1;
    return n->kept_by && n->diagnosed_by
               ? CS_OK
               : cs_fail(err, CS_INPUT,
                         "corrupt checkpoint: arm %s is inconsistent", a->name);
}

/* Writes or reads one arm. When reading, a first pass only checks the data. It
 * changes nothing in the run, but reserves the memory, so that the second pass,
 * which applies the data, cannot fail. */
static cs_status arm_of(stream *s, cs_run *r, cs_arm *a, cs_saved_pace *all,
                        cs_saved_how how, cs_saved_head *head, cs_arm_mark m,
                        cs_error *err)
{
    rows n;
    cs_saved_head read;
    cs_chains own = cs_share_of(r, s->share, (size_t)(a - r->arm));
    cs_status status = head_of(s, r, a, all, how, head, &read, &m, err);
    if (status == CS_OK)
        status = rows_of(a, &read, how, &n, err);
    if (status == CS_OK && head && how != CS_SAVED_PLACE)
        *head = read;
    bool apply = how == CS_SAVED_LOAD || how == CS_SAVED_FILL;
    n.anew = all->anew;
    n.words = a->loaded.slab_words;
    n.probes = all->probes;
    for (size_t c = own.first; c < own.end && status == CS_OK; c++)
        status = chain(s, r, a, c, &m.kernel, n, apply, err);
    if (status != CS_OK)
        return status;
    for (size_t c = own.first; m.tuning.active && c < own.end; c++)
        remembered(s, a, c, r->saving->lane_words, apply);
    if (m.tuning.active)
        gathered(s, a, apply);
    if (a->learns)
        learned(s, a, apply);
    if (s->bad && !s->in)
        return cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    return CS_OK;
}

cs_status cs_saved_arm(stream *s, cs_run *r, cs_arm *a, cs_saved_pace *all,
                       cs_saved_how how, cs_saved_head *head, cs_error *err)
{
    if (a->diagnosed->once)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the draws are read only once: the run cannot be saved");
    cs_arm_mark m = cs_arm_mark_of(a);
    cs_status status = one_metric(s, a->metric, 0, &m.metric, err);
    if (status == CS_OK)
        status = arm_of(s, r, a, all, how, head, m, err);
    cs_metric_let_go(m.metric);
    return status;
}

cs_status cs_saved_chains(stream *s, cs_run *r, cs_arm *a, bool diagnosed,
                          cs_error *err)
{
    uint64_t each;
    cs_chains own = cs_share_of(r, s->share, (size_t)(a - r->arm));
    bool tunes = a->tuning && a->tuning->active;
    rows n = {.kept = a->front->recorder[CS_KEPT].used,
              .diagnosed = diagnosed ? cs_diagnosed_rows(a, &each) : 0,
              .kept_by = 1,
              .diagnosed_by = 1};
    n.words = a->loaded.slab_words = words_for(r, a, &a->kernel);
    cs_status status = lane_room(r, n.words, err);
    for (size_t c = own.first; c < own.end && status == CS_OK; c++)
        status = chain(s, r, a, c, &a->kernel, n, s->in != NULL, err);
    for (size_t c = own.first; tunes && c < own.end && !status; c++)
        remembered(s, a, c, r->saving->lane_words, s->in != NULL);
    return status;
}

static void blank(const cs_recorder *recorder, size_t lanes, size_t row)
{
    for (size_t l = 0; l < lanes; l++)
        for (size_t i = 0; i < recorder->used; i++)
            recorder->row[(l * recorder->capacity + i) * row] = CS_NO_DRAW;
}

void cs_saved_blank(cs_arm *a)
{
    size_t row = cs_diagnosed_row(a->diagnosed);
    for (size_t b = 0; b < a->n_blocks; b++) {
        const cs_block *block = a->block[b];
        const cs_recorder *diagnosed = &block->recorder[CS_DIAGNOSED];
        const cs_recorder *kept = &block->recorder[CS_KEPT];
        blank(kept, block->live, stored_row(kept, draw_row(a)));
        if (a->diagnosed->rows && cs_arm_first(a, b) < a->diagnosed->chains)
            blank(diagnosed, diagnosed->lanes, row);
    }
}

/* Writes the arm to *out, or only counts its bytes. */
static cs_status write_arm(stream *to, cs_run *r, cs_arm *a, cs_error *err)
{
    cs_saved_pace all = {.steps = r->steps, .behind = true};
    cs_status s = cs_saved_arm(to, r, a, &all, CS_SAVED_LOOK, NULL, err);
    cs_pack_free(&to->pack);
    to->pack = (cs_pack){.byte = NULL};
    return s;
}

cs_status cs_arm_transfer(cs_run *r, cs_arm *a, cs_run *from, cs_arm *old,
                          bool anew, cs_error *err)
{
    stream count = {.out = NULL};
    cs_status s = write_arm(&count, from, old, err);
    if (s != CS_OK)
        return s;
    stream to = {.out = cs_alloc(1, count.at + 1)};
    if (!to.out)
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    s = write_arm(&to, from, old, err);
    for (int apply = 0; apply < 2 && s == CS_OK; apply++) {
        stream in = {.in = to.out, .size = to.at};
        cs_saved_pace all = {.steps = from->steps,
                             .behind = true,
                             .anew = anew,
                             .probes = cs_block_probe_words(old->block[0])};
        s = cs_saved_arm(&in, r, a, &all, apply ? CS_SAVED_LOAD : CS_SAVED_LOOK,
                         NULL, err);
    }
    cs_free(to.out);
    return s;
}
