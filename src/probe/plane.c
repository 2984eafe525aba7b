/* Where in the plane the chains were: counts of two coordinates on a grid of
 * 64 x 48 cells, and in two dimensions the density itself beside them. The
 * part of the plane is the target's own view; without one it is the exact
 * mean and four standard deviations, else -5 to 5. A discrete space shows
 * its range. What falls outside is not counted. */
#include "base/memory.h"
#include "base/simd.h"
#include "probe/bins.h"

#include <math.h>
#include <string.h>

enum { WIDE = 64, HIGH = 48, CELLS = WIDE * HIGH };
enum { X_AXIS, Y_AXIS };

typedef struct plane {
    double view[4]; /* x0, x1, y0, y1 */
    size_t axis[2];
    bool has_truth;
    double truth[CELLS];
} plane;

static void axis_range(const cs_target *t, size_t d, double *range)
{
    const cs_space *space = &t->space;
    range[0] = -5;
    range[1] = 5;
    if (space->kind != CS_CONTINUOUS) {
        range[0] = space->low - 0.5;
        range[1] = space->low + space->values - 0.5;
    } else if (t->exact.mean && t->exact.variance) {
        double sd = sqrt(t->exact.variance[d]);
        range[0] = t->exact.mean[d] - 4 * sd;
        range[1] = t->exact.mean[d] + 4 * sd;
    }
}

static void choose_view(const cs_target *t, plane *v)
{
    const double *view = t->exact.view;
    bool given = v->axis[0] == 0 && v->axis[1] == 1 && view[0] < view[1] &&
                 view[2] < view[3];
    axis_range(t, v->axis[0], v->view);
    axis_range(t, v->axis[1], v->view + 2);
    if (given)
        memcpy(v->view, view, sizeof v->view);
}

static double centre(const plane *v, size_t axis, size_t cell, size_t cells)
{
    double low = v->view[2 * axis], high = v->view[2 * axis + 1];
    return low + (high - low) * ((double)cell + 0.5) / (double)cells;
}

/* U at the centres of the cells, a vector of them at a time. */
static void fill_energy(const cs_target *t, plane *v, double *room)
{
    double *x = room, *scratch = room + 3 * CS_VECTOR;
    double *cache = scratch + cs_eval_scratch_words(t) * CS_VECTOR;
    cs_eval e;
    cs_eval_open(&e, t, CS_VECTOR, CS_VECTOR, cache, scratch);
    for (size_t c = 0; c < CELLS; c += CS_VECTOR) {
        for (size_t l = 0; l < CS_VECTOR; l++) {
            size_t row = (c + l) / WIDE, col = (c + l) % WIDE;
            x[v->axis[0] * CS_VECTOR + l] = centre(v, 0, col, WIDE);
            x[v->axis[1] * CS_VECTOR + l] = centre(v, 1, HIGH - 1 - row, HIGH);
        }
        double *u = x + 2 * CS_VECTOR;
        cs_eval_log_density(&e, CS_NOW, x, u);
        memcpy(v->truth + c, u, CS_VECTOR * sizeof *u);
    }
}

/* From U to shares that sum to 1. */
static bool normalise(double *truth)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t c = 0; c < CELLS; c++)
        most = fmax(most, truth[c]);
    for (size_t c = 0; c < CELLS; c++) {
        truth[c] = exp(truth[c] - most);
        sum += truth[c];
    }
    for (size_t c = 0; c < CELLS; c++)
        truth[c] /= sum;
    return isfinite(sum) && sum > 0;
}

static cs_status find_truth(const cs_target *t, plane *v, cs_error *err)
{
    if (t->space.dim != 2 || t->space.kind != CS_CONTINUOUS)
        return CS_OK;
    size_t words = 3 + cs_eval_scratch_words(t) + cs_eval_cache_words(t);
    double *room = cs_alloc(words * CS_VECTOR, sizeof(double));
    if (!room)
        return cs_fail(err, CS_MEMORY, "out of memory for the plane");
    fill_energy(t, v, room);
    cs_free(room);
    v->has_truth = normalise(v->truth);
    return CS_OK;
}

static cs_status create(cs_probe *p, const cs_target *target, cs_error *err)
{
    double x = p->values[X_AXIS] - 1, y = p->values[Y_AXIS] - 1;
    double dim = (double)target->space.dim;
    if (x >= dim || y >= dim || x == y) {
        cs_fail(err, CS_UNSUPPORTED,
                "target %s has no plane of coordinates %g and %g", target->name,
                x + 1, y + 1);
        cs_mend(err, "choose two of its %zu coordinates", target->space.dim);
        return CS_UNSUPPORTED;
    }
    plane *v = cs_alloc(1, sizeof *v);
    if (!v)
        return cs_fail(err, CS_MEMORY, "out of memory for the plane");
    v->axis[0] = (size_t)x;
    v->axis[1] = (size_t)y;
    choose_view(target, v);
    cs_status s = find_truth(target, v, err);
    if (s != CS_OK) {
        cs_free(v);
        return s;
    }
    p->self = v;
    p->words = CELLS;
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    cs_free(p->self);
}

static void observe(const cs_probe *p, const cs_sight *s, double *memory)
{
    const plane *v = p->self;
    const double *x = s->x + v->axis[0] * s->lanes;
    const double *y = s->x + v->axis[1] * s->lanes;
    double wide = WIDE / (v->view[1] - v->view[0]);
    double high = HIGH / (v->view[3] - v->view[2]);
    for (size_t l = 0; l < s->live; l++) {
        double col = (x[l] - v->view[0]) * wide;
        double row = (v->view[3] - y[l]) * high;
        if (s->failed[l] || !(col >= 0 && col < WIDE && row >= 0 && row < HIGH))
            continue;
        memory[((size_t)row * WIDE + (size_t)col) * s->lanes + l]++;
    }
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const plane *v = p->self;
    double *to = cs_flat_array(out, 1, 4, "%sview", prefix);
    if (to)
        memcpy(to, v->view, sizeof v->view);
    to = cs_flat_array(out, 1, 2, "%saxes", prefix);
    for (size_t i = 0; to && i < 2; i++)
        to[i] = (double)v->axis[i];
    to = cs_flat_array(out, HIGH, WIDE, "%scounts", prefix);
    for (size_t c = 0; to && c < n; c++)
        for (size_t i = 0; i < CELLS; i++)
            to[i] += cs_word(&chain[c], i);
    to =
        v->has_truth ? cs_flat_array(out, HIGH, WIDE, "%struth", prefix) : NULL;
    if (to)
        memcpy(to, v->truth, sizeof v->truth);
}

static const cs_param params[] = {
    [X_AXIS] = {.name = "x",
                .unit = "",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_FIXED,
                .min = 1,
                .max = 1e9,
                .def = 1,
                .help = "coordinate from left to right"},
    [Y_AXIS] = {.name = "y",
                .unit = "",
                .kind = CS_PARAM_INT,
                .flags = CS_PARAM_FIXED,
                .min = 1,
                .max = 1e9,
                .def = 2,
                .help = "coordinate from bottom to top"},
};

extern const cs_probe_type CS_VARIANT(cs_probe_plane);
const cs_probe_type CS_VARIANT(cs_probe_plane) = {
    .name = "plane",
    .title = "Plane",
    .help = "where in the plane of two coordinates the chains were",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .report = report,
};
