/* Diagnosed draws: log p and the quantities of each chain in separate
 * recorders, for R-hat and ESS.
 *
 * When a recorder is full, every second draw is removed, so it has 4096 to 8192
 * draws per chain. Up to eight chains are recorded, with all coordinates that
 * fit in 160 MiB. With this number of draws R-hat can show whether the chains
 * agree, however long the run is. A few hundred draws would not be sufficient,
 * because R-hat from n thinned draws has an error of 1 / n. If draws are
 * written to files, or if the run has no screen, all draws and all coordinates
 * are kept, above 64 MiB in a file without a name, so that the figures describe
 * all draws. A resumed run reads these draws back from the files. */
#include "run/draws/diagnosed.h"
#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/draws/draw_store.h"
#include "run/draws/recall.h"
#include "run/draws/sample.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"

#include <string.h>

enum {
    FIRST_ROOM = 1024,
    WIDE_ROOM = 16,
    LEAST = 256,
    EACH = 8192,
    IN_ALL = 65536
};
enum { MOST_CHAINS = 1024 };
static const double usual_bytes = 160 << 20, max_bytes = 512 << 20;
/* If all draws are kept: from this number of bytes on in a file, and the
 * largest file. */
static const size_t spill_from = 64 << 20;
static const double spill_bytes = (double)(UINT64_C(16) << 30);

static size_t probe_of(const cs_run *r)
{
    size_t p = 0;
    while (p < r->n_probes && !r->probe[p].type->diagnosed)
        p++;
    return p;
}

static double share_of(const cs_run *r, double bytes)
{
    double each = max_bytes / (double)r->n_arms;
    return bytes < each ? bytes : each;
}

/* Returns the bytes that an arm may use if all draws are kept. */
static double share_of_all(const cs_run *r)
{
    double most = cs_spill_most(spill_bytes);
    return (most > max_bytes ? most : max_bytes) / (double)r->n_arms;
}

/* Returns the number of chains that are diagnosed, rounded to complete groups
 * of chains that move together. */
static size_t chains_of(const cs_arm *a)
{
    size_t group = cs_kernel_group(&a->first);
    size_t most =
        group < MOST_CHAINS ? MOST_CHAINS - MOST_CHAINS % group : group;
    return a->chains < most ? a->chains : most;
}

/* Returns the default number of rows. If the budget has fewer steps than this,
 * returns a smaller number, so that more coordinates fit in memory. */
static size_t usual_room(const cs_run *r, const cs_arm *a)
{
    size_t capacity = EACH;
    while (capacity > LEAST && capacity * chains_of(a) > IN_ALL)
        capacity /= 2;
    while (capacity > LEAST && r->budget.steps &&
           capacity / 2 >= r->budget.steps)
        capacity /= 2;
    return capacity;
}

/* Returns the number of coordinates that fit in memory if each value is a
 * word. */
static size_t coordinates(const cs_run *r, const cs_arm *a)
{
    double scalar = 8.0 * (double)usual_room(r, a) * (double)chains_of(a);
    size_t shown = cs_target_shown(r->target);
    double most = share_of(r, usual_bytes) / scalar;
    size_t n = most > 2 ? (size_t)most - 1 : 1;
    return n < shown ? n : shown;
}

double cs_diagnosed_words(const cs_run *r, const cs_arm *a)
{
    if (probe_of(r) == r->n_probes)
        return 0;
    size_t words =
        cs_narrow_words(cs_target_is_narrow(r->target), coordinates(r, a));
    return (double)usual_room(r, a) * (double)(cs_arm_lead(a) + words) *
           (double)chains_of(a) / (double)a->chains;
}

static void set_recorders(cs_arm *a, uint64_t every, size_t used)
{
    cs_diagnosed *j = a->diagnosed;
    size_t row = cs_diagnosed_row(j);
    for (size_t b = 0; b < a->n_blocks; b++) {
        size_t first = cs_arm_first(a, b), live = a->block[b]->live;
        size_t left = j->chains > first ? j->chains - first : 0;
        if (left == 0)
            break;
        cs_block_recorder(a->block[b], CS_DIAGNOSED,
                          (cs_recorder){.every = every,
                                        .lanes = left < live ? left : live,
                                        .capacity = j->capacity,
                                        .used = used,
                                        .row = j->rows + cs_arm_first(a, b) *
                                                             j->capacity * row,
                                        .thin = true,
                                        .bytes = j->bytes,
                                        .lead = j->lead,
                                        .name = cs_draws_lead,
                                        .most = j->coordinates,
                                        .true_logp = j->true_logp});
    }
}

