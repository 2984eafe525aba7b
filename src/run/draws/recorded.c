/* A target without a density, and a kernel that moves each chain of an arm to
 * the next row of the chain's file. Rows are read on the owner's thread, one
 * row at a time while the run advances. If the run has gone back, reading
 * starts at a nearby row whose position in the file is known. */
#include "run/draws/recorded.h"
#include "run/arms/arms.h"
#include "run/arms/run_state.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 208 };
enum { ENDED = 1, UNREADABLE, NO_NUMBER };

static const size_t none = SIZE_MAX;

typedef struct reader {
    cs_kernel_type type;
    const char *stats[CS_KERNEL_STATS + 1]; /* ends with NULL */
    char *stat_name[CS_KERNEL_STATS];       /* [own] */
    size_t stat[CS_KERNEL_STATS], n_stats;  /* columns of the stats */
    /* accept, weight: columns of accept_stat__ and log_weight__, or `none`; x:
     * columns of the variables [dim] [own] */
    size_t accept, weight, *x;
    size_t dim;
    cs_recorded_read *read;
    void **of;   /* [chains] first arguments of `read` [own] */
    double *row; /* [columns] [own] */
} reader;

typedef struct recorded {
    reader *arm; /* [n] [own] */
    size_t n;
    char **name; /* [dim] names of the variables [own] */
    size_t dim;
} recorded;

/* ---- the kernel ---- */

/* Writes a value to a lane; padding lanes copy the last chain. */
static void put(const cs_move *m, size_t lane, double *row, double value)
{
    size_t end = lane + 1 == m->live ? m->lanes : lane + 1;
    for (size_t l = lane; l < end; l++)
        row[l] = value;
}

static void put_flag(const cs_move *m, size_t lane, bool *row, bool value)
{
    size_t end = lane + 1 == m->live ? m->lanes : lane + 1;
    for (size_t l = lane; l < end; l++)
        row[l] = value;
}

/* Reads the row of a lane. Returns true if the lane's state changed. */
static bool take_row(const cs_move *m, const reader *a, size_t l)
{
    const cs_info *i = &m->info;
    bool moved = false;
    for (size_t d = 0; d < a->dim; d++) {
        double x = a->row[a->x[d]], *at = m->x + d * m->lanes;
        moved |= at[l] != x;
        put(m, l, at, x);
    }
    put(m, l, i->logp, a->row[0]);
    if (i->log_weight)
        put(m, l, i->log_weight, a->row[a->weight]);
    if (i->accept_stat)
        put(m, l, i->accept_stat, a->row[a->accept]);
    for (size_t k = 0; k < a->n_stats; k++)
        put(m, l, i->stat + k * m->lanes, a->row[a->stat[k]]);
    return moved;
}

static void give_up(cs_move *m, size_t l, int code)
{
    m->failed[l] = true;
    m->why[l] = (cs_reason){.code = code, .row = (double)m->streams.step};
}

static bool has_logp(const reader *a)
{
    return !a->type.logp;
}

static void step(cs_move *m)
{
    const reader *a = m->self;
    const cs_info *i = &m->info;
    for (size_t l = 0; l < m->live; l++) {
        bool moved = false;
        if (!m->failed[l]) {
            cs_recorded_state got = a->read(a->of[m->streams.chain[l]],
                                            m->streams.step - 1, a->row);
            if (got != CS_RECORDED)
                give_up(m, l, got == CS_RECORDED_ENDED ? ENDED : UNREADABLE);
            else if (has_logp(a) && !(a->row[0] < HUGE_VAL))
                give_up(m, l, NO_NUMBER);
            else
                moved = take_row(m, a, l);
        }
        put(m, l, i->logp_proposal, i->logp[l]);
        put(m, l, i->logp_change, 0);
        put(m, l, i->log_q_forward, 0);
        put(m, l, i->log_q_back, 0);
        put(m, l, i->log_ratio, 0);
        put(m, l, i->log_uniform, 0);
        put_flag(m, l, i->accepted, moved);
        put_flag(m, l, i->moved, moved);
    }
    m->info.proposal = NULL;
}

/* Starts a chain at its first draw, if the chain has a draw, because earlier
 * states of the chain are unknown. */
static void init(cs_move *m)
{
    const reader *a = m->self;
    for (size_t l = 0; l < m->live; l++) {
        bool there = m->fresh && a->read(a->of[m->streams.chain[l]], 0,
                                         a->row) == CS_RECORDED;
        if (there)
            take_row(m, a, l);
        if (!there || !(m->info.logp[l] < HUGE_VAL))
            put(m, l, m->info.logp, 0);
        if (m->info.log_weight && !there)
            put(m, l, m->info.log_weight, 0);
    }
}

