/* slice_direction: slice sampling along a random direction (hit and run).
 *
 *   e     = z / |z|,  z ~ N(0, I): uniform on the sphere
 *   level = log p(x) + log u,  u ~ U(0, 1)
 *   x     = x + t e, t a uniform draw from {t : log p(x + t e) >= level}, in a
 *           bracket around 0 that steps out by `width` and shrinks to 0
 *
 * Neal, "Slice sampling" (2003), section 4, figures 3 and 5, along a line as in
 * section 5. The direction is drawn as in Belisle, Romeijn and Smith,
 * "Hit-and-run algorithms for generating multivariate distributions" (1993). It
 * does not depend on the state, so a step is reversible. */
#include "kernels/real/slice.h"

enum { WIDTH, STEPS_OUT };

/* Returns the scratch size in doubles per lane. The rows that belong to the
 * kernel itself hold e. */
static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_slice_words(t->space.dim, 1, t->space.dim);
}

/* Draws a random direction e [dim][lanes]. */
static void draw_direction(const cs_move *m, double *e)
{
    cs_fill_normal(&m->streams, CS_FOR_SITE, m->dim, e);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd sum;
        CS_VSUM(sum, l, m->lanes, m->dim * m->lanes,
                cs_load(e + at) * cs_load(e + at));
        cs_vd inverse = 1.0 / cs_vsqrt(sum);
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            cs_store(e + at, cs_load(e + at) * inverse);
    }
}

static void lay(cs_slice *s)
{
    const cs_move *m = s->m;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd t = cs_load(s->at + l);
        cs_vi differ = {0};
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
            cs_vd x = cs_load(m->x + at), y = x + t * cs_load(s->own + at);
            differ |= (cs_vi)x ^ (cs_vi)y;
            cs_store(s->y + at, y);
        }
        cs_store_bool(s->still + l, differ == 0);
    }
}

static void bracket(cs_slice *s, size_t l)
{
    cs_slice_place(s, l, cs_move_param(s->m, WIDTH)[l],
                   cs_move_param(s->m, STEPS_OUT)[l]);
}

static void step(cs_move *m)
{
    static const cs_slice_curve line = {lay, bracket, cs_slice_keep_all};
    cs_slice s;
    cs_slice_open(&s, m, &line, 1);
    draw_direction(m, s.own);
    cs_slice_step(&s);
}

static const cs_param rows[] = {
    [WIDTH] = CS_SLICE_WIDTH("of the bracket along the direction"),
    [STEPS_OUT] = CS_SLICE_STEPS_OUT,
};

const cs_kernel_type CS_VARIANT(cs_kernel_slice_direction) = {
    .name = "slice_direction",
    .title = "Slice sampling along a random direction",
    .ref = "Neal, Slice sampling, 2003, section 4; Belisle, Romeijn and Smith, "
           "Hit-and-run algorithms for generating multivariate distributions, "
           "1993",
    .help = "Draws a random direction and a random level below log p, then "
            "draws the new state uniformly from the points of the line through "
            "the current state where log p is above this level. A step needs a "
            "few evaluations in any dimension.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE,
    CS_PARAM_TABLE(rows),
    .stats = cs_slice_stats,
    .scratch_words = scratch_words,
    .step = step,
};
