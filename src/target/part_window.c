#include "target/part_window.h"

#include "base/memory.h"
#include "simd/simd.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rows ---------------------------------------------------------------- */

/* Copies a row of lanes. The compiler copies the eight lanes of a single chain
 * in registers. */
static inline void copy_row(void *to, const void *from, size_t row)
{
    enum { EIGHT = CS_PAD * sizeof(double) };
    if (row == EIGHT)
        memcpy(to, from, EIGHT);
    else
        memcpy(to, from, row);
}

void cs_part_window_gather(const cs_part_window *w, const double *around,
                           size_t lanes, double *x)
{
    assert(around && x);
    size_t row = lanes * sizeof *x;
    if (!w->coordinate)
        memcpy(x, around + w->first * lanes, w->n * row);
    for (size_t i = 0; w->coordinate && i < w->n; i++)
        copy_row(x + i * lanes, around + w->coordinate[i] * lanes, row);
}

void cs_part_window_scatter(const cs_part_window *w, const double *x,
                            size_t lanes, double *around)
{
    assert(around && x);
    size_t row = lanes * sizeof *x;
    if (!w->coordinate)
        memcpy(around + w->first * lanes, x, w->n * row);
    for (size_t i = 0; w->coordinate && i < w->n; i++)
        copy_row(around + w->coordinate[i] * lanes, x + i * lanes, row);
}

/* Copies the window's rows of a gradient of the whole, in double or single
 * precision. */
static void cut(const cs_part_window *w, const void *from, size_t row, void *to)
{
    const char *rows = from;
    char *g = to;
    if (!w->coordinate)
        memcpy(g, rows + w->first * row, w->n * row);
    for (size_t i = 0; w->coordinate && i < w->n; i++)
        copy_row(g + i * row, rows + w->coordinate[i] * row, row);
}

/* ---- evaluation ---------------------------------------------------------- */

static const cs_part_window *self_of(const cs_target *t)
{
    return t->self;
}

/* Returns the point of the whole: writes the window's states to their rows, and
 * reserves the first `own` rows of the scratch for the window. */
static cs_point enter(const cs_part_window *w, const cs_point *at, size_t own)
{
    assert(at->around && at->x != at->around);
    if (!at->around_is_x)
        cs_part_window_scatter(w, at->x, at->lanes, at->around);
    cs_point whole = *at;
    whole.x = at->around;
    whole.from = whole.from_cache = NULL;
    whole.around = NULL;
    whole.scratch = at->scratch + own * at->lanes;
    return whole;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, 0);
    w->whole->type->log_density(w->whole, &whole, logp);
}

/* The gradient of the whole is the first part of the scratch. */
static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, w->whole->space.dim);
    whole.of_sites = !cs_space_is_real(&t->space);
    w->whole->type->gradient(w->whole, &whole, logp, at->scratch);
    cut(w, at->scratch, at->lanes * sizeof *g, g);
}

static void gradient_alone(const cs_target *t, const cs_point *at, double *g)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, w->whole->space.dim);
    whole.of_sites = !cs_space_is_real(&t->space);
    w->whole->type->gradient_alone(w->whole, &whole, at->scratch);
    cut(w, at->scratch, at->lanes * sizeof *g, g);
}

static void force(const cs_target *t, const cs_point *at, float *g)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, w->whole->space.dim);
    float *all = (float *)(void *)at->scratch;
    w->whole->type->force(w->whole, &whole, all);
    cut(w, all, at->lanes * sizeof *g, g);
}

/* Writes the coordinates of the whole to the first row of the scratch. */
static const uint32_t *sites_of(const cs_part_window *w, const cs_point *at,
                                const uint32_t *site)
{
    uint32_t *to = (uint32_t *)(void *)at->scratch;
    for (size_t l = 0; l < at->lanes; l++)
        to[l] = cs_part_window_coordinate(w, site[l]);
    return to;
}

static void differences(const cs_target *t, const cs_point *at,
                        const uint32_t *site, double *d)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, 1);
    w->whole->type->sites.site(w->whole, &whole, sites_of(w, at, site), d);
}

/* The sites are all coordinates of the window. */
static void several(const cs_target *t, const cs_point *at,
                    const uint32_t *site, size_t first, size_t n, bool flips,
                    double *d)
{
    const cs_part_window *w = self_of(t);
    assert(!site && first == 0 && n == w->n);
    (void)site;
    cs_point whole = enter(w, at, 0);
    w->whole->type->sites.several(w->whole, &whole, w->coordinate,
                                  w->first + first, n, flips, d);
}

static const uint32_t *colour(const cs_target *t, size_t number, size_t *n)
{
    const cs_part_window *w = self_of(t);
    if (number >= w->n_colours)
        return NULL;
    size_t first = number ? w->colour_end[number - 1] : 0;
    *n = w->colour_end[number] - first;
    return w->coloured + first;
}