static void explain(const cs_reason *why, char *text, size_t size)
{
    static const char *const words[] = {
        [ENDED] = "does not exist: the chain had stopped",
        [UNREADABLE] = "cannot be read",
        [NO_NUMBER] = "has an lp__ that is not a number"};
    snprintf(text, size, "row %.0f of its file %s", why->row, words[why->code]);
}

static cs_logp_kind no_logp(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_LOGP_NONE;
}

/* ---- the target ---- */

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->self = cs_alloc(1, sizeof(recorded));
    return t->self ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for draws");
}

static void destroy(cs_target *t)
{
    recorded *r = t->self;
    for (size_t i = 0; i < r->n; i++) {
        reader *a = &r->arm[i];
        for (size_t k = 0; k < a->n_stats; k++)
            cs_free(a->stat_name[k]);
        cs_free(a->x);
        cs_free((void *)a->of);
        cs_free(a->row);
    }
    for (size_t d = 0; d < r->dim; d++)
        cs_free(r->name[d]);
    cs_free((void *)r->name);
    cs_free(r->arm);
    cs_free(r);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = (double)NAN;
}

/* Uses a constant as prior density, since the states in a file may have any
 * values. */
static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = 0;
    for (size_t k = 0; g && k < t->space.dim * at->lanes; k++)
        g[k] = 0;
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const recorded *r = t->self;
    snprintf(text, size, "%s", r->name[i]);
}

static void start(const cs_target *t, const double *uniform, double *x)
{
    (void)uniform;
    memset(x, 0, t->space.dim * sizeof *x);
}

static const cs_target_type recorded_type = {
    .name = "recorded",
    .title = "Draws read from files",
    .ref = "",
    .help = "The draws are read from files; their density is unknown.",
    .flags = CS_TARGET_HIDDEN | CS_TARGET_UNNORMALISED,
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .prior = prior,
    .coordinate = coordinate,
    .start = start,
};

bool cs_run_is_recorded(const cs_run *r)
{
    return cs_run_target(r)->type == &recorded_type;
}

/* ---- construction ---- */

static bool is_figure(const char *name)
{
    size_t n = strlen(name);
    return n >= 2 && strcmp(name + n - 2, "__") == 0;
}

/* A column: its index and its name. */
typedef struct place {
    const char *name; /* [borrowed] */
    size_t column;
} place;

/* The columns of a file. They are sorted by name for fast searches, since there
 * may be a million columns. */
typedef struct places {
    place *at; /* [n] [own] */
    size_t n;
} places;

static int by_name(const void *a, const void *b)
{
    const place *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->column > y->column) - (x->column < y->column);
}

static places sort_columns(const cs_recorded_arm *from)
{
    places p = {cs_alloc(from->columns, sizeof *p.at), from->columns};
    for (size_t k = 0; p.at && k < p.n; k++)
        p.at[k] = (place){from->column[k], k};
    if (p.at)
        qsort(p.at, p.n, sizeof *p.at, by_name);
    return p;
}

