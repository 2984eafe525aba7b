/* Stores the draws that a run keeps, and passes draws to its sink. Workers
 * write draws to the recorders of their blocks, which have a fixed number of
 * rows. */
#include "run/draws/draw_store.h"
#include "base/memory.h"
#include "chain/narrow_row.h"
#include "chain/tally.h"
#include "run/arms/run_state.h"
#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"

#include <string.h>

enum { KEEP = 4096, KEEP_BYTES = 64 << 20, MOST_TOUCHED = 2 << 20 };
enum { MOST_TOUCHED_LARGE = 32 << 20, PAGE = 4096 / sizeof(double) };
enum { SINK_BYTES = 8 << 20 }; /* memory for draws that wait for the sink */

/* Touches the pages that draws will soon fill, before the first step. The first
 * access to a page takes longer than storing draws in the page. Touches at most
 * MOST_TOUCHED bytes per arm. If each chain fills large pages, touches at most
 * MOST_TOUCHED_LARGE bytes for all arms together. */
static void touch(double *kept, size_t chains, size_t bytes, size_t arms)
{
    size_t most = MOST_TOUCHED;
    if (bytes / chains >= CS_LARGE_PAGE) {
        cs_memory_large(kept, bytes);
        most = MOST_TOUCHED_LARGE / arms;
    }
    most = bytes < most ? bytes : most;
    for (size_t at = 0; at < most / sizeof *kept; at += PAGE) {
        /* writes back the value that was read, since in a loaded run these
         * pages already contain draws */
        volatile double *page = kept + at;
        *page = *page;
    }
}

const char *const cs_draws_lead[] = {"lp__", "log_weight__"};

size_t cs_arm_lead(const cs_arm *a)
{
    return cs_draws_weigh(a->first.type) ? 2 : 1;
}

/* Returns the number of words in a kept draw: lead, quantities, auxiliary
 * variables. */
static size_t kept_row(const cs_run *r, const cs_arm *a)
{
    bool bytes = cs_target_is_narrow(r->target);
    return cs_arm_lead(a) + cs_narrow_words(bytes, cs_target_shown(r->target)) +
           a->aux;
}

/* Returns the number of rows, a power of two so that thinning halves it
 * exactly. */
static size_t choose_keep(const cs_run *r, const cs_arm *a)
{
    size_t keep = 2, shown = cs_target_shown(r->target);
    size_t row = (cs_arm_lead(a) + shown + a->aux) * sizeof(double);
    if (r->draws->keep) {
        while (keep < r->draws->keep && keep < SIZE_MAX / 4)
            keep *= 2;
        return keep;
    }
    keep = KEEP;
    while (keep > 2 && keep > KEEP_BYTES / row / a->chains)
        keep /= 2;
    return keep;
}

double cs_draws_words(const cs_run *r, const cs_arm *a)
{
    return (double)choose_keep(r, a) * (double)kept_row(r, a);
}

cs_status cs_draws_create(cs_run *r, cs_arm *a, cs_error *err)
{
    size_t capacity = choose_keep(r, a), row = kept_row(r, a);
    bool fits = capacity < SIZE_MAX / sizeof(double) / row / a->chains;
    a->draws = cs_alloc(1, sizeof *a->draws);
    if (!a->draws)
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", a->name);
    a->draws->kept =
        fits ? cs_alloc(a->chains * capacity * row, sizeof(double)) : NULL;
    if (!a->draws->kept)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for %zu draws of %zu "
                       "chains",
                       capacity, a->chains);
    a->draws->lead = cs_lead_names(a->kernel.type, a->draws->lead_name);
    for (size_t b = 0; b < a->n_blocks; b++)
        cs_block_recorder(
            a->block[b], CS_KEPT,
            (cs_recorder){.every = 1,
                          .capacity = capacity,
                          .row = a->draws->kept +
                                 cs_arm_first(a, b) * capacity * row,
                          .thin = true,
                          .bytes = cs_target_is_narrow(r->target),
                          .lead = cs_arm_lead(a),
                          .name = cs_draws_lead,
                          .type = a->first.type,
                          .aux = a->aux});
    return CS_OK;
}

void cs_draws_free(cs_arm *a)
{
    if (!a->draws)
        return;
    cs_free(a->draws->kept);
    cs_free(a->draws->written);
    cs_free(a->draws->written_rows);
    cs_free(a->draws);
}

