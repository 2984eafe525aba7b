#include "targets/discrete/grids.h"

#include "base/memory.h"
#include "rng/stream.h"

#include <math.h>
#include <stdio.h>

const char *const cs_grid_couplings[] = {"ferromagnet", "antiferromagnet",
                                         "signs", "normal", NULL};

/* Returns the coupling J of bond number k. */
static double coupling(const cs_value *v, size_t k)
{
    uint64_t word[2], key[2] = {(uint64_t)v[CS_GRID_SEED].number, 0};
    int kind = (int)v[CS_GRID_COUPLING].number;
    if (kind == CS_FERROMAGNET)
        return 1;
    if (kind == CS_ANTIFERROMAGNET)
        return -1;
    cs_threefry2x64(20, (const uint64_t[]){k, 0}, key, word);
    if (kind == CS_SIGNS)
        return word[0] >> 63 ? 1 : -1;
    double logp = ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
    double angle = (double)(word[1] >> 11) * 0x1p-53 * 2 * 3.14159265358979324;
    return sqrt(-2 * log(logp)) * cos(angle);
}

/* Lists the bonds of a grid: from each site to the next site along each of the
 * three axes. */
static void box(const cs_grid *g, bool periodic, cs_edges *e)
{
    size_t side[3] = {g->layers, g->rows, g->cols};
    size_t pitch[3] = {g->rows * g->cols, g->cols, 1};
    for (size_t i = 0; i < e->vertices; i++)
        for (int axis = 0; axis < 3; axis++) {
            size_t at = i / pitch[axis] % side[axis];
            bool last = at + 1 == side[axis];
            if (side[axis] == 1 || (last && !periodic))
                continue;
            size_t j = last ? i - at * pitch[axis] : i + pitch[axis];
            e->edge[e->n++] = (cs_edge){(uint32_t)i, (uint32_t)j, 1};
        }
}

static cs_status read_graph(const cs_value *v, cs_edges *e, cs_error *err)
{
    cs_status status = cs_edges_read(v[CS_GRID_FILE].text, e, err);
    for (size_t k = 0; k < e->n && !status; k++)
        if (v[CS_GRID_COUPLING].given)
            e->edge[k].w = coupling(v, k);
    return status;
}

cs_status cs_grid_bonds(const char *target, const cs_grid *g, bool periodic,
                        cs_edges *e, cs_error *err)
{
    *e = (cs_edges){.vertices = g->rows * g->cols * g->layers};
    if (e->vertices > CS_GRID_SITES) {
        cs_fail(err, CS_RANGE, "%s: %zu sites are too many", target,
                e->vertices);
        cs_hint(err, "use at most %d", CS_GRID_SITES);
        return CS_RANGE;
    }
    e->edge = cs_alloc(3 * e->vertices, sizeof *e->edge);
    if (!e->edge)
        return cs_fail(err, CS_MEMORY, "out of memory for target %s", target);
    box(g, periodic, e);
    return CS_OK;
}

cs_status cs_grid_given(const char *target, const cs_value *v, cs_grid *g,
                        cs_edges *e, cs_error *err)
{
    *e = (cs_edges){0};
    *g = (cs_grid){0};
    if (v[CS_GRID_FILE].given)
        return read_graph(v, e, err);
    g->rows = (size_t)v[CS_GRID_ROWS].number;
    g->cols = v[CS_GRID_COLS].given ? (size_t)v[CS_GRID_COLS].number : g->rows;
    g->layers = (size_t)v[CS_GRID_LAYERS].number;
    cs_status status =
        cs_grid_bonds(target, g, v[CS_GRID_PERIODIC].number != 0, e, err);
    if (status)
        return status;
    for (size_t k = 0; k < e->n; k++)
        e->edge[k].w = coupling(v, k);
    cs_edges_tidy(e);
    return CS_OK;
}

void cs_grid_name(const cs_grid *g, size_t i, char *text, size_t size)
{
    if (!g->rows)
        snprintf(text, size, "x.%zu", i + 1);
    else if (g->layers == 1)
        snprintf(text, size, "x.%zu.%zu", i / g->cols + 1, i % g->cols + 1);
    else
        snprintf(text, size, "x.%zu.%zu.%zu", i / (g->rows * g->cols) + 1,
                 i / g->cols % g->rows + 1, i % g->cols + 1);
}

cs_picture cs_grid_picture(const cs_grid *g)
{
    cs_picture_kind kind = g->rows ? CS_PICTURE_PIXELS : CS_PICTURE_NONE;
    return (cs_picture){
        .kind = kind, .rows = g->rows, .cols = g->cols, .layers = g->layers};
}
