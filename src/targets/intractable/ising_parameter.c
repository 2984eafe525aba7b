/* The inverse temperature of an Ising model, given one image: spins s_i = 2 y_i
 * - 1 of the bits y on a grid,
 *
 *     p(beta | y) ~ prior(beta) exp(beta sum_{i~j} s_i s_j) / Z(beta).
 *
 * If `two` is true, there is also a field, exp(... + field sum_i s_i). Z is
 * known for grids whose states can be counted (state_counts.h), up to about 10
 * x 10, or 7 x 7 with a field, and for a torus of any size without a field
 * (targets/discrete/torus.h). */
#include "targets/intractable/binary_posterior.h"
#include "targets/intractable/grid_posterior.h"

enum { TWO = CS_FIELD_PARAMS };

static cs_status make(cs_target *t, const cs_edges *bonds, const cs_value *v,
                      cs_given_data *d, cs_error *err)
{
    static const char *const names[] = {"beta", "field"};
    const cs_family_kind kind = {.names = names,
                                 .parameters = v[TWO].number != 0 ? 2 : 1,
                                 .low = {0, -1},
                                 .high = {1, 1},
                                 .truth = {0.3, 0.1},
                                 .most = 1,
                                 .signs = true};
    cs_binary_posterior *p = t->self;
    if (v[CS_FIELD_PERIODIC].number != 0) {
        p->torus[0] = t->data_picture.rows;
        p->torus[1] = t->data_picture.cols;
    }
    return CS_VARIANT(cs_binary_posterior_make)(t, bonds, true, &kind, v, d,
                                                err);
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    return cs_grid_posterior_create(t, make, v, err);
}

static const cs_param params[] = {
    CS_FAMILY_ROWS("beta (and field)",
                   "the spins of the grid, as a list of lists with the values "
                   "0 and 1, or -1 and 1",
                   "; without `data` and `file`, data are simulated"),
    CS_FIELD_GRID_ROWS(8),
    [TWO] = {.name = "two",
             CS_FIXED(BOOL),
             .max = 1,
             .help = "true: the external field is also an unknown parameter"},
};

const cs_target_type CS_VARIANT(cs_target_ising_parameter) = {
    .name = "ising_parameter",
    .title = "Parameters of an Ising model",
    .ref = "Moller, Pettitt, Reeves and Berthelsen, An efficient Markov chain "
           "Monte Carlo method for distributions with intractable normalising "
           "constants, 2006",
    .help = "The inverse temperature of an Ising model on a grid, given one "
            "state of the grid. The normalising constant is known only for "
            "small grids. Data are simulated exactly.",
    CS_PARAM_TABLE(params),
    .create = create,
    CS_BINARY_POSTERIOR_MEMBERS,
};