/* Returns the first column with this name. */
static size_t find_column(const places *p, const char *name)
{
    size_t low = 0, high = p->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(p->at[mid].name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < p->n && strcmp(p->at[low].name, name) == 0 ? p->at[low].column
                                                            : none;
}

/* Marks the columns of the first file that another file also has. */
static cs_status mark_shared(const cs_recorded_arm *first,
                             const cs_recorded_arm *other, bool *shared,
                             cs_error *err)
{
    places p = sort_columns(other);
    if (!p.at)
        return cs_fail(err, CS_MEMORY, "out of memory for the variables");
    for (size_t k = 0; k < first->columns; k++)
        shared[k] &= find_column(&p, first->column[k]) != none;
    cs_free(p.at);
    return CS_OK;
}

static cs_status copy_names(recorded *r, const cs_recorded_arm *from,
                            const bool *shared, cs_error *err)
{
    for (size_t k = 0; k < from->columns; k++) {
        if (!shared[k])
            continue;
        r->name[r->dim] = cs_copy_text(from->column[k]);
        if (!r->name[r->dim++])
            return cs_fail(err, CS_MEMORY, "out of memory for the variables");
    }
    return CS_OK;
}

static cs_status take_names(recorded *r, const cs_recorded_arm *from, size_t n,
                            cs_error *err)
{
    r->name = cs_alloc(from->columns, sizeof *r->name);
    bool *shared = cs_alloc(from->columns, sizeof *shared);
    cs_status status = CS_OK;
    if (!r->name || !shared)
        status = cs_fail(err, CS_MEMORY, "out of memory for the variables");
    for (size_t k = 0; status == CS_OK && k < from->columns; k++)
        shared[k] = !is_figure(from->column[k]);
    for (size_t i = 1; status == CS_OK && i < n; i++)
        status = mark_shared(from, &from[i], shared, err);
    if (status == CS_OK)
        status = copy_names(r, from, shared, err);
    cs_free(shared);
    if (status || r->dim)
        return status;
    cs_fail(err, CS_INPUT, "the files have no variable in common%s",
            n > 1 ? ": their arms come from different models" : "");
    cs_hint(err, "name the folder of one run");
    return CS_INPUT;
}

/* Selects further sampler columns, up to the maximum number. */
static cs_status take_stats(reader *a, const cs_recorded_arm *from,
                            cs_error *err)
{
    for (size_t k = 1; k < from->columns && a->n_stats < CS_KERNEL_STATS; k++) {
        const char *name = from->column[k];
        if (!is_figure(name) || k == a->accept || k == a->weight ||
            strcmp(name, "stepsize__") == 0)
            continue;
        a->stat[a->n_stats] = k;
        a->stats[a->n_stats] = a->stat_name[a->n_stats] = cs_copy_text(name);
        if (!a->stats[a->n_stats++])
            return cs_fail(err, CS_MEMORY, "out of memory for the columns");
    }
    return CS_OK;
}

/* Returns true if the files contain no log p. This is found from the first
 * draw. */
static bool lacks_logp(const reader *a, size_t chains)
{
    for (size_t c = 0; c < chains; c++)
        if (a->read(a->of[c], 0, a->row) == CS_RECORDED)
            return isnan(a->row[0]);
    return false;
}

static void set_type(reader *a, size_t chains)
{
    a->type = (cs_kernel_type){
        .name = "recorded",
        .title = "Draws read from files",
        .ref = "",
        .help = "Each step reads the next draw from the chain's file.",
        .spaces = CS_CONTINUOUS,
        .flags = CS_KERNEL_EXACT | CS_KERNEL_MAIN_THREAD | CS_KERNEL_HIDDEN |
                 CS_KERNEL_SIMULATES,
        .stats = a->stats,
        .init = init,
        .step = step,
        .explain = explain,
        .logp = lacks_logp(a, chains) ? no_logp : NULL};
    if (a->weight != none)
        a->type.flags |= CS_KERNEL_WEIGHS;
    if (a->accept != none)
        a->type.flags |= CS_KERNEL_ACCEPT_STAT;
}

static cs_status make_arm(const recorded *r, reader *a,
                          const cs_recorded_arm *from, cs_error *err)
{
    a->x = cs_alloc(r->dim, sizeof *a->x);
    a->of = cs_alloc(from->chains, sizeof(void *));
    a->row = cs_alloc(from->columns, sizeof *a->row);
    a->read = from->read;
    a->dim = r->dim;
    places p = sort_columns(from);
    if (!a->x || !a->of || !a->row || !p.at) {
        cs_free(p.at);
        return cs_fail(err, CS_MEMORY, "out of memory for arm %s", from->name);
    }
    a->accept = find_column(&p, "accept_stat__");
    a->weight = find_column(&p, "log_weight__");
    memcpy((void *)a->of, from->of, from->chains * sizeof(void *));
    for (size_t d = 0; d < r->dim; d++)
        a->x[d] = find_column(&p, r->name[d]);
    cs_free(p.at);
    cs_status status = take_stats(a, from, err);
    set_type(a, from->chains);
    return status;
}

static cs_status fill_in(cs_target *t, const cs_recorded_arm *from, size_t n,
                         const char *model, cs_error *err)
{
    recorded *r = t->self;
    cs_status status = cs_target_call(t, *model ? model : "draws", err);
    if (status == CS_OK)
        status = take_names(r, from, n, err);
    r->arm = status ? NULL : cs_alloc(n, sizeof *r->arm);
    if (status == CS_OK && !r->arm)
        status = cs_fail(err, CS_MEMORY, "out of memory for the arms");
    for (size_t i = 0; i < n && status == CS_OK; i++) {
        r->n++;
        status = make_arm(r, &r->arm[i], &from[i], err);
    }
    t->space.dim = r->dim;
    return status;
}

cs_status cs_recorded_target(cs_target **out, const cs_recorded_arm *from,
                             size_t n, const char *model, cs_error *err)
{
    cs_status status = cs_target_create(&recorded_type, NULL, 0, out, err);
    if (status)
        return status;
    status = fill_in(*out, from, n, model, err);
    if (status)
        cs_target_release(*out);
    return status;
}

cs_kernel cs_recorded_kernel(const cs_target *t, size_t arm)
{
    reader *of = &((const recorded *)t->self)->arm[arm];
    return (cs_kernel){.type = &of->type, .self = of};
}
