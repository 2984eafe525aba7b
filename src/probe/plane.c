/* Draws in the plane of two coordinates: counts on a grid of at most 64 x 48
 * cells, and exact probabilities if they are known. Draws count by their
 * weights. The weighted counts of a chain, including draws outside the window,
 * sum to its number of draws.
 *
 * The window is the one that the user requests. By default, for a discrete
 * space, it is the whole space, with the same number of values (at least one)
 * per cell. For other spaces the default is the target's own view. If the
 * target has no view, it is the exact mean plus and minus four standard
 * deviations. If these are not known, it is -5 to 5. Draws outside the window
 * are counted but not displayed.
 *
 * The exact probabilities come from the first of these sources that is
 * available: the sum over the states in each cell; the density of the pair of
 * coordinates, as given by the target; the density itself in two dimensions,
 * averaged over 16 points per cell (one point if only a script can evaluate
 * it). A separate evaluator is used (target/enumeration.h), so that evaluations
 * do not count as work of an arm. */
#include "base/memory.h"
#include "probe/rows.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"
#include "stat/distance.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { WIDE = 64, HIGH = 48, CELLS = WIDE * HIGH, FINER = 4 };
enum { X_AXIS, Y_AXIS, LEFT, RIGHT, BOTTOM, TOP };

typedef struct plane {
    double view[4]; /* ends of the window: x0, x1, y0, y1 */
    size_t axis[2];
    size_t side[2]; /* side[0]: number of columns; side[1]: number of rows */
    bool has_truth;
    double truth[CELLS];
} plane;

static size_t cells_of(const plane *v)
{
    return v->side[0] * v->side[1];
}

/* ---- the window ---- */

/* Divides a discrete axis into cells with as few values per cell as possible.
 * The last cell may contain fewer values. */
static void whole_axis(const cs_part *part, double *range, size_t *side)
{
    size_t values = (size_t)part->values, each = (values + *side - 1) / *side;
    *side = (values + each - 1) / each;
    range[0] = part->low - 0.5;
    range[1] = range[0] + (double)(*side * each);
}

static void axis_range(const cs_target *t, size_t d, double *range,
                       size_t *side)
{
    range[0] = -5;
    range[1] = 5;
    cs_part part;
    if (cs_target_shown_part(t, d, &part)) {
        whole_axis(&part, range, side);
    } else if (t->exact.mean && t->exact.variance) {
        double sd = sqrt(t->exact.variance[d]);
        range[0] = t->exact.mean[d] - 4 * sd;
        range[1] = t->exact.mean[d] + 4 * sd;
    }
}

static void choose_view(const cs_probe *p, const cs_target *t, plane *v)
{
    const double *view = t->exact.view, *asked = p->values + LEFT;
    v->side[0] = WIDE;
    v->side[1] = HIGH;
    for (size_t k = 0; k < 2; k++) {
        double *range = v->view + 2 * k;
        cs_part part;
        bool aux = v->axis[k] == k && view[2 * k] < view[2 * k + 1] &&
                   !cs_target_shown_part(t, k, &part);
        if (asked[2 * k] < asked[2 * k + 1])
            memcpy(range, asked + 2 * k, 2 * sizeof *range);
        else if (aux)
            memcpy(range, view + 2 * k, 2 * sizeof *range);
        else
            axis_range(t, v->axis[k], range, &v->side[k]);
    }
}

/* Returns the cell of a point, or CELLS if it is outside the window. Row 0 of
 * the cells is at the top. */
static size_t cell_of(const plane *v, double x, double y)
{
    double wide = (double)v->side[0], high = (double)v->side[1];
    double col = (x - v->view[0]) * wide / (v->view[1] - v->view[0]);
    double row = (v->view[3] - y) * high / (v->view[3] - v->view[2]);
    if (!(col >= 0 && col < wide && row >= 0 && row < high))
        return CELLS;
    return (size_t)row * v->side[0] + (size_t)col;
}

/* ---- exact probabilities ---- */

/* Divides cell number `cell` of an axis into `parts` parts, and returns the
 * midpoint of part number `part`. */
static double within(const plane *v, size_t axis, size_t cell, size_t part,
                     size_t parts)
{
    double low = v->view[2 * axis], high = v->view[2 * axis + 1];
    double at = (double)cell + ((double)part + 0.5) / (double)parts;
    return low + (high - low) * at / (double)v->side[axis];
}