/* Allocates `capacity` rows per chain. If memory runs out, returns false and
 * changes nothing. */
static bool grow(cs_arm *a, size_t capacity)
{
    cs_diagnosed *j = a->diagnosed;
    size_t row = cs_diagnosed_row(j), words = row * capacity;
    cs_spill memory;
    if (capacity > SIZE_MAX / row / j->chains / sizeof(double) ||
        !cs_spill_begin(&memory, j->chains * words * sizeof(double), spill_from,
                        (size_t)max_bytes))
        return false;
    double *next = memory.at;
    const cs_recorder *recorder = &a->front->recorder[CS_DIAGNOSED];
    size_t valid = recorder->valid;
    for (size_t c = 0; j->rows && c < j->chains; c++)
        memcpy(next + c * words, j->rows + c * row * j->capacity,
               valid * row * sizeof *next);
    cs_spill_end(&j->memory);
    j->memory = memory;
    j->rows = next;
    j->released = 0;
    j->prepared = valid;
    j->capacity = capacity;
    set_recorders(a, recorder->every, recorder->used);
    for (size_t b = 0; b < a->n_blocks; b++)
        a->block[b]->recorder[CS_DIAGNOSED].valid = valid;
    return true;
}

cs_status cs_diagnosed_create(cs_run *r, cs_arm *a, cs_error *err)
{
    size_t p = probe_of(r);
    a->diagnosed = cs_alloc(1, sizeof *a->diagnosed);
    if (!a->diagnosed)
        return cs_fail(err, CS_MEMORY, "out of memory for the diagnostics");
    a->diagnosed->quantiles = cs_usual_quantiles;
    if (p == r->n_probes)
        return CS_OK;
    a->diagnosed->chains = chains_of(a);
    a->diagnosed->lead = cs_arm_lead(a);
    a->diagnosed->coordinates = coordinates(r, a);
    a->diagnosed->bytes = cs_target_is_narrow(r->target);
    a->diagnosed->most = usual_room(r, a);
    a->diagnosed->true_logp = r->probe[p].true_logp;
    a->diagnosed->found =
        cs_alloc(1 + a->diagnosed->coordinates, sizeof *a->diagnosed->found);
    size_t capacity =
        a->diagnosed->most < FIRST_ROOM ? a->diagnosed->most : FIRST_ROOM;
    if (!a->diagnosed->found || !grow(a, capacity))
        return cs_fail(err, CS_MEMORY, "out of memory for the diagnostics");
    set_recorders(a, r->probe[p].every, 0);
    return CS_OK;
}

/* Sets the maximum number of rows to the number that fits in the limit for runs
 * that keep all draws. */
static void allow_all(const cs_run *r, cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    double row = (double)(j->lead + j->coordinates) * sizeof(double);
    double rows = share_of_all(r) / row / (double)j->chains;
    while ((double)j->most * 2 <= rows)
        j->most *= 2;
}

bool cs_diagnosed_fits(const cs_run *r, cs_arm *a, uint64_t rows)
{
    cs_diagnosed *j = a->diagnosed;
    if (j->rows && rows > j->most)
        allow_all(r, a);
    if (rows > j->most || (rows && !j->rows))
        return false;
    size_t capacity = j->capacity;
    while (capacity < rows)
        capacity *= 2;
    return !j->rows || capacity == j->capacity || grow(a, capacity);
}

void cs_diagnosed_place(cs_arm *a, uint64_t every, size_t used)
{
    if (a->diagnosed->rows)
        set_recorders(a, every, used);
}

/* Begins to store the draws in tiles, if the run never goes back, and if it is
 * known that there will be too many draws for memory. */
static void begin_tiles(cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    const cs_recorder *recorder = &a->front->recorder[CS_DIAGNOSED];
    uint64_t rows = a->limit.on && a->limit.last && recorder->every
                        ? a->limit.at / recorder->every
                        : 0;
    size_t width = cs_diagnosed_row(j);
    if (!j->once || j->bytes || recorder->valid || rows > j->most ||
        (double)rows * (double)(width * j->chains * sizeof(double)) <
            (double)spill_from)
        return;
    j->tiles = cs_tiles_new(j->chains, width, (size_t)rows);
    if (!j->tiles)
        return;
    cs_spill_end(&j->memory);
    a->limit.fixed = true;
    j->rows = j->tiles->window;
    j->capacity = j->tiles->room;
    set_recorders(a, recorder->every, 0);
    for (size_t b = 0; b < a->n_blocks; b++)
        a->block[b]->recorder[CS_DIAGNOSED].thin = false;
}

