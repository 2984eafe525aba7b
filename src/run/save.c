/* A run as bytes, and back.
 *
 * "CSRUN" 0 0 version, what the run is made of (parts.c) as text, the payload,
 * and FNV-1a over all before; numbers are 64 bits, little-endian. Chains are
 * rows of their own, so that any number of workers and any size of blocks can
 * read them. Kernels and their schedules are texts (chain/kernel_text.h); what
 * has no registered name (a Lua function) must be in the run that loads
 * already. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/parts.h"
#include "run/draws.h"
#include "run/internal.h"
#include "run/stream.h"

#include <math.h>
#include <string.h>

static const uint64_t magic = UINT64_C(0x1000004e55525343); /* version 16 */
static const uint64_t of_any_version = UINT64_C(0x00ffffffffffffff);

/* A text with the byte that ends it: *text [own] is written, or read and then
 * the caller's. */
static cs_status long_text(stream *s, char **text, cs_error *err)
{
    uint64_t n = *text ? strlen(*text) : 0;
    word(s, &n);
    if (s->in && (s->bad || n >= s->size - s->at || s->in[s->at + n] != 0))
        return cs_fail(err, CS_INPUT, "the saved run is cut short");
    if (s->in && !(*text = cs_alloc(n + 1, 1)))
        return cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    bytes(s, *text, n + 1);
    return CS_OK;
}

/* As text, and what the driven parameters were before. */
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
        status = cs_kernel_read(&at, &r->restored, k, plan, err);
    cs_free(p.text);
    for (size_t i = 0; status == CS_OK && i < k->type->n_params; i++) {
        if (!plan->driven[i])
            continue;
        number(s, &k->values[i]);
        status = cs_param_check_number(&k->type->params[i], k->values[i], err);
    }
    return status;
}

/* The arm's, *out [own] when it is read. */
static cs_status metric(stream *s, const cs_arm *a, size_t dim, cs_metric **out,
                        cs_error *err)
{
    uint64_t kind = cs_metric_kind_of(a->metric);
    uint64_t centred = a->metric && a->metric->centre;
    *out = NULL;
    word(s, &kind);
    word(s, &centred);
    size_t n =
        kind < CS_METRICS ? cs_metric_words((cs_metric_kind)kind, dim) : 0;
    size_t more = centred ? dim : 0;
    s->bad |= kind >= CS_METRICS || centred > (n > 0) ||
              (s->in && n + more > (s->size - s->at) / 8);
    if (!s->in && n)
        numbers(s, a->metric->covariance, n);
    if (!s->in && more)
        numbers(s, a->metric->centre, more);
    if (!s->in || !n || s->bad)
        return CS_OK;
    double *x = cs_alloc(n + more, sizeof *x);
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for a metric");
    numbers(s, x, n + more);
    cs_status status = cs_metric_make(out, (cs_metric_kind)kind, dim, x, err);
    if (!status)
        status = cs_metric_set_centre(*out, more ? x + n : NULL, err);
    cs_free(x);
    return status;
}

/* ---- chains ---- */

/* Numbers of a draw that is kept. */
static size_t draw_row(const cs_arm *a)
{
    return cs_arm_lead(a) + cs_target_shown(a->block[0]->target) + a->aux;
}

/* `room`: for a row, which is not to change unless it is kept. */
static void draws(stream *s, const cs_recorder *recorder, uint64_t used,
                  size_t lane, size_t row, double *room, bool keep)
{
    for (size_t i = 0; i < used && !s->bad; i++) {
        double *rows = recorder->row + (lane * recorder->room + i) * row;
        memcpy(room, rows, row * sizeof *room);
        packed(s, room, row);
        if (keep && !s->bad)
            memcpy(rows, room, row * sizeof *room);
    }
}

/* What a tuner at work remembers of a chain. */
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

/* What a tuner at work has gathered of the window under way. */
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