/* Returns the centre of part `k` of a cell that is divided into parts x
 * parts. */
static void point_of(const plane *v, size_t cell, size_t k, size_t parts,
                     double *x, double *y)
{
    size_t col = cell % v->side[0], row = cell / v->side[0];
    *x = within(v, 0, col, k % parts, parts);
    *y = within(v, 1, v->side[1] - 1 - row, k / parts, parts);
}

static bool sum_states(const cs_target *t, const cs_enumeration *truth,
                       plane *v)
{
    double *x = cs_alloc(t->space.dim, sizeof *x);
    for (size_t s = 0; x && s < truth->n; s++) {
        cs_enumeration_point(t, truth, s, x);
        size_t cell = cell_of(v, x[v->axis[0]], x[v->axis[1]]);
        if (cell < CELLS)
            v->truth[cell] += truth->p[s];
    }
    cs_free(x);
    return x != NULL;
}

static void sum_pairs(const cs_target *t, plane *v)
{
    double x, y;
    for (size_t c = 0; c < cells_of(v); c++)
        for (size_t k = 0; k < FINER * FINER; k++) {
            point_of(v, c, k, FINER, &x, &y);
            v->truth[c] += t->type->exact.pair(t, v->axis[0], v->axis[1], x, y);
        }
}

static bool sum_density(const cs_target *t, plane *v)
{
    size_t parts =
        t->flags & (CS_TARGET_MAIN_THREAD | CS_TARGET_OUTSIDE) ? 1 : FINER;
    size_t each = parts * parts, n = cells_of(v) * each;
    double *x = cs_alloc(3 * n, sizeof *x), *logp = x + 2 * n;
    for (size_t i = 0; x && i < n; i++) {
        double *at = x + 2 * i;
        point_of(v, i / each, i % each, parts, &at[v->axis[0]],
                 &at[v->axis[1]]);
    }
    bool good = x && cs_enumeration_evaluate(t, x, n, logp) &&
                cs_enumeration_normalise(logp, n, logp);
    for (size_t i = 0; good && i < n; i++)
        v->truth[i / each] += logp[i];
    cs_free(x);
    return good;
}

/* Computes the exact probabilities. No exact probabilities are reported if
 * memory is exhausted or the density is NaN. */
static void settle(cs_probe *p)
{
    plane *v = p->self;
    const cs_target *t = p->target;
    const cs_enumeration *truth;
    double sum = 0;
    bool found = true;
    if (t->type->exact.pair)
        sum_pairs(t, v);
    else if (cs_space_is_real(&t->space))
        found = t->space.dim == 2 && !t->outputs.n && sum_density(t, v);
    else
        found = (truth = cs_enumeration_of(t))->n && sum_states(t, truth, v);
    for (size_t c = 0; c < cells_of(v); c++)
        sum += v->truth[c];
    v->has_truth = found && isfinite(sum) && sum > 0;
    for (size_t c = 0; v->has_truth && c < cells_of(v); c++)
        v->truth[c] /= sum;
}

/* Memory of a lane: the weights, the draws outside the window, the cells. Then
 * the number of observed steps, and a ring of the newest steps
 * (cs_row_move). */
enum { OUTSIDE = CS_WEIGH_ROWS, INSIDE };
enum { MOVES = 16, NUMBERS = sizeof(cs_row_move) / sizeof(double) };

static size_t seen_row(const plane *v)
{
    return INSIDE + cells_of(v);
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    double x = p->values[X_AXIS] - 1, y = p->values[Y_AXIS] - 1;
    double dim = (double)cs_target_shown(target);
    if (x >= dim || y >= dim || x == y) {
        cs_fail(err, CS_UNSUPPORTED,
                "target %s has no plane of coordinates %g and %g", target->name,
                x + 1, y + 1);
        cs_hint(err, "choose two of its %zu coordinates",
                cs_target_shown(target));
        return CS_UNSUPPORTED;
    }
    plane *v = p->self = cs_alloc(1, sizeof *v);
    if (!v)
        return cs_fail(err, CS_MEMORY, "out of memory for the plane");
    v->axis[0] = (size_t)x;
    v->axis[1] = (size_t)y;
    choose_view(p, target, v);
    p->words = seen_row(v) + 1 + MOVES * NUMBERS;
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    cs_free(p->self);
}

