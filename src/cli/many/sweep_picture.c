#include "cli/many/sweep_picture.h"

#include "base/memory.h"
#include "screen/canvas/facets.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120, PICTURES = 24 };

/* The drawing: one picture per figure and per setting of the other parameters.
 * Curves show the figure as a function of the first parameter. */
typedef struct drawing {
    const cs_sweep *s;
    size_t along;  /* number of values of the first parameter */
    size_t others; /* number of points per value of the first parameter */
    cs_multiple *one;
    cs_multiple_curve *curve;
    cs_multiple_point *point;
    size_t n;
} drawing;

static void drawing_fini(drawing *d)
{
    CS_FREE_ALL(d->one, d->curve, d->point);
}

/* Returns the half width of the 95 % interval. */
static double reach(const cs_sweep_cell *c)
{
    if (c->error == 0)
        return 0;
    return c->freedom >= 1 ? gsl_cdf_tdist_Pinv(0.975, c->freedom) * c->error
                           : (double)NAN;
}

static void put_title(const drawing *d, size_t figure, size_t other,
                      char *title, size_t size)
{
    const cs_sweep *s = d->s;
    size_t used = (size_t)snprintf(title, size, "%s", s->figure[figure]);
    for (size_t a = 1; a < s->n_axes && used < size; a++)
        used += (size_t)snprintf(title + used, size - used, ", %s = %s",
                                 s->axis[a].name, cs_sweep_value(s, other, a));
}

static void put_curve(const drawing *d, size_t figure, size_t other, size_t arm,
                      cs_multiple_curve *c, cs_multiple_point *at)
{
    const cs_sweep *s = d->s;
    size_t best = cs_sweep_best(s, arm, figure);
    *c = (cs_multiple_curve){.name = s->arm[arm], .number = arm, .at = at};
    for (size_t k = 0; k < d->along; k++) {
        size_t i = k * d->others + other;
        const cs_sweep_cell *cell = cs_sweep_at(s, i, arm, figure);
        double half = reach(cell);
        if (isfinite(cell->value))
            at[c->n++] = (cs_multiple_point){.x = s->axis[0].x[k],
                                             .y = cell->value,
                                             .low = cell->value - half,
                                             .high = cell->value + half,
                                             .best = i == best};
    }
}

static cs_status make(drawing *d, const cs_sweep *s, cs_error *err)
{
    *d = (drawing){.s = s, .along = s->axis[0].n};
    d->others = s->points / d->along;
    size_t all = s->figures * d->others;
    d->n = all < PICTURES ? all : PICTURES;
    d->one = cs_alloc(d->n, sizeof *d->one);
    d->curve = cs_alloc(d->n * s->arms, sizeof *d->curve);
    d->point = cs_alloc(d->n * s->arms * d->along, sizeof *d->point);
    if (!d->one || !d->curve || !d->point)
        return cs_fail(err, CS_MEMORY, "out of memory for the picture");
    for (size_t i = 0; i < d->n; i++) {
        size_t figure = i / d->others, other = i % d->others;
        cs_multiple_curve *c = d->curve + i * s->arms;
        put_title(d, figure, other, d->one[i].title, sizeof d->one[i].title);
        d->one[i].curve = c;
        d->one[i].n = s->arms;
        d->one[i].figure = figure;
        for (size_t k = 0; k < s->arms; k++)
            put_curve(d, figure, other, k, &c[k],
                      d->point + (i * s->arms + k) * d->along);
    }
    return CS_OK;
}

static cs_status emit(const cs_canvas *c, cs_medium as, cs_page *p,
                      cs_error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool good = out && cs_canvas_export(c, as, CS_TIER_TRUE, out);
    if (out && fclose(out) != 0)
        good = false;
    if (good)
        cs_page_put(p, "%s", text);
    free(text);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the picture");
}

cs_status cs_sweep_picture(const cs_sweep *s, cs_medium as, cs_page *p,
                           cs_error *err)
{
    drawing d;
    cs_canvas c = {0};
    cs_status status = make(&d, s, err);
    int height = cs_facets_height(d.n, d.others, WIDTH);
    int width = d.n > 1 ? WIDTH : WIDTH * 2 / 3;
    if (status == CS_OK)
        status = cs_canvas_init(&c, width, height, CS_BRAILLE, err);
    if (status == CS_OK) {
        cs_area all = cs_canvas_area(&c);
        cs_facets_draw(&all, d.one, d.n,
                       (cs_facets_axis){.name = s->axis[0].name,
                                        .log_x = s->axis[0].log,
                                        .together = d.others});
        status = emit(&c, as, p, err);
    }
    cs_canvas_fini(&c);
    drawing_fini(&d);
    return status;
}