/* Moves complete tiles to the file. */
static void store_tiles(cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    cs_tiles_store(j->tiles, a->front->recorder[CS_DIAGNOSED].used);
    for (size_t b = 0; b < a->n_blocks; b++)
        a->block[b]->recorder[CS_DIAGNOSED].gone = j->tiles->stored;
}

/* Releases the pages of rows that are complete, from time to time. */
static void release_rows(cs_arm *a)
{
    enum { PAGES = 2 << 20 }; /* bytes of a chain between two releases */
    cs_diagnosed *j = a->diagnosed;
    size_t row = cs_diagnosed_row(j) * sizeof *j->rows;
    size_t used = a->front->recorder[CS_DIAGNOSED].used;
    if (!j->memory.in_file || used < j->released)
        j->released = used < j->released ? used : j->released;
    if (!j->memory.in_file || (used - j->released) * row * j->chains < PAGES)
        return;
    for (size_t c = 0; c < j->chains; c++)
        cs_spill_release(&j->memory,
                         (const char *)j->rows +
                             (c * j->capacity + j->released) * row,
                         (used - j->released) * row);
    j->released = used;
}

/* Prepares the memory of the rows up to number `rows`, and of some more. */
static void prepare_rows(cs_arm *a, uint64_t rows)
{
    enum { AHEAD = 2 << 20 }; /* bytes of a chain */
    cs_diagnosed *j = a->diagnosed;
    const cs_recorder *recorder = &a->front->recorder[CS_DIAGNOSED];
    size_t row = cs_diagnosed_row(j) * sizeof *j->rows, from = j->prepared;
    from = recorder->used > from ? recorder->used : from;
    from = recorder->valid > from ? recorder->valid : from;
    if (!j->memory.in_file || rows <= from)
        return;
    uint64_t end = rows + AHEAD / row;
    end = end < j->capacity ? end : j->capacity;
    for (size_t c = 0; c < j->chains && end > from; c++)
        cs_spill_prepare(&j->memory,
                         (char *)j->rows + (c * j->capacity + from) * row,
                         (size_t)(end - from) * row);
    j->prepared = (size_t)end;
}

/* Draws that are read from files are known to exist: there is room for all of
 * them at once, so that no rows are copied. */
void cs_diagnosed_make_room(cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    if (j->rows && !j->tiles)
        begin_tiles(a);
    if (j->tiles)
        store_tiles(a);
    if (!j->rows || j->tiles)
        return;
    release_rows(a);
    const cs_recorder *recorder = &a->front->recorder[CS_DIAGNOSED];
    uint64_t next = recorder->used + a->round.steps / recorder->every + 2;
    uint64_t rows = next;
    uint64_t known = a->limit.on ? a->limit.at / recorder->every : 0;
    rows = known > rows ? known : rows;
    size_t capacity = j->capacity;
    while (capacity < rows && capacity < j->most)
        capacity *= 2;
    if (capacity > j->capacity)
        grow(a, capacity);
    prepare_rows(a, next);
}

/* Returns the number of draws that a chain has made, counting one draw per
 * `every` steps. */
static uint64_t due(const cs_arm *a, uint64_t every)
{
    bool tunes = (a->tuning && a->tuning->active) || cs_learns_now(a);
    return tunes ? 0 : (a->steps - a->warmup_steps) / every;
}

/* Allocates rows of the width that j->coordinates requires, without their
 * former contents. Returns false, and changes nothing, if they do not fit in
 * the limit for runs that keep all draws, or if memory runs out. */
static bool resize_rows(const cs_run *r, cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    double row = (double)cs_diagnosed_row(j) * sizeof(double);
    double rows = share_of_all(r) / row / (double)j->chains;
    size_t capacity = j->capacity; /* wide rows: few at first */
    while (capacity > WIDE_ROOM &&
           (double)capacity * row * (double)j->chains > (double)spill_from)
        capacity /= 2;
    if ((double)capacity > rows)
        return false;
    for (size_t b = 0; b < a->n_blocks; b++) /* rows of the former width */
        a->block[b]->recorder[CS_DIAGNOSED].valid = 0;
    if (!grow(a, capacity))
        return false;
    while (j->most > j->capacity && (double)j->most > rows)
        j->most /= 2;
    return true;
}