/* How far the tuner is: the results of its trials say the rest. */
static void tuning(stream *s, cs_arm *a, cs_arm_mark *m, bool apply)
{
    cs_tuning *g = a->tuning;
    if (!g)
        return;
    uint64_t trials = m->trials;
    double start[CS_TUNER_DRIVEN]; /* a user may have set it */
    memcpy(start, g->tuner.start, sizeof start);
    numbers(s, g->tuner.start, CS_TUNER_DRIVEN);
    flag(s, &m->tuning);
    word(s, &trials);
    word(s, &m->trial_steps);
    s->bad |= trials >= g->room;
    for (size_t i = 0; i < trials && !s->bad; i++) {
        g->read[i] = g->result[i];
        number(s, &g->read[i]);
        s->bad |= g->read[i] < 0 || g->read[i] > 1;
        if (apply && !s->bad)
            g->result[i] = g->read[i];
    }
    m->trials = (size_t)trials;
    for (size_t i = 0; i < g->tuner.n_driven; i++)
        s->bad |=
            cs_param_check_number(&a->kernel.type->params[g->tuner.param[i]],
                                  g->tuner.start[i], NULL) != CS_OK;
    s->bad |= s->bad || !cs_tuning_place(a, m, g->read);
    if (!apply)
        memcpy(g->tuner.start, start, sizeof start);
}

/* Where in the words of a chain. */
static size_t at_logp(const cs_run *r)
{
    return r->target->space.dim;
}

/* The log density of a saved state, asked for once more: whatever the target
 * is made of, it is to be the same. Sums that are carried on from step to step
 * may be off by rounding. What a target learns is not in place yet. */
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
            "target: the log density where chain %zu of arm %s stands was "
            "%.9g, is %.9g",
            c + 1, a->name, was, is);
    return CS_INPUT;
}

/* Rows of each chain that follow it. */
typedef struct rows {
    uint64_t kept, judged;
    bool anew; /* the target is another one, by intention */
} rows;

/* `k`: the kernel that the chain has. `apply`: what was read goes into the
 * chain. lane_words is room for one. A state that is no point of the space is
 * nothing to go on from. */
static cs_status chain(stream *s, cs_run *r, cs_arm *a, size_t c,
                       const cs_kernel *k, rows n, bool apply, cs_error *err)
{
    double *lane_words = r->lane_words;
    cs_block *b = cs_arm_block(a, c);
    size_t lane = c % a->lanes;
    if (!s->in)
        cs_block_save_lane(b, lane, lane_words);
    packed(s, lane_words, a->slab_words);
    s->bad |= s->in && !cs_space_contains(b->move.space, lane_words, 1);
    bool known = cs_kernel_logp(k, r->target) == CS_LOGP_EXACT;
    if (s->in && !s->bad && !apply && known) {
        cs_status status =
            n.anew ? CS_OK : same_density(r, a, c, lane_words, err);
        if (status != CS_OK)
            return status;
    }
    if (apply && !s->bad)
        cs_block_load_lane(b, lane, lane_words);
    draws(s, &b->recorder[CS_KEPT], n.kept, lane, draw_row(a), lane_words,
          apply);
    draws(s, &b->recorder[CS_JUDGED], c < a->judged.chains ? n.judged : 0, lane,
          cs_arm_lead(a) + a->judged.coordinates, lane_words, apply);
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
    cs_tuning_place(a, m, NULL);
    a->steps = m->steps;
    a->finished = m->finished;
    a->work_loaded = total->own;
    a->observed_loaded = total->observed;
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_block *block = a->block[b];
        block->step = a->steps;
        block->eval.work = block->observer.work = (cs_work){0};
        block->recorder[CS_KEPT].every = kept->every;
        block->recorder[CS_KEPT].used = block->recorder[CS_KEPT].valid =
            kept->used;
    }
}

/* What the arm has taken so far; of this run nothing. */
static void set_seconds(cs_run *r, cs_arm *a, double seconds)
{
    a->seconds_loaded = seconds;
    for (size_t i = 0; i < r->n_items; i++)
        if (r->item[i].arm == a)
            r->item[i].seconds = 0;
}

/* The steps of the run, and of the arm that has come farthest. */
typedef struct pace {
    uint64_t steps, most;
    bool behind; /* an arm may be behind the run: see cs_run_adopt ... */
    bool anew;   /* ... and its target another one */
} pace;