/* Returns the row of the memory that counts the cell of (x, y). */
static size_t row_of(const plane *v, double x, double y)
{
    size_t cell = cell_of(v, x, y);
    return cell < CELLS ? INSIDE + cell : OUTSIDE;
}

static __attribute__((noinline)) void
observe_weighed(const plane *v, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes;
    const double *x = s->shown + v->axis[0] * n, *y = s->shown + v->axis[1] * n;
    for (size_t l = 0; l < s->live; l += CS_VECTOR) {
        const bool *skip = s->left_out + l;
        cs_weighed now = cs_weigh_lanes(s, l, ~cs_load_bool(skip), memory);
        cs_weigh_rescale(&now, memory + OUTSIDE * n + l, 1 + cells_of(v), n);
        for (size_t k = 0; k < CS_VECTOR && l + k < s->live; k++)
            if (!skip[k])
                memory[row_of(v, x[l + k], y[l + k]) * n + l + k] += now.w[k];
    }
}

/* Returns true if all chains have made the same number of steps and none is
 * left out. Then all chains store their newest step in the same row. */
static bool are_in_lockstep(const cs_step_view *s, const double *seen)
{
    bool in_lockstep = s->whole;
    for (size_t l = 1; l < s->live; l++)
        in_lockstep &= seen[l] == seen[0];
    return in_lockstep;
}

/* Loads eight lanes. The memory belongs to a kernel or a script, and may be
 * unaligned. */
static cs_vd load(const double *p)
{
    typedef cs_vd anywhere __attribute__((aligned(8)));
    return *(const anywhere *)(const void *)p;
}

/* Records the newest step of all chains in their rings. All chains must have
 * made the same number of steps. */
static void follow_all(const cs_step_view *s, size_t i, size_t j,
                       const double *to, double *seen)
{
    size_t n = s->lanes, lanes = cs_live_lanes(s);
    double *at = seen + n + ((size_t)seen[0] % MOVES) * NUMBERS * n;
    const cs_vd one = cs_vset(1), none = cs_vset((double)NAN);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vi accepted = cs_load_bool(s->info->accepted + l);
        cs_store(at + l, load(s->shown + i + l));
        cs_store(at + n + l, load(s->shown + j + l));
        cs_store(at + 2 * n + l, to ? load(to + i + l) : none);
        cs_store(at + 3 * n + l, to ? load(to + j + l) : none);
        cs_store(at + 4 * n + l, cs_vselect(accepted, one, cs_vset(0)));
        cs_store(seen + l, cs_load(seen + l) + 1);
    }
}

/* Records the newest step of each chain in the chain's ring. The proposal is
 * unknown if the displayed coordinates differ from the coordinates that the
 * kernel moves. */