/* Records all coordinates, also those for which the usual memory is too small,
 * if the arm has no rows yet. Weighted draws may be saved with checkpoints, in
 * rows of the usual width. */
static void widen(const cs_run *r, cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    size_t shown = cs_target_shown(r->target), was = j->coordinates;
    bool saved = (a->first.type->flags & CS_KERNEL_WEIGHS) ||
                 cs_kernel_group(&a->first) > 1;
    if (was >= shown || saved)
        return;
    cs_diagnosis *found = cs_alloc(1 + shown, sizeof *found);
    j->coordinates = shown;
    if (found && resize_rows(r, a)) {
        cs_free(j->found);
        j->found = found;
        return;
    }
    j->coordinates = was;
    cs_free(found);
}

static void keep_all(const cs_run *r, cs_arm *a, uint64_t thin, bool in_files)
{
    cs_diagnosed *j = a->diagnosed;
    bool other = j->true_logp && a->front->logp_kind != CS_LOGP_EXACT;
    /* if `other` is true, the rows contain the target's log p, but the files
     * contain the kernel's log p */
    if (!j->rows || other)
        return;
    uint64_t every, each = j->thin = thin ? thin : 1;
    size_t used = cs_diagnosed_rows(a, &every);
    if (used == 0)
        widen(r, a);
    allow_all(r, a);
    j->in_files = in_files && used == 0;
    if (used == 0)
        set_recorders(a, each, 0);
    if (used == 0 || (every == each && used == due(a, every)))
        j->written = each;
}

void cs_run_judge_all(cs_run *r, uint64_t thin)
{
    for (size_t i = 0; i < r->n_arms; i++)
        keep_all(r, &r->arm[i], thin, true);
}

void cs_run_keep_all(cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++)
        if (!r->arm[i].diagnosed->written)
            keep_all(r, &r->arm[i], 1, false);
}

void cs_run_read_once(cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++)
        r->arm[i].diagnosed->once = true;
}

void cs_run_keep_quantities(cs_run *r)
{
    uint64_t every;
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].diagnosed->rows &&
            cs_diagnosed_rows(&r->arm[i], &every) == 0)
            widen(r, &r->arm[i]);
}

size_t cs_diagnosed_rows(const cs_arm *a, uint64_t *every)
{
    *every = 1;
    if (!a->diagnosed->rows)
        return 0;
    *every = a->front->recorder[CS_DIAGNOSED].every;
    return a->front->recorder[CS_DIAGNOSED].used;
}

/* ---- draws in files ---- */

static double *row_of(const cs_arm *a, size_t chain, size_t i)
{
    const cs_diagnosed *j = a->diagnosed;
    return j->rows + (chain * j->capacity + i) * cs_diagnosed_row(j);
}

/* Returns true if every row is a draw. The last rows of a stopped chain need
 * not be draws. */
static bool is_regular(const cs_arm *a, size_t chain)
{
    size_t n = a->front->recorder[CS_DIAGNOSED].used, draws = 0;
    if (a->diagnosed->tiles)
        return cs_tiles_draws(a->diagnosed->tiles, chain, n) == n;
    for (size_t i = 0; i < n; i++) {
        bool draw = cs_is_draw(row_of(a, chain, i));
        if (draw && draws < i)
            return false;
        draws += draw;
    }
    return draws == n ||
           cs_arm_block(a, chain)->failed[cs_arm_lane(a, chain)] != 0;
}

static bool are_regular(const cs_arm *a)
{
    if (a->diagnosed->irregular)
        return false;
    for (size_t c = 0; c < a->diagnosed->chains;
         c += cs_kernel_group(&a->first))
        if (cs_arm_owns(a, c) && !is_regular(a, c))
            return false;
    return true;
}

bool cs_diagnosed_in_files(const cs_arm *a)
{
    return a->diagnosed->rows && a->diagnosed->in_files && are_regular(a);
}

/* Prepares to read the draws back. If the draws do not fit in memory, only
 * every second, fourth, eighth, ... draw is read. */