/* Arms that are not finished are where the run is. */
static bool sound(const cs_run *r, const cs_arm *a, const cs_arm_mark *m,
                  const cs_recorder *kept, const pace *all)
{
    bool together = m->finished || all->behind ? m->steps <= all->steps
                                               : m->steps == all->steps;
    bool tunes =
        !m->tuning || (m->warmup_steps == 0 && m->kernel.type == a->first.type);
    return together && tunes && m->warmup_steps <= m->steps &&
           words_for(r, a, &m->kernel) == a->slab_words && kept->every &&
           kept->used <= a->block[0]->recorder[CS_KEPT].room &&
           cs_arm_fits(r, a, &m->kernel, NULL) == CS_OK;
}

/* Room for a chain of any block, as these are now, or a draw. */
static cs_status lane_room(cs_run *r, cs_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < r->n_items; i++)
        if (r->item[i].block->slab_room > most)
            most = r->item[i].block->slab_room;
    for (size_t i = 0; i < r->n_arms; i++)
        if (draw_row(&r->arm[i]) > most)
            most = draw_row(&r->arm[i]);
    cs_free(r->lane_words);
    r->lane_words = cs_alloc(most, sizeof(double));
    return r->lane_words ? CS_OK
                         : cs_fail(err, CS_MEMORY, "out of memory for a chain");
}

/* One arm. When reading without `apply` nothing of the run changes but
 * memory is made sure of, so that applying cannot fail. */
static cs_status arm_of(stream *s, cs_run *r, cs_arm *a, pace *all, bool apply,
                        cs_arm_mark m, cs_error *err)
{
    m.finished |= r->lifted; /* so it was where the budget ended */
    cs_recorder kept = a->block[0]->recorder[CS_KEPT];
    cs_block_work total = {cs_arm_work(a), cs_arm_observed(a)};
    double seconds = cs_run_arm(r, (size_t)(a - r->arm)).seconds;
    uint64_t used = kept.used;
    cs_plan plan = a->plan;
    cs_status status = kernel(s, r, &m.kernel, &plan, err);
    if (status != CS_OK)
        return status;
    word(s, &m.steps);
    word(s, &m.warmup_steps);
    flag(s, &m.finished);
    tuning(s, a, &m, apply);
    work(s, &total.own);
    work(s, &total.observed);
    number(s, &seconds);
    word(s, &kept.every);
    word(s, &used);
    kept.used = (size_t)used;
    /* those that stand in files are read back from there */
    uint64_t each, judged = cs_judged_rows(a, &each);
    judged = r->beside_files && cs_judged_in_files(a) ? 0 : judged;
    word(s, &each);
    word(s, &judged);
    s->bad |= !each || !cs_judged_fits(r, a, judged);
    a->slab_words = words_for(r, a, &a->kernel);
    word(s, &a->slab_words);
    if (s->bad || !sound(r, a, &m, &kept, all))
        return cs_fail(err, CS_INPUT, "the saved arm %s makes no sense",
                       a->name);
    all->most = m.steps > all->most ? m.steps : all->most;
    if (s->in)
        status = cs_arm_reserve(a, &m.kernel, err);
    if (status == CS_OK)
        status = lane_room(r, err);
    if (status != CS_OK)
        return status;
    if (apply)
        set_arm(a, &m, &plan, &total, &kept);
    if (apply)
        set_seconds(r, a, seconds);
    if (apply)
        cs_judged_place(a, each, (size_t)judged);
    for (size_t c = 0; c < a->chains && status == CS_OK; c++)
        status = chain(s, r, a, c, &m.kernel, (rows){used, judged, all->anew},
                       apply, err);
    if (status != CS_OK)
        return status;
    for (size_t c = 0; m.tuning && c < a->chains; c++)
        remembered(s, a, c, r->lane_words, apply);
    if (m.tuning)
        gathered(s, a, apply);
    if (s->bad && !s->in)
        return cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    return CS_OK;
}

static cs_status arm(stream *s, cs_run *r, cs_arm *a, pace *all, bool apply,
                     cs_error *err)
{
    cs_arm_mark m = cs_arm_mark_of(a);
    cs_status status = metric(s, a, r->target->space.dim, &m.metric, err);
    if (status == CS_OK)
        status = arm_of(s, r, a, all, apply, m, err);
    cs_metric_let_go(m.metric);
    return status;
}