void cs_draws_touch(cs_run *r)
{
    if (r->draws->touched)
        return;
    r->draws->touched = true;
    for (size_t i = 0; i < r->n_arms; i++) {
        const cs_arm *a = &r->arm[i];
        size_t capacity = a->front->recorder[CS_KEPT].capacity;
        touch(a->draws->kept, a->chains,
              a->chains * capacity * kept_row(r, a) * sizeof *a->draws->kept,
              r->n_arms);
    }
}

size_t cs_run_weighed_draws(const cs_run *r, size_t arm, size_t chain,
                            double *out, double *log_weight, uint64_t *every)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return 0;
    const cs_arm *a = &r->arm[arm];
    const cs_recorder *recorder = &cs_arm_block(a, chain)->recorder[CS_KEPT];
    size_t row = kept_row(r, a), lead = cs_arm_lead(a), used = 0;
    size_t shown = cs_target_shown(r->target);
    const double *from =
        recorder->row + cs_arm_lane(a, chain) * recorder->capacity * row;
    if (every)
        *every = recorder->every;
    for (size_t i = 0; i < recorder->used; i++, from += row) {
        if (!cs_is_draw(from)) /* skips states of hot or stopped chains */
            continue;
        if (out) {
            *out++ = from[0];
            cs_narrow_copy(out, false, from + lead, recorder->bytes, shown);
            memcpy(out + shown, from + row - a->aux, a->aux * sizeof *out);
            out += shown + a->aux;
        }
        if (log_weight)
            log_weight[used] = lead > 1 ? from[1] : 0;
        used++;
    }
    return used;
}

size_t cs_run_draws(const cs_run *r, size_t arm, size_t chain, double *out,
                    uint64_t *every)
{
    return cs_run_weighed_draws(r, arm, chain, out, NULL, every);
}

bool cs_run_weighs(const cs_run *r, size_t arm)
{
    return arm < r->n_arms && cs_arm_lead(&r->arm[arm]) > 1;
}

bool cs_run_loses_weights(const cs_run *r, size_t arm)
{
    const cs_arm *a = &r->arm[arm];
    bool differ = false;
    for (size_t b = 0; b < a->n_blocks; b++) {
        const cs_block *block = a->block[b];
        const double *state = block->tally + CS_TALLY_WEIGHTS * block->lanes;
        for (size_t l = 0; l < block->live; l++)
            /* state 2: the chain has draws with different weights */
            differ |= block->weights.are_numbers && state[l] == 2;
    }
    return differ && cs_arm_lead(a) == 1;
}

size_t cs_run_columns(const cs_run *r, size_t arm, const char *const **name)
{
    if (arm >= r->n_arms)
        return 0;
    *name = r->arm[arm].draws->lead_name;
    return r->arm[arm].draws->lead;
}

size_t cs_run_aux(const cs_run *r, size_t arm)
{
    return arm < r->n_arms ? r->arm[arm].aux : 0;
}

void cs_run_aux_name(const cs_run *r, size_t arm, size_t i, char *text,
                     size_t size)
{
    cs_kernel_aux_name(&r->arm[arm].first, r->target, i, text, size);
}

static size_t row_of(const cs_run *r, const cs_arm *a)
{
    return a->draws->lead + cs_target_shown(r->target) + a->aux;
}

static void set_recorders(cs_run *r, uint64_t thin)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        size_t each = r->draws->capacity * row_of(r, a);
        size_t *count = thin ? a->draws->written_rows : NULL;
        for (size_t b = 0; b < a->n_blocks; b++)
            cs_block_recorder(
                a->block[b], CS_WRITTEN,
                (cs_recorder){
                    .every = thin,
                    .capacity = r->draws->capacity,
                    .row = thin ? a->draws->written + cs_arm_first(a, b) * each
                                : NULL,
                    .count = count ? count + cs_arm_first(a, b) : NULL,
                    .warmup = thin && r->draws->warmup_sink,
                    .lead = a->draws->lead,
                    .name = a->draws->lead_name,
                    .type = a->first.type,
                    .aux = a->aux});
    }
}

/* Chooses the number of rows for the sink: fewer rows, and more frequent
 * flushes, for many chains or long draws. */
static size_t choose_sink_room(const cs_run *r)
{
    size_t words = 0;
    for (size_t i = 0; i < r->n_arms; i++)
        words += r->arm[i].chains * row_of(r, &r->arm[i]);
    size_t capacity = SINK_BYTES / sizeof(double) / words;
    return capacity < 1 ? 1 : capacity < CS_QUANTUM ? capacity : CS_QUANTUM;
}