uint64_t cs_run_recall(cs_run *r, size_t arm)
{
    cs_arm *a = &r->arm[arm];
    cs_diagnosed *j = a->diagnosed;
    if (!j->rows || j->tiles || !j->in_files ||
        a->front->recorder[CS_DIAGNOSED].used)
        return 0;
    uint64_t n = due(a, j->written), by = 1;
    while (n / by > j->most)
        by *= 2;
    if (n / by == 0 || !cs_diagnosed_fits(r, a, n / by))
        return 0;
    set_recorders(a, j->written * by, (size_t)(n / by));
    for (size_t c = 0; c < j->chains; c++)
        for (size_t i = 0; i < n / by; i++)
            row_of(a, c, i)[0] = CS_NO_DRAW;
    return n;
}

static size_t column_of(const cs_arm *a, const char *name)
{
    size_t k = 0;
    while (k + 1 < a->draws->lead && strcmp(a->draws->lead_name[k], name) != 0)
        k++;
    return k;
}

void cs_run_recall_draw(cs_run *r, size_t arm, size_t chain, uint64_t i,
                        const double *row)
{
    const cs_arm *a = &r->arm[arm];
    const cs_recorder *recorder = &a->front->recorder[CS_DIAGNOSED];
    uint64_t by = recorder->every / a->diagnosed->thin;
    if (chain >= a->diagnosed->chains || (i + 1) % by ||
        (i + 1) / by > recorder->used)
        return;
    double *to = row_of(a, chain, (size_t)((i + 1) / by - 1));
    to[0] = row[0];
    for (size_t k = 1; k < a->diagnosed->lead; k++)
        to[k] = row[column_of(a, cs_draws_lead[k])];
    cs_narrow_copy(to + a->diagnosed->lead, a->diagnosed->bytes,
                   row + a->draws->lead, false, a->diagnosed->coordinates);
}

bool cs_diagnosed_leave(cs_arm *a, cs_chains to_files)
{
    cs_diagnosed *j = a->diagnosed;
    if (!j->lacking)
        j->lacking = cs_alloc(j->chains, sizeof *j->lacking);
    for (size_t c = to_files.first;
         j->lacking && c < to_files.end && c < j->chains; c++)
        j->lacking[c] = true;
    return j->lacking != NULL;
}

bool cs_run_lacks(const cs_run *r, size_t arm, size_t chain)
{
    const cs_diagnosed *j = r->arm[arm].diagnosed;
    return j->lacking && chain < j->chains && j->lacking[chain];
}

void cs_run_recalled(cs_run *r, size_t arm)
{
    cs_arm *a = &r->arm[arm];
    if (!are_regular(a))
        set_recorders(a, a->diagnosed->written, 0);
    r->epoch++;
}

/* ---- views ---- */

bool cs_rows_begin(cs_row_reader *r, const cs_diagnosed_view *v,
                   const cs_diagnosed_chain *c)
{
    *r = (cs_row_reader){.view = v, .chain = c};
    if (v->tiles)
        r->tile = cs_alloc(2 * v->tiles->height * v->width, sizeof *r->tile);
    return r->tile || !v->tiles;
}

void cs_rows_end(cs_row_reader *r)
{
    cs_free(r->tile);
}

void cs_rows_load(cs_row_reader *r, size_t i)
{
    const cs_tiles *t = r->view->tiles;
    r->first = i - i % t->height;
    r->end = r->first + t->height;
    cs_tiles_rows(t, r->chain->index, i, r->tile + t->height * t->width,
                  r->tile);
}

/* Returns the number of rows that are draws. */
static size_t count(const cs_diagnosed_view *v, const cs_diagnosed_chain *c)
{
    size_t n = 0;
    if (v->tiles)
        return cs_tiles_draws(v->tiles, c->index, v->rows);
    for (size_t i = 0; i < v->rows; i++)
        n += cs_is_draw(c->row + i * v->width) ? 1 : 0;
    return n;
}

static void look_at(const cs_arm *a, size_t c, cs_diagnosed_view *v)
{
    cs_diagnosed_chain *to = &v->chain[v->n++];
    to->row = v->tiles ? NULL : a->diagnosed->rows + c * v->capacity * v->width;
    to->index = c;
    to->number = c + 1;
    to->failed = cs_arm_block(a, c)->failed[cs_arm_lane(a, c)] != 0;
    to->draws = to->failed || v->weighed ? count(v, to) : v->rows;
}

