/* Publishes the data of the panels `picture` and `simulation`: the states of
 * displayed chains, observed data and simulated data, one character per
 * number. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/views/coupling.h"
#include "run/views/view.h"
#include "session/client/snapshot_rows.h"
#include "session/publish/publish.h"
#include "session/state/session_state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Maximum number of bytes for the pictures in one snapshot, not counting the
 * picture of the selected chain. The largest screen has fewer dots than
 * this. */
enum { ROOM = 1 << 18 };

/* Maps a value to a character. If there are few distinct values, the character
 * is 1 + the value's index. Otherwise it is 1 + the value's level on a scale of
 * CS_LEVELS levels. For NAN it is CS_LEVELS + 1. */
typedef struct scale {
    double low, step; /* lowest value, and distance between levels; step 0: no
                       * scale */
    double most;      /* number of the highest level */
} scale;

/* Returns the part of the space that a picture shows. */
static cs_part part_of(const cs_target *t, const cs_picture *p)
{
    return cs_space_part(&t->space, p->first < t->space.dim ? p->first : 0);
}

static scale scale_of(const cs_target *t, const cs_picture *p)
{
    const cs_part part = part_of(t, p);
    bool real = part.kind == CS_CONTINUOUS;
    double low = part.low, high = low + part.values - 1;
    if (!real && part.values <= CS_LEVELS)
        return (scale){low, 1, part.values - 1};
    if (real)
        low = p->low, high = p->high;
    return (scale){low, (high - low) / (CS_LEVELS - 1), CS_LEVELS - 1};
}

static unsigned char level(const scale *s, double value)
{
    double at = (value - s->low) / s->step + 0.5;
    if (isnan(at))
        return CS_LEVELS + 1;
    return (unsigned char)(1 + fmin(fmax(floor(at), 0), s->most));
}

static void put_levels(const scale *s, const double *x, size_t stride, size_t n,
                       char *to)
{
    for (size_t i = 0; to && x && i < n; i++)
        to[i] = (char)level(s, x[i * stride]);
}

/* Returns the number of characters per picture, one per displayed
 * coordinate. */
static size_t length_of(const cs_target *t, const cs_picture *p)
{
    size_t layers = p->layers ? p->layers : 1;
    size_t n =
        p->kind == CS_PICTURE_PIXELS ? layers * p->rows * p->cols : p->places;
    size_t most = p->first < t->space.dim ? t->space.dim - p->first : 0;
    return n < most ? n : most;
}

static void put_shape(const cs_target *t, const cs_picture *p, const scale *s,
                      cs_flat *f)
{
    const cs_part part = part_of(t, p);
    double values = part.values;
    size_t n = p->kind == CS_PICTURE_TOUR ? p->places : length_of(t, p);
    cs_row_picture *row = CS_FLAT_ROWS(f, cs_row_picture, 1, CS_KEY_PICTURE);
    if (row)
        *row = (cs_row_picture){.kind = p->kind,
                                .rows = (double)p->rows,
                                .cols = (double)p->cols,
                                .n = (double)n,
                                .values = values <= CS_LEVELS ? values : 0,
                                .low = s->low,
                                .high = s->low + s->step * s->most,
                                .classes = part.kind == CS_CATEGORICAL,
                                .layers = p->layers ? (double)p->layers : 1,
                                .first = t->outputs.n ? -1 : (double)p->first};
    double *to =
        p->place ? cs_flat_array(f, p->places, 2, "picture/places") : NULL;
    if (to)
        memcpy(to, p->place, 2 * p->places * sizeof *to);
    to = p->edges ? cs_flat_array(f, p->edges, 2, "picture/edges") : NULL;
    for (size_t i = 0; to && i < 2 * p->edges; i++)
        to[i] = p->edge[i];
}

/* Writes a tour as the list of its cities, in the order of the tour. */
static void put_tour(const cs_target *t, const cs_picture *p, const double *x,
                     size_t stride, double *to)
{
    x += p->first * stride;
    if (!p->order) {
        for (size_t i = 0; i < p->places; i++)
            to[i] = x[i * stride];
        return;
    }
    /* the first half of the buffer holds the order */
    uint32_t *order = (uint32_t *)(void *)to;
    p->order(t, x, stride, order);
    for (size_t i = p->places; i-- > 0;)
        to[i] = order[i];
}

/* Writes the states of the chains [first, first + k) of an arm. k is at most
 * the requested number of chains; `first` is chosen such that the selected
 * chain is included. */