/* Counts, or writes to *out. */
static cs_status write_arm(stream *to, cs_run *r, cs_arm *a, cs_error *err)
{
    pace all = {.steps = r->steps, .behind = true};
    cs_status s = arm(to, r, a, &all, false, err);
    cs_pack_free(&to->pack);
    to->pack = (cs_pack){.byte = NULL};
    return s;
}

cs_status cs_arm_take_over(cs_run *r, cs_arm *a, cs_run *from, cs_arm *old,
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
        pace all = {.steps = from->steps, .behind = true, .anew = anew};
        s = arm(&in, r, a, &all, apply, err);
    }
    cs_free(to.out);
    return s;
}

/* ---- the whole ---- */

/* What may be another when a run goes on. */
enum { FIELDS = 6 };
static const char *const field_name[FIELDS] = {
    "steps", "gradients", "log_densities", "data_terms", "seconds", "workers"};

static void fields_of(const cs_run *r, double *x)
{
    const cs_budget *b = &r->budget;
    const double now[FIELDS] = {
        (double)b->steps,      (double)b->gradients, (double)b->log_densities,
        (double)b->data_terms, b->seconds,           (double)r->workers};
    memcpy(x, now, sizeof now);
}

/* The changes in `text`, written down when `apply`, else only looked at. */
static cs_status take_journal(cs_run *r, const char *text, bool apply,
                              cs_error *err)
{
    for (size_t n = 0;; n++) {
        cs_change c;
        cs_redo how;
        bool end = false;
        cs_status s = cs_journal_read(r, &text, &c, &how, &end, err);
        if (s == CS_OK)
            s = cs_change_room(r, n + 1 + FIELDS, err);
        if (s == CS_OK && !end && apply) {
            r->journal[n] = c;
            r->redo[n] = how;
            r->n_journal = r->n_all = n + 1;
            continue;
        }
        cs_redo_clear(&how);
        if (s != CS_OK || end)
            return s;
    }
}

static cs_status journal(stream *s, cs_run *r, bool apply, cs_error *err)
{
    char *text = NULL;
    cs_status status = s->in ? CS_OK : cs_run_journal_text(r, &text, err);
    if (status == CS_OK)
        status = long_text(s, &text, err);
    if (status == CS_OK && s->in)
        status = take_journal(r, text, apply, err);
    cs_free(text);
    return status;
}

/* Those that differ are changes of the step at which it goes on; take_journal
 * made room for them. */
static void note_fields(cs_run *r, const double *was)
{
    double is[FIELDS];
    fields_of(r, is);
    for (size_t i = 0; i < FIELDS; i++) {
        if (is[i] == was[i])
            continue;
        cs_change *c = &r->journal[r->n_journal];
        *c = (cs_change){.step = r->steps, .arm = CS_NO_ARM, .value = is[i]};
        strcpy(c->what, field_name[i]);
        r->redo[r->n_journal++] = (cs_redo){.kind = CHANGED_RUN};
        r->n_all = r->n_journal;
    }
}

static cs_status payload(stream *s, cs_run *r, bool apply, cs_error *err)
{
    pace all = {.steps = r->steps};
    double seconds = r->seconds, fields[FIELDS];
    fields_of(r, fields);
    word(s, &all.steps);
    number(s, &seconds);
    numbers(s, fields, FIELDS);
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_status status = arm(s, r, &r->arm[i], &all, apply, err);
        if (status != CS_OK)
            return status;
    }
    for (size_t i = 0; i < r->target->n_learned; i++) {
        double value = r->target->learned[i];
        number(s, &value);
        if (apply)
            r->target->learned[i] = value;
    }
    if (s->bad)
        return cs_fail(err, CS_INPUT, "the saved run is cut short");
    if (s->in && all.steps != all.most)
        return cs_fail(err, CS_INPUT, "the saved steps make no sense");
    if (apply && r->target->n_learned)
        cs_run_learned(r);
    if (apply) {
        cs_change_forget(r, 0);
        r->steps = all.steps;
        r->seconds = seconds;
        r->epoch++;
    }
    cs_status status = journal(s, r, apply, err);
    if (status == CS_OK && apply)
        note_fields(r, fields);
    return status;
}