bool cs_diagnosed_look(const cs_arm *a, const cs_run_sample *sample,
                       cs_diagnosed_view *v)
{
    cs_diagnosed *j = a->diagnosed;
    size_t by = cs_kernel_group(&a->kernel), most = j->chains;
    unsigned flags = a->first.type->flags | a->kernel.type->flags;
    *v = (cs_diagnosed_view){.width = cs_diagnosed_row(j),
                             .lead = j->lead,
                             .quantities = j->coordinates,
                             .bytes = j->bytes,
                             .capacity = j->capacity,
                             .memory = j->tiles ? NULL : &j->memory,
                             .tiles = j->tiles,
                             .chains = j->chains / by,
                             .of = a->chains / by,
                             .quantiles = j->quantiles,
                             .weighed = flags & CS_KERNEL_WEIGHS};
    v->logp = j->true_logp ? CS_LOGP_EXACT : cs_block_logp_seen(a->front);
    v->rows = cs_diagnosed_rows(a, &v->every);
    uint64_t all = due(a, v->every);
    v->missing = all > v->rows ? all - v->rows : 0;
    v->whole = v->missing == 0 && v->every == (j->written ? j->written : 1);
    if (sample)
        most = sample->n * (most / by / sample->groups + 1);
    if (j->rows)
        v->chain = cs_alloc(most, sizeof *v->chain);
    for (size_t c = 0; v->chain && c < j->chains && !sample; c += by)
        look_at(a, c, v);
    for (size_t i = 0; v->chain && sample && i < sample->n; i++)
        for (size_t c = 0; c < j->chains; c += by)
            if (c / by % sample->groups == sample->group[i])
                look_at(a, c, v);
    return v->chain != NULL;
}

/* If `coordinate` is NULL, copies the whole row. Otherwise copies only the lead
 * and n coordinates, one word each. */
static void copy_row(const cs_diagnosed_view *v, const double *from,
                     const size_t *coordinate, size_t n, double *to)
{
    memcpy(to, from, (coordinate ? v->lead : v->width) * sizeof *to);
    for (size_t k = 0; coordinate && k < n; k++)
        to[v->lead + k] =
            cs_narrow_get(from + v->lead, v->bytes, coordinate[k]);
}

static bool copy(cs_diagnosed_view *v, const size_t *coordinate, size_t n)
{
    size_t step = 1, rows, width = coordinate ? v->lead + n : v->width;
    while (v->rows / step > EACH)
        step *= 2;
    rows = v->rows / step;
    v->copy = cs_alloc(v->n * rows * width, sizeof *v->copy);
    bool good = v->copy != NULL;
    for (size_t c = 0; good && c < v->n; c++) {
        double *to = v->copy + c * rows * width;
        cs_row_reader r;
        good = cs_rows_begin(&r, v, &v->chain[c]);
        for (size_t i = 0; good && i < rows; i++)
            copy_row(v, cs_rows_at(&r, (i + 1) * step - 1), coordinate, n,
                     to + i * width);
        cs_rows_end(&r);
        v->chain[c].row = to;
    }
    v->memory = NULL;
    v->tiles = NULL;
    v->width = width;
    v->quantities = coordinate ? n : v->quantities;
    v->bytes &= !coordinate;
    v->rows = v->capacity = rows;
    v->every *= step;
    v->whole &= step == 1;
    for (size_t c = 0; good && c < v->n; c++)
        v->chain[c].draws = count(v, &v->chain[c]);
    return good;
}

bool cs_diagnosed_copy(cs_diagnosed_view *v)
{
    return copy(v, NULL, 0);
}

bool cs_diagnosed_copy_some(cs_diagnosed_view *v, const size_t *coordinate,
                            size_t n)
{
    return copy(v, coordinate, n);
}

void cs_diagnosed_end(cs_diagnosed_view *v)
{
    cs_free(v->chain);
    cs_free(v->copy);
    *v = (cs_diagnosed_view){.n = 0};
}

void cs_run_set_quantiles(cs_run *r, const cs_probabilities *p)
{
    for (size_t i = 0; i < r->n_arms; i++) {
        r->arm[i].diagnosed->quantiles = *p;
        r->arm[i].diagnosed->epoch = 0;
    }
}

const cs_probabilities *cs_run_quantiles(const cs_run *r)
{
    return &r->arm[0].diagnosed->quantiles;
}

void cs_diagnosed_free(cs_arm *a)
{
    cs_diagnosed *j = a->diagnosed;
    if (!j)
        return;
    cs_spill_end(&j->memory);
    cs_tiles_free(j->tiles);
    cs_free(j->found);
    cs_warnings_free(&j->warnings);
    cs_free(j->lacking);
    cs_free(j);
}