static void sites(const cs_target *t, const cs_point *at, size_t lane,
                  const uint32_t *site, size_t n, size_t stride, double *d)
{
    const cs_part_window *w = self_of(t);
    assert(site >= w->coloured && site + n <= w->coloured + w->n);
    cs_point whole = enter(w, at, 0);
    w->whole->type->sites.sites(w->whole, &whole, lane,
                                w->coloured_whole + (site - w->coloured), n,
                                stride, d);
}

static void moved(const cs_target *t, const cs_point *at, const uint32_t *site,
                  const double *value)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, 1);
    w->whole->type->sites.moved(w->whole, &whole, sites_of(w, at, site), value);
}

/* ---- other functions ----------------------------------------------------- */

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    const cs_part_window *w = self_of(t);
    cs_point whole = enter(w, at, w->whole->space.dim);
    w->whole->type->prior(w->whole, &whole, logp, g ? at->scratch : NULL);
    if (g)
        cut(w, at->scratch, at->lanes * sizeof *g, g);
}

static void coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    const cs_part_window *w = self_of(t);
    cs_target_name_coordinate(w->whole, cs_part_window_coordinate(w, i), text,
                              size);
}

static void allow(const cs_target *t, double seconds)
{
    const cs_target *whole = self_of(t)->whole;
    whole->type->outside.allow(whole, seconds);
}

static bool why(const cs_target *t, char *text, size_t size)
{
    const cs_target *whole = self_of(t)->whole;
    return whole->type->outside.why(whole, text, size);
}

/* ---- instances ----------------------------------------------------------- */

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)t, (void)values, (void)err;
    return CS_OK;
}

static void destroy(cs_target *t)
{
    cs_part_window *w = t->self;
    cs_target_release(w->whole);
    CS_FREE_ALL(w->coordinate, w->coloured, w->coloured_whole, w->colour_end);
}

/* `self` is freed after the type, which is a part of it, was last read. */
static const cs_target_type window_type = {.name = "window",
                                           .title = "A part of a target",
                                           .flags = CS_TARGET_HIDDEN,
                                           .create = create,
                                           .destroy = destroy,
                                           .size = sizeof(cs_part_window),
                                           .log_density = log_density,
                                           .coordinate = coordinate};

const cs_part_window *cs_part_window_of(const cs_target *t)
{
    return t->type->log_density == log_density ? t->self : NULL;
}

/* Gives the window those functions that the whole has. Rows of data, factors,
 * bonds and closed forms are not passed on. */
static void take_functions(cs_part_window *w)
{
    const cs_target_type *whole = w->whole->type;
    cs_target_type *type = &w->type;
    *type = window_type;
    type->title = whole->title;
    type->gradient = whole->gradient ? gradient : NULL;
    type->gradient_alone = whole->gradient_alone ? gradient_alone : NULL;
    type->force = whole->force ? force : NULL;
    type->prior = whole->prior ? prior : NULL;
    type->sites.site = whole->sites.site ? differences : NULL;
    type->sites.moved = whole->sites.moved ? moved : NULL;
    type->sites.several = whole->sites.several ? several : NULL;
    type->sites.colour = w->n_colours ? colour : NULL;
    type->sites.sites = w->n_colours ? sites : NULL;
    type->outside.allow = whole->outside.allow ? allow : NULL;
    type->outside.why = whole->outside.why ? why : NULL;
}

/* Takes the sizes and flags of the whole. A block of the whole with a single
 * chain may have eight lanes, so the window must accept eight. */
static void take_sizes(cs_target *t, const cs_target *whole)
{
    size_t sites = cs_space_sites(&whole->space);
    t->flags = (whole->flags & ~(unsigned)CS_TARGET_PACKED) |
               (whole->type->flags & CS_TARGET_PACKED ? CS_TARGET_EIGHTS : 0) |
               CS_TARGET_HIDDEN;
    t->cache_words = whole->cache_words;
    t->scratch_words = whole->scratch_words + whole->space.dim;
    t->site_cost = whole->site_cost > 0 ? whole->site_cost
                   : sites              ? 1 / (double)sites
                                        : 0;
    t->data_terms = whole->data_terms;
    t->shared_words = whole->shared_words;
    t->gradient.calls = whole->gradient.calls;
    t->gradient.note = whole->gradient.note;
    t->generation = whole->generation;
}

static cs_status refuse_kinds(const cs_target *whole, const char *name,
                              cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "target %s: the kinds or values of %s differ, so one kernel cannot "
            "move them",
            whole->name, name);
    cs_hint(err, "give each of these parameters a member of its own");
    return CS_UNSUPPORTED;
}