static size_t put_arm(const cs_session *s, const cs_picture *p, const scale *sc,
                      size_t arm, size_t capacity, cs_flat *f)
{
    cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    size_t chains = cs_run_arm(r, arm).chains, n = length_of(t, p);
    bool tour = p->kind == CS_PICTURE_TOUR;
    size_t each = tour ? p->places * sizeof(double) : n;
    size_t k = each ? capacity / each : 0;
    k = k < 1 ? 1 : k;
    k = k < s->show.pictures ? k : s->show.pictures;
    k = k < chains ? k : chains;
    size_t chosen = s->look.chain < chains ? s->look.chain : chains - 1;
    size_t first = chosen < k ? 0 : chosen + 1 - k;
    char *state =
        tour ? NULL : cs_flat_room(f, k * n, "arm/%zu/picture/states", arm);
    double *order =
        tour ? cs_flat_array(f, k, p->places, "arm/%zu/picture/tours", arm)
             : NULL;
    cs_row_pictured *about =
        CS_FLAT_ROWS(f, cs_row_pictured, k, CS_KEY_PICTURED, arm);
    cs_flat_number(f, (double)first, "arm/%zu/picture/first", arm);
    for (size_t c = 0; about && (state || order) && c < k; c++) {
        cs_lane_view at = cs_run_lane(r, arm, first + c);
        cs_chain_view v = cs_run_decision(r, arm, first + c);
        about[c] = (cs_row_pictured){v.last.logp, v.failed};
        if (tour)
            put_tour(t, p, at.x, at.stride, order + c * p->places);
        else
            put_levels(sc, at.x + p->first * at.stride, at.stride, n,
                       state + c * n);
    }
    return k * each;
}

/* Writes the last proposal of the selected chain, and the kernel's auxiliary
 * variable if it has one number per coordinate. The scale of the auxiliary
 * variable is three times as long as the scale of the values: it extends beyond
 * that scale by the same length on both sides. */
static void put_chosen(const cs_session *s, const cs_picture *p,
                       const scale *sc, cs_flat *f)
{
    const cs_target *t = cs_run_target(s->open.run);
    cs_lane_view at = cs_run_lane(s->open.run, s->look.arm, s->look.chain);
    size_t n = length_of(t, p), from = p->first * at.stride;
    double span = sc->step * sc->most, low = sc->low - span;
    scale wide = {low, 3 * span / (CS_LEVELS - 1), CS_LEVELS - 1};
    if (p->kind == CS_PICTURE_TOUR) {
        double *to = at.proposal
                         ? cs_flat_array(f, 1, p->places, "look/picture/tour")
                         : NULL;
        if (to)
            put_tour(t, p, at.proposal, at.stride, to);
        return;
    }
    if (at.proposal)
        put_levels(sc, at.proposal + from, at.stride, n,
                   cs_flat_room(f, n, "look/picture/proposal"));
    if (p->kind == CS_PICTURE_PIXELS)
        cs_session_put_clusters(s, p->first, n, f);
    if (!at.aux || at.aux_rows < t->space.dim)
        return;
    put_levels(&wide, at.aux + from, at.stride, n,
               cs_flat_room(f, n, "look/picture/own"));
    cs_row_range *range = CS_FLAT_ROWS(f, cs_row_range, 1, CS_KEY_AUX_RANGE);
    if (range)
        *range = (cs_row_range){low, low + 3 * span};
}

void cs_session_put_pictures(const cs_session *s, cs_flat *f)
{
    assert(s->open.run);
    const cs_target *t = cs_run_target(s->open.run);
    cs_picture p = cs_target_picture(t);
    if (p.kind == CS_PICTURE_NONE)
        return;
    scale sc = scale_of(t, &p);
    put_shape(t, &p, &sc, f);
    size_t arms = cs_run_arms(s->open.run);
    for (size_t i = 0, used = 0; s->show.pictures && i < arms; i++)
        used += put_arm(s, &p, &sc, i,
                        used < ROOM ? (ROOM - used) / (arms - i) : 0, f);
    if (s->show.pictures)
        put_chosen(s, &p, &sc, f);
}

/* ---- data ---------------------------------------------------------------- */

static scale scale_of_data(const cs_target *t)
{
    const cs_picture *p = &t->data_picture;
    double most = t->data_values ? (double)t->data_values - 1 : CS_LEVELS - 1;
    return (scale){p->low, (p->high - p->low) / most, most};
}

static void put_data_shape(const cs_target *t, cs_flat *f)
{
    const cs_picture *p = &t->data_picture;
    cs_row_picture *row = CS_FLAT_ROWS(f, cs_row_picture, 1, CS_KEY_DATA);
    if (row)
        *row = (cs_row_picture){.kind = p->kind,
                                .rows = (double)p->rows,
                                .cols = (double)p->cols,
                                .n = (double)t->n_data,
                                .values = (double)t->data_values,
                                .low = p->low,
                                .high = p->high,
                                .classes = t->data_values > 2,
                                .layers = 1,
                                .first = -1};
    double *to =
        p->place ? cs_flat_array(f, p->places, 2, "data/places") : NULL;
    if (to)
        memcpy(to, p->place, 2 * p->places * sizeof *to);
    to = p->edges ? cs_flat_array(f, p->edges, 2, "data/edges") : NULL;
    for (size_t i = 0; to && i < 2 * p->edges; i++)
        to[i] = p->edge[i];
}

