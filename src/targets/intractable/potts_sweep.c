/* Sweeps of Potts models. Each sweep makes a heat bath update of one site after
 * the other,
 *
 *     P(y_i = c | the rest) ~ exp(theta_1 n_c + theta_2 [c = 0]),
 *
 * where n_c is the number of neighbours with colour c. */
#include "targets/intractable/potts_field.h"

#include "simd/vmath.h"

/* Returns the memory size in words per lane. The memory holds the colours,
 * [sites][lanes]. */
static size_t words(const void *model)
{
    return ((const cs_potts_field *)model)->graph->sites;
}

static void begin(const cs_past_block *b)
{
    (void)b;
}

/* Computes the weights of the colours of a site for eight lanes, starting at
 * lane l. Returns the sum of the weights. */
static cs_vd weigh(const cs_past_block *b, size_t i, size_t l, cs_vd *weight)
{
    const cs_potts_field *f = b->model;
    const cs_site_graph *g = f->graph;
    cs_vd pair = cs_load(b->theta + l), field = cs_vset(0), sum = cs_vset(0);
    if (f->field)
        field = cs_load(b->theta + b->lanes + l);
    double d = (double)(g->start[i + 1] - g->start[i]);
    cs_vd most = cs_vmax(pair, cs_vset(0)) * d + cs_vmax(field, cs_vset(0));
    for (size_t c = 0; c < f->colours; c++) {
        cs_vd n = cs_vset(0), colour = cs_vset((double)c);
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++) {
            cs_vd y = cs_load(b->memory + g->other[k] * b->lanes + l);
            n += cs_vselect(y == colour, cs_vset(1), cs_vset(0));
        }
        cs_vd own = c == 0 ? field : cs_vset(0);
        weight[c] = cs_vexp(pair * n + own - most);
        sum += weight[c];
    }
    return sum;
}

static void update_site(const cs_past_block *b, size_t i, const double *u)
{
    const cs_potts_field *f = b->model;
    cs_vd weight[CS_POTTS_COLOURS];
    for (size_t l = 0; l < b->lanes; l += CS_VECTOR) {
        cs_vd up_to = cs_vset(0), to = cs_vset(0);
        cs_vd at = cs_load(u + l) * weigh(b, i, l, weight);
        for (size_t c = 0; c + 1 < f->colours; c++) {
            up_to += weight[c];
            to += cs_vselect(cs_vless(at, up_to), cs_vset(0), cs_vset(1));
        }
        cs_store(b->memory + i * b->lanes + l, to);
    }
}

static void update(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u)
{
    size_t sites = words(b->model);
    for (size_t k = 0; k < n; k++)
        update_site(b, back ? sites - 1 - (row + k) : row + k,
                    u + k * b->lanes);
}

static void write(const cs_past_block *b, size_t l, double *to, size_t stride)
{
    for (size_t i = 0; i < words(b->model); i++)
        to[i * stride] = b->memory[i * b->lanes + l];
}

static void read(const cs_past_block *b, size_t l, const double *from,
                 size_t stride)
{
    for (size_t i = 0; i < words(b->model); i++)
        b->memory[i * b->lanes + l] = from[i * stride];
}

const cs_past_type CS_VARIANT(cs_past_potts_sweep) = {
    .words = words,
    .rows = words,
    .begin = begin,
    .update = update,
    .write = write,
    .read = read,
};