static void follow(const plane *v, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes, i = v->axis[0] * n, j = v->axis[1] * n;
    const double *to = s->shown == s->x ? s->info->proposal : NULL;
    double *seen = memory + seen_row(v) * n;
    if (are_in_lockstep(s, seen)) {
        follow_all(s, i, j, to, seen);
        return;
    }
    for (size_t l = 0; l < s->live; l++) {
        if (s->left_out[l]) /* the state of a hot chain is not a draw of the
                               target */
            continue;
        double *at = seen + n + ((size_t)seen[l] % MOVES) * NUMBERS * n + l;
        at[0] = s->shown[i + l];
        at[n] = s->shown[j + l];
        at[2 * n] = to ? to[i + l] : (double)NAN;
        at[3 * n] = to ? to[j + l] : (double)NAN;
        at[4 * n] = s->info->accepted[l];
        seen[l]++;
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const plane *v = p->self;
    const double *x = s->shown + v->axis[0] * s->lanes;
    const double *y = s->shown + v->axis[1] * s->lanes;
    follow(v, s, memory);
    if (s->log_weight) {
        observe_weighed(v, s, memory);
        return;
    }
    for (size_t l = 0; l < s->lanes; l += CS_VECTOR)
        cs_weigh_alike(~cs_load_bool(s->left_out + l), memory + l);
    for (size_t l = 0; l < s->live; l++)
        if (!s->left_out[l])
            memory[row_of(v, x[l], y[l]) * s->lanes + l]++;
}

/* Reports the total variation distance inside the window, and the floor of this
 * distance for independent draws. Each counted draw corresponds to `size`
 * independent draws. */
static void put_distance(const plane *v, const double *counts, double size,
                         const char *prefix, cs_flat *out)
{
    double n = 0;
    for (size_t i = 0; i < cells_of(v); i++)
        n += counts[i];
    double *to = cs_flat_array(out, 1, 2, "%stv", prefix);
    if (!to)
        return;
    to[0] = cs_total_variation(counts, v->truth, cells_of(v));
    to[1] = cs_total_variation_floor(v->truth, cells_of(v), n * size);
}

/* Reports the newest steps of every chain, oldest first. All chains report the
 * same number of steps. */
static void put_moves(const plane *v, const cs_lane_memory *chain, size_t n,
                      const char *prefix, cs_flat *out)
{
    double least = n ? MOVES : 0;
    for (size_t c = 0; c < n; c++)
        least = fmin(least, cs_bin_word(&chain[c], seen_row(v)));
    size_t kept = (size_t)least;
    cs_row_move *to =
        kept ? CS_FLAT_ROWS(out, cs_row_move, n * kept, "%smoves", prefix)
             : NULL;
    for (size_t c = 0; to && c < n; c++)
        for (size_t k = 0; k < kept; k++, to++) {
            double number[NUMBERS];
            size_t seen = (size_t)cs_bin_word(&chain[c], seen_row(v));
            size_t at = seen_row(v) + 1 + (seen - kept + k) % MOVES * NUMBERS;
            for (size_t i = 0; i < NUMBERS; i++)
                number[i] = cs_bin_word(&chain[c], at + i);
            memcpy(to, number, sizeof number);
        }
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const plane *v = p->self;
    double outside = 0;
    cs_row_view *view = CS_FLAT_ROWS(out, cs_row_view, 1, "%sview", prefix);
    if (view)
        *view = (cs_row_view){v->view[0], v->view[1], v->view[2], v->view[3]};
    double *to = cs_flat_array(out, 1, 2, "%saxes", prefix);
    for (size_t i = 0; to && i < 2; i++)
        to[i] = (double)v->axis[i];
    cs_flat_number(out, (double)p->every, "%severy", prefix);
    double *counts =
        cs_flat_array(out, v->side[1], v->side[0], "%scounts", prefix);
    for (size_t c = 0; counts && c < n; c++) {
        double unit = cs_chain_weight_of(&chain[c], 0).unit;
        outside += cs_bin_word(&chain[c], OUTSIDE) * unit;
        for (size_t i = 0; i < cells_of(v); i++)
            counts[i] += cs_bin_word(&chain[c], INSIDE + i) * unit;
    }
    cs_pooled_weight all = cs_pool_weights(chain, n, 0);
    cs_flat_number(out, outside, "%soutside", prefix);
    put_moves(v, chain, n, prefix, out);
    to = v->has_truth
             ? cs_flat_array(out, v->side[1], v->side[0], "%struth", prefix)
             : NULL;
    if (to)
        memcpy(to, v->truth, cells_of(v) * sizeof *to);
    if (to && counts)
        put_distance(v, counts, all.draws > 0 ? all.size / all.draws : 1,
                     prefix, out);
}

#define COORDINATE(name_, def_, help_)                                         \
    {                                                                          \
        .name = name_, .kind = CS_PARAM_INT, .flags = CS_PARAM_FIXED,          \
        .min = 1, .max = 1e9, .def = def_, .help = help_                       \
    }
#define BORDER(name_, help_)                                                   \
    {                                                                          \
        .name = name_, .kind = CS_PARAM_REAL, .flags = CS_PARAM_FIXED,         \
        .min = -1e300, .max = 1e300, .help = help_                             \
    }

static const cs_param params[] = {
    [X_AXIS] = COORDINATE("x", 1, "horizontal coordinate"),
    [Y_AXIS] = COORDINATE("y", 2, "vertical coordinate"),
    [LEFT] = BORDER(
        "left",
        "left border of the window; chosen automatically unless left < right"),
    [RIGHT] = BORDER("right", "right border of the window"),
    [BOTTOM] = BORDER("bottom", "bottom border of the window; chosen "
                                "automatically unless bottom < top"),
    [TOP] = BORDER("top", "top border of the window"),
};

const cs_probe_type CS_VARIANT(cs_probe_plane) = {
    .name = "plane",
    .title = "Plane",
    .help = "draws in the plane of two coordinates",
    CS_PARAM_TABLE(params),
    .create = create,
    .destroy = destroy,
    .settle = settle,
    .observe = observe,
    .report = report,
};
