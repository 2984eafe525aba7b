#include "targets/intractable/grid_posterior.h"

#include "base/memory.h"
#include "targets/discrete/grids.h"

/* Finds the bonds of the grid and the picture of the data. [own,
 * cs_edges_free] */
static cs_status find_bonds(cs_target *t, const cs_value *v,
                            const cs_given_data *d, cs_edges *bonds,
                            cs_error *err)
{
    cs_grid g = {.rows = (size_t)v[CS_FIELD_ROWS].number, .layers = 1};
    g.cols = v[CS_FIELD_COLS].given ? (size_t)v[CS_FIELD_COLS].number : g.rows;
    bool list = d->cols <= 1; /* a list does not specify the sides of the
                                 grid */
    if (d->rows && !list && !v[CS_FIELD_ROWS].given)
        g.rows = d->rows;
    if (d->rows && !list && !v[CS_FIELD_COLS].given)
        g.cols = d->cols;
    t->data_picture = cs_grid_picture(&g);
    t->data_picture.low = 0;
    t->data_picture.high = 1;
    bool periodic = v[CS_FIELD_PERIODIC].number != 0;
    cs_status status = cs_grid_bonds(t->type->name, &g, periodic, bonds, err);
    if (!status)
        cs_edges_tidy(bonds);
    return status;
}

cs_status cs_grid_posterior_create(cs_target *t, cs_grid_posterior_make *make,
                                   const cs_value *v, cs_error *err)
{
    cs_given_data d;
    cs_edges bonds = {0};
    cs_status s = cs_family_read(t->type->name, v, &d, err);
    if (!s)
        s = find_bonds(t, v, &d, &bonds, err);
    if (!s)
        s = make(t, &bonds, v, &d, err);
    cs_edges_free(&bonds);
    cs_free(d.number);
    return s;
}