/* Returns the auxiliary variable `simulated`, which has n_data rows. If the
 * kernel has no such variable, returns NULL. */
static const double *find_simulated(const cs_kernel *k, const cs_target *t,
                                    const cs_lane_view *at)
{
    cs_aux_rows aux;
    for (size_t i = 0; at->aux && cs_kernel_aux(k, t, i, &aux); i++)
        if (!strcmp(aux.variable->name, "simulated") && aux.rows == t->n_data)
            return at->aux + aux.first * at->stride;
    return NULL;
}

/* Publishes the factors computed by a kernel such as exchange. */
static void put_factors(const cs_kernel_type *type, const cs_lane_view *at,
                        cs_flat *f)
{
    static const char *const names[] = {"data_at_state__",
                                        "data_at_proposal__",
                                        "simulated_at_state__",
                                        "simulated_at_proposal__",
                                        "past__",
                                        "site_updates__"};
    double value[6];
    for (size_t i = 0; i < 6; i++) {
        if (!type->stats || !type->stats[i] || strcmp(type->stats[i], names[i]))
            return;
        value[i] = at->stat ? at->stat[i * at->stride] : (double)NAN;
    }
    cs_row_factors *row = CS_FLAT_ROWS(f, cs_row_factors, 1, CS_KEY_FACTORS);
    if (row)
        *row = (cs_row_factors){value[0], value[1], value[2],
                                value[3], value[4], value[5]};
}

/* ---- coupling from the past ---------------------------------------------- */

enum {
    POINTS = 120, /* maximum number of points in time */
    /* maximum number of updates that are repeated in order to publish a
     * snapshot */
    PATIENCE = 400000
};

/* Publishes the coupling from the past. `c.open` receives, for each number of
 * the data, whether it is still unsettled at an intermediate time. */
static void put_coupling(const cs_session *s, size_t past, cs_flat *f)
{
    const cs_run *r = s->open.run;
    size_t n = cs_run_target(r)->n_data;
    double left[POINTS + 1], *open = cs_alloc(n, sizeof *open);
    cs_coupling c = {past, past < POINTS ? past : POINTS, left, 0, open};
    c.when = c.points / 2;
    if (open && cs_run_coupling(r, s->look.arm, s->look.chain, &c)) {
        cs_row_coupling *row =
            CS_FLAT_ROWS(f, cs_row_coupling, 1, CS_KEY_COUPLING);
        if (row)
            *row = (cs_row_coupling){(double)past, (double)c.points,
                                     (double)c.when};
        double *to = cs_flat_array(f, 1, c.points + 1, "look/coupling/left");
        if (to)
            memcpy(to, left, (c.points + 1) * sizeof *to);
        char *text =
            isnan(open[0]) ? NULL : cs_flat_room(f, n, "look/coupling/open");
        for (size_t i = 0; text && i < n; i++)
            text[i] = open[i] != 0 ? 2 : 1;
    }
    cs_free(open);
}

static void put_past(const cs_session *s, const cs_kernel_type *type,
                     const cs_lane_view *at, cs_flat *f)
{
    size_t n = cs_run_target(s->open.run)->n_data;
    for (size_t i = 0; at->stat && type->stats && type->stats[i]; i++) {
        double past = at->stat[i * at->stride];
        if (!strcmp(type->stats[i], "past__") && past > 0 &&
            past * (double)n <= PATIENCE &&
            cs_session_wants(s, "coupling", "simulation"))
            put_coupling(s, (size_t)past, f);
    }
}

void cs_session_put_data(const cs_session *s, cs_flat *f)
{
    const cs_run *r = s->open.run;
    const cs_target *t = cs_run_target(r);
    if (!t->n_data)
        return;
    const cs_kernel *k = cs_run_arm(r, s->look.arm).kernel;
    cs_lane_view at = cs_run_lane(r, s->look.arm, s->look.chain);
    put_factors(k->type, &at, f);
    put_past(s, k->type, &at, f);
    if (t->data_picture.kind == CS_PICTURE_NONE)
        return;
    scale sc = scale_of_data(t);
    put_data_shape(t, f);
    put_levels(&sc, t->data, 1, t->n_data,
               cs_flat_room(f, t->n_data, "data/observed"));
    const double *simulated = find_simulated(k, t, &at);
    if (simulated)
        put_levels(&sc, simulated, at.stride, t->n_data,
                   cs_flat_room(f, t->n_data, "look/simulated/states"));
}