static cs_status write_all(stream *s, cs_run *r, cs_error *err)
{
    uint64_t first = magic;
    word(s, &first);
    cs_status status = long_text(s, &r->parts, err);
    return status ? status : payload(s, r, false, err);
}

cs_status cs_run_save(cs_run *r, unsigned char **out, size_t *size,
                      cs_error *err)
{
    stream to = {.out = NULL};
    *out = NULL;
    *size = 0;
    if (cs_run_behind(r)) {
        cs_fail(err, CS_UNSUPPORTED,
                "an arm that was added has yet to reach step %llu",
                (unsigned long long)r->steps);
        cs_hint(err, "let the run go on until it has, then save");
        return CS_UNSUPPORTED;
    }
    cs_status s = write_all(&to, r, err); /* counts */
    to.out = s ? NULL : cs_alloc(1, to.at + 8);
    if (!s && !to.out)
        s = cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    to.at = 0;
    if (!s)
        s = write_all(&to, r, err);
    cs_pack_free(&to.pack);
    if (s != CS_OK) {
        cs_free(to.out);
        return s;
    }
    uint64_t sum = cs_checksum(to.out, to.at);
    word(&to, &sum);
    *out = to.out;
    *size = to.at;
    return CS_OK;
}

cs_status cs_run_save_beside(cs_run *r, unsigned char **out, size_t *size,
                             cs_error *err)
{
    r->beside_files = true;
    cs_status s = cs_run_save(r, out, size, err);
    r->beside_files = false;
    return s;
}

static cs_status refuse_parts(const char *difference, cs_error *err)
{
    cs_fail(err, CS_INPUT, "this is not the run that was saved: %s",
            difference);
    cs_hint(err, "put it back as it was, or start anew; a parameter of a "
                 "kernel can be changed on the way: --set ARM.PARAM=VALUE");
    return CS_INPUT;
}

/* What the saved run was made of, and what this one is. */
static cs_status check_parts(const cs_run *r, stream *s, cs_error *err)
{
    char difference[400], *was = NULL;
    cs_status status = long_text(s, &was, err);
    if (status == CS_OK &&
        cs_parts_differ(was, r->parts, difference, sizeof difference))
        status = refuse_parts(difference, err);
    cs_free(was);
    return status;
}

static cs_status check_head(const cs_run *r, stream *s, cs_error *err)
{
    uint64_t first = 0, sum = 0;
    stream end = {.in = s->in, .at = s->size - 8, .size = s->size};
    word(s, &first);
    word(&end, &sum);
    if (((first ^ magic) & of_any_version) == 0 && first != magic) {
        cs_fail(err, CS_INPUT,
                "the run was saved by another version of chainscope");
        cs_hint(err, "go on with that version, or start anew");
        return CS_INPUT;
    }
    if (first != magic)
        return cs_fail(err, CS_INPUT, "this is no saved run");
    if (sum != cs_checksum(s->in, s->size - 8))
        return cs_fail(err, CS_INPUT, "the saved run is damaged");
    s->size -= 8;
    return check_parts(r, s, err);
}

cs_status cs_run_load(cs_run *r, const unsigned char *in, size_t size,
                      cs_error *err)
{
    stream s = {.in = in, .size = size};
    if (size < 24)
        return cs_fail(err, CS_INPUT, "the saved run is cut short");
    cs_status status = check_head(r, &s, err);
    stream again = s;
    if (status == CS_OK)
        status = payload(&s, r, false, err);
    if (status == CS_OK)
        status = payload(&again, r, true, err);
    if (status != CS_OK)
        return status;
    r->lifted = false;
    cs_branch_free(r);
    r->end = r->steps;
    for (size_t i = 0; i < r->n_arms; i++) /* the budget may be another */
        r->arm[i].finished = cs_arm_is_finished(r, &r->arm[i]);
    cs_marks_forget(r);
    r->begun = true;
    cs_marks_take(r);
    return CS_OK;
}