/* Sets the space of the window from the parts of its coordinates. */
static cs_status take_space(cs_target *t, const cs_target *whole,
                            const uint32_t *coordinate, size_t n,
                            const char *name, cs_error *err)
{
    const cs_part first = cs_space_part(&whole->space, coordinate[0]);
    for (size_t i = 1; i < n; i++) {
        cs_part p = cs_space_part(&whole->space, coordinate[i]);
        if (p.kind != first.kind || p.low != first.low ||
            p.values != first.values)
            return refuse_kinds(whole, name, err);
    }
    t->space = (cs_space){
        .kind = first.kind, .dim = n, .low = first.low, .values = first.values};
    return CS_OK;
}

static bool is_adjacent(const uint32_t *coordinate, size_t n)
{
    return coordinate[n - 1] - coordinate[0] == n - 1;
}

static bool has_colours(const cs_target *whole)
{
    return whole->type->sites.colour && !cs_space_is_real(&whole->space);
}

/* Writes the index of each coordinate of the whole in the window to place[];
 * UINT32_MAX: the window does not have it. */
static void find_places(const cs_part_window *w, size_t dim, uint32_t *place)
{
    memset(place, 0xff, dim * sizeof *place);
    for (size_t i = 0; i < w->n; i++)
        place[cs_part_window_coordinate(w, i)] = (uint32_t)i;
}

/* Takes the colours of the whole. place[] is that of find_places. */
static void list_colours(cs_part_window *w, const uint32_t *place)
{
    const uint32_t *site;
    size_t n, used = 0;
    for (size_t k = 0; (site = w->whole->type->sites.colour(w->whole, k, &n));
         k++) {
        size_t before = used;
        for (size_t i = 0; i < n; i++)
            if (place[site[i]] != UINT32_MAX) {
                w->coloured[used] = place[site[i]];
                w->coloured_whole[used++] = site[i];
            }
        if (used > before)
            w->colour_end[w->n_colours++] = used;
    }
}

static cs_status take_colours(cs_part_window *w, cs_error *err)
{
    size_t dim = w->whole->space.dim;
    uint32_t *place = cs_alloc(dim, sizeof *place);
    w->coloured = cs_alloc(w->n, sizeof *w->coloured);
    w->coloured_whole = cs_alloc(w->n, sizeof *w->coloured_whole);
    w->colour_end = cs_alloc(w->n, sizeof *w->colour_end);
    bool good = place && w->coloured && w->coloured_whole && w->colour_end;
    if (good) {
        find_places(w, dim, place);
        list_colours(w, place);
    }
    cs_free(place);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for a window");
}

/* Fills a new window of a whole that is not a window. */
static cs_status fill(cs_target *t, cs_target *whole,
                      const uint32_t *coordinate, size_t n, const char *name,
                      cs_error *err)
{
    cs_part_window *w = t->self;
    cs_status s = take_space(t, whole, coordinate, n, name, err);
    if (s)
        return s;
    w->whole = cs_target_hold(whole);
    w->first = coordinate[0];
    w->n = n;
    if (!is_adjacent(coordinate, n)) {
        w->coordinate = cs_alloc(n, sizeof *w->coordinate);
        if (!w->coordinate)
            return cs_fail(err, CS_MEMORY, "out of memory for a window");
        memcpy(w->coordinate, coordinate, n * sizeof *w->coordinate);
    }
    if (has_colours(whole) && cs_space_is_discrete(&t->space))
        s = take_colours(w, err);
    take_functions(w);
    take_sizes(t, whole);
    t->type = &w->type;
    return s ? s : cs_target_call(t, name, err);
}

/* Creates a window of the whole of another window. */
static cs_status create_inside(const cs_part_window *outer,
                               const uint32_t *coordinate, size_t n,
                               const char *name, cs_target **out, cs_error *err)
{
    uint32_t *of = cs_alloc(n, sizeof *of);
    if (!of)
        return cs_fail(err, CS_MEMORY, "out of memory for a window");
    for (size_t i = 0; i < n; i++)
        of[i] = cs_part_window_coordinate(outer, coordinate[i]);
    cs_status s = cs_part_window_create(outer->whole, of, n, name, out, err);
    cs_free(of);
    return s;
}

cs_status cs_part_window_create(cs_target *whole, const uint32_t *coordinate,
                                size_t n, const char *name, cs_target **out,
                                cs_error *err)
{
    assert(whole && coordinate && n >= 1 && name && out);
    assert(coordinate[n - 1] < whole->space.dim);
    for (size_t i = 1; i < n; i++)
        assert(coordinate[i - 1] < coordinate[i]);
    *out = NULL;
    if (n == whole->space.dim) {
        *out = cs_target_hold(whole);
        return CS_OK;
    }
    const cs_part_window *outer = cs_part_window_of(whole);
    if (outer)
        return create_inside(outer, coordinate, n, name, out, err);
    cs_target *t;
    cs_status s = cs_target_create(&window_type, NULL, 0, &t, err);
    if (s)
        return s;
    s = fill(t, whole, coordinate, n, name, err);
    if (s)
        cs_target_release(t);
    else
        *out = t;
    return s;
}