uint64_t cs_draws_steps(const cs_run *r)
{
    cs_draw_store *d = r->draws;
    if (!d->sink || d->thin >= CS_QUANTUM)
        return CS_QUANTUM;
    return d->capacity * d->thin;
}

cs_status cs_run_sink(cs_run *r, cs_draw_sink sink, void *self, uint64_t thin,
                      cs_error *err)
{
    cs_draw_store *d = r->draws;
    d->capacity = choose_sink_room(r);
    for (size_t i = 0; sink && i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        size_t bytes = d->capacity * row_of(r, a) * sizeof(double);
        if (!a->draws->written)
            a->draws->written = cs_alloc(a->chains, bytes);
        if (!a->draws->written_rows)
            a->draws->written_rows =
                cs_alloc(a->chains, sizeof *a->draws->written_rows);
        if (!a->draws->written || !a->draws->written_rows)
            return cs_fail(err, CS_MEMORY, "out of memory for the draws");
    }
    d->sink = sink;
    d->self = self;
    d->thin = sink ? (thin ? thin : 1) : 0;
    d->warmup_sink = NULL;
    set_recorders(r, d->thin);
    return CS_OK;
}

void cs_run_sink_warmups(cs_run *r, cs_warmup_sink over)
{
    r->draws->warmup_sink = over;
    set_recorders(r, r->draws->thin);
    for (size_t i = 0; i < r->n_arms; i++)
        r->arm[i].draws->warmup_reported = false;
}

/* Returns the number of draws after the warm-up and before step `end`, counting
 * one draw per `every` steps. */
static uint64_t due(uint64_t warmup_steps, uint64_t every, uint64_t end)
{
    return every && end > warmup_steps + 1 ? (end - 1 - warmup_steps) / every
                                           : 0;
}

/* Returns the number of rows that a chain recorded for the sink after step
 * `first` and before the chain stopped. Rows that were recorded after the chain
 * stopped are not counted. */
static size_t written_of(const cs_block *b, size_t l, uint64_t first)
{
    const cs_recorder *recorder = &b->recorder[CS_WRITTEN];
    if (b->move.info.log_weight)
        return recorder->count[l];
    if (b->failed[l] == 0)
        return recorder->used;
    uint64_t dead = due(first, recorder->every, b->step + 1) -
                    due(first, recorder->every, (uint64_t)b->failed[l]);
    return dead < recorder->used ? recorder->used - (size_t)dead : 0;
}

/* Passes the rows of an arm to the sink. Rows of a finished warm-up are counted
 * from the arm's first step. */
static void flush_arm(cs_run *r, size_t arm, bool warmup)
{
    cs_arm *a = &r->arm[arm];
    size_t row = row_of(r, a);
    for (size_t c = 0; c < a->chains; c++) {
        const cs_block *b = cs_arm_block(a, c);
        const cs_recorder *recorder = &b->recorder[CS_WRITTEN];
        size_t l = cs_arm_lane(a, c);
        size_t n = written_of(b, l, warmup ? 0 : b->warmup_steps);
        if (n)
            r->draws->sink(r->draws->self, arm, c,
                           recorder->row + l * r->draws->capacity * row, n);
        a->draws->written_rows[c] = 0;
    }
    for (size_t b = 0; b < a->n_blocks; b++)
        a->block[b]->recorder[CS_WRITTEN].used = 0;
}

void cs_draws_flush(cs_run *r)
{
    for (size_t i = 0; r->draws->sink && i < r->n_arms; i++)
        flush_arm(r, i, false);
}

void cs_draws_end_warmups(cs_run *r)
{
    for (size_t i = 0; r->draws->warmup_sink && i < r->n_arms; i++) {
        cs_arm *a = &r->arm[i];
        bool off = a->front->recorder[CS_WRITTEN].every == 0;
        if (a->draws->warmup_reported || off ||
            (a->tuning && a->tuning->active) || cs_learns_now(a))
            continue;
        flush_arm(r, i, true);
        r->draws->warmup_sink(r->draws->self, i);
        a->draws->warmup_reported = true;
    }
}

bool cs_run_set_data_lines(cs_run *r, const char *text)
{
    char *lines = cs_copy_text(text);
    if (!lines)
        return false;
    cs_free(r->draws->data_lines);
    r->draws->data_lines = lines;
    return true;
}

const char *cs_run_data_lines(const cs_run *r)
{
    return r->draws->data_lines;
}
