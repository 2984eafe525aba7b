#include "targets/learned_rows.h"

#include "base/memory.h"
#include "targets/network/rbm.h"

#include <string.h>

/* Creates *rows: 0, b_1, b_2, ..., then for each hidden unit c_j, w_j1, w_j2,
 * ... */
static cs_status rows_of_rbm(const cs_target *t, double **rows, size_t *n,
                             size_t *width, cs_error *err)
{
    const cs_rbm *m = t->self;
    const double *w = t->learned, *b = w + m->hidden * m->visible;
    const double *c = b + m->visible;
    size_t bytes = m->visible * sizeof(double);
    *n = m->hidden + 1;
    *width = m->visible + 1;
    double *to = *rows = cs_alloc(*n * *width, sizeof *to);
    if (!to)
        return cs_fail(err, CS_MEMORY, "out of memory for the weights");
    memcpy(to + 1, b, bytes);
    for (size_t j = 0; j < m->hidden; j++) {
        double *row = to + (j + 1) * *width;
        row[0] = c[j];
        memcpy(row + 1, w + j * m->visible, bytes);
    }
    return CS_OK;
}

/* Creates *rows with all numbers in order, one per row. */
static cs_status one_by_one(const cs_target *t, double **rows, size_t *n,
                            size_t *width, cs_error *err)
{
    *n = t->n_learned;
    *width = 1;
    *rows = cs_alloc(*n, sizeof **rows);
    if (!*rows)
        return cs_fail(err, CS_MEMORY, "out of memory for the numbers");
    memcpy(*rows, t->learned, *n * sizeof **rows);
    return CS_OK;
}

/* Types that can be created from rows, with their format. */
static const struct {
    const char *type;
    cs_status (*rows)(const cs_target *t, double **rows, size_t *n,
                      size_t *width, cs_error *err);
} table[] = {{"rbm", rows_of_rbm}, {"energy_network", one_by_one}};

cs_status cs_learned_rows(const cs_target *t, double **rows, size_t *n,
                          size_t *width, cs_error *err)
{
    *rows = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(t->type->name, table[i].type) == 0)
            return table[i].rows(t, rows, n, width, err);
    return cs_fail(err, CS_UNSUPPORTED,
                   "%s cannot be created from rows of numbers", t->name);
}
