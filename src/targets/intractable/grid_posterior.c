#include "targets/intractable/grid_posterior.h"

#include "targets/discrete/grids.h"

cs_status cs_grid_posterior_edges(const char *target, const cs_value *v,
                                  const cs_given_data *d, cs_edges *bonds,
                                  cs_picture *picture, cs_error *err)
{
    cs_grid g = {.rows = (size_t)v[CS_FIELD_ROWS].number, .layers = 1};
    g.cols = v[CS_FIELD_COLS].given ? (size_t)v[CS_FIELD_COLS].number : g.rows;
    bool list = d->cols <= 1; /* as a list it does not say */
    if (d->rows && !list && !v[CS_FIELD_ROWS].given)
        g.rows = d->rows;
    if (d->rows && !list && !v[CS_FIELD_COLS].given)
        g.cols = d->cols;
    *picture = cs_grid_picture(&g);
    picture->low = 0;
    picture->high = 1;
    cs_status status =
        cs_grid_bonds(target, &g, v[CS_FIELD_PERIODIC].number != 0, bonds, err);
    if (!status)
        cs_edges_tidy(bonds);
    return status;
}
