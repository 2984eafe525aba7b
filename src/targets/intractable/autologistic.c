/* The posterior of the parameters of an autologistic model of bits y on a map,
 * given y:
 *
 *     p(coupling, field | y) ~ prior exp(coupling sum_{i~j} y_i y_j
 *                                        + field sum_i y_i) / Z
 *
 * (Besag, "Spatial interaction and the statistical analysis of lattice
 * systems", 1974). Z is known if the states can be counted (state_counts.h), as
 * for the default map. */
#include "base/memory.h"
#include "targets/intractable/binary_posterior.h"

#include <math.h>

enum { EDGES = CS_FAMILY_PARAMS, GRAPH };

/* ---- default map --------------------------------------------------------- */

/* The 48 contiguous states of the USA and the District of Columbia, with the
 * pairs that have a common border, from the north-west to the north-east: OR ID
 * WA NV CA AZ UT NM CO WY MT SD ND NE MN IA WI KS OK MO TX IL MI AR LA MS TN KY
 * IN OH AL GA FL VA NC SC WV PA MD DC DE NJ NY MA VT CT RI NH ME. */
enum { STATES = 49, BORDERS = 107 };
static const uint8_t border[BORDERS][2] = {
    {1, 2},   {1, 3},   {1, 4},   {1, 5},   {2, 3},   {2, 4},   {2, 7},
    {2, 10},  {2, 11},  {4, 5},   {4, 6},   {4, 7},   {5, 6},   {6, 7},
    {6, 8},   {7, 9},   {7, 10},  {8, 9},   {8, 19},  {8, 21},  {9, 10},
    {9, 14},  {9, 18},  {9, 19},  {10, 11}, {10, 12}, {10, 14}, {11, 12},
    {11, 13}, {12, 13}, {12, 14}, {12, 15}, {12, 16}, {13, 15}, {14, 16},
    {14, 18}, {14, 20}, {15, 16}, {15, 17}, {16, 17}, {16, 20}, {16, 22},
    {17, 22}, {17, 23}, {18, 19}, {18, 20}, {19, 20}, {19, 21}, {19, 24},
    {20, 22}, {20, 24}, {20, 27}, {20, 28}, {21, 24}, {21, 25}, {22, 28},
    {22, 29}, {23, 29}, {23, 30}, {24, 25}, {24, 26}, {24, 27}, {25, 26},
    {26, 27}, {26, 31}, {27, 28}, {27, 31}, {27, 32}, {27, 34}, {27, 35},
    {28, 29}, {28, 30}, {28, 34}, {28, 37}, {29, 30}, {30, 37}, {30, 38},
    {31, 32}, {31, 33}, {32, 33}, {32, 35}, {32, 36}, {34, 35}, {34, 37},
    {34, 39}, {34, 40}, {35, 36}, {37, 38}, {37, 39}, {38, 39}, {38, 41},
    {38, 42}, {38, 43}, {39, 40}, {39, 41}, {41, 42}, {42, 43}, {43, 44},
    {43, 45}, {43, 46}, {44, 45}, {44, 46}, {44, 47}, {44, 48}, {45, 48},
    {46, 47}, {48, 49}};

/* 1 for each state in which Biden won most or all electors in 2020 (National
 * Archives, Electoral College results). */
static const char won[] = "1011110110000010100001100000000101000111111111111";

static cs_status map_at_hand(cs_given_data *d, cs_edges *e, cs_error *err)
{
    *e = (cs_edges){.vertices = STATES, .n = BORDERS};
    e->edge = cs_alloc(BORDERS, sizeof *e->edge);
    if (!d->rows)
        d->number = cs_alloc(STATES, sizeof *d->number);
    if (!e->edge || !d->number)
        return cs_fail(err, CS_MEMORY, "out of memory for target autologistic");
    for (size_t k = 0; k < BORDERS; k++)
        e->edge[k] = (cs_edge){border[k][0] - 1u, border[k][1] - 1u, 1};
    for (size_t i = 0; !d->rows && i < STATES; i++)
        d->number[i] = won[i] - '0';
    if (!d->rows)
        *d = (cs_given_data){STATES, 1, d->number};
    return CS_OK;
}

/* ---- graphs given by the user -------------------------------------------- */

static cs_status list_edges(const cs_value *list, const cs_given_data *d,
                            cs_edges *e, cs_error *err)
{
    e->vertices = d->rows * d->cols;
    e->edge = cs_alloc(list->rows, sizeof *e->edge);
    if (!e->edge)
        return cs_fail(err, CS_MEMORY, "out of memory for target autologistic");
    for (size_t k = 0; k < list->rows; k++) {
        double end[2] = {list->array[2 * k], list->array[2 * k + 1]};
        for (int i = 0; i < 2; i++)
            if (!(end[i] >= 1 && end[i] <= CS_EDGES_VERTICES &&
                  end[i] == floor(end[i])))
                return cs_fail(err, CS_RANGE,
                               "autologistic: edge %zu has the end %g, which "
                               "is not the number of a site",
                               k + 1, end[i]);
        for (int i = 0; i < 2; i++)
            if (e->vertices < end[i])
                e->vertices = (size_t)end[i];
        e->edge[e->n++] =
            (cs_edge){(uint32_t)end[0] - 1, (uint32_t)end[1] - 1, 1};
    }
    cs_edges_tidy(e);
    return CS_OK;
}

static cs_status take_edges(const cs_value *v, cs_given_data *d, cs_edges *e,
                            cs_error *err)
{
    *e = (cs_edges){0};
    if (v[GRAPH].given && v[EDGES].given)
        return cs_fail(err, CS_INPUT,
                       "autologistic: both `edges` and `graph` are given");
    if (v[GRAPH].given)
        return cs_edges_read(v[GRAPH].text, e, err);
    if (!v[EDGES].given)
        return map_at_hand(d, e, err);
    if (v[EDGES].cols == 2)
        return list_edges(&v[EDGES], d, e, err);
    cs_fail(err, CS_INPUT,
            "autologistic: each row of `edges` must have 2 numbers, not %zu",
            v[EDGES].cols);
    cs_hint(err, "give a list of pairs of sites, numbered from 1");
    return CS_INPUT;
}

/* ---- instances ----------------------------------------------------------- */

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    static const char *const names[] = {"coupling", "field"};
    const cs_family_kind kind = {.names = names,
                                 .parameters = 2,
                                 .low = {-2, -4},
                                 .high = {2, 4},
                                 .truth = {0.3, -0.5},
                                 .most = 1,
                                 .signs = true};
    cs_given_data d;
    cs_edges edges = {0};
    cs_status s = cs_family_read(t->type->name, v, &d, err);
    if (!s)
        s = take_edges(v, &d, &edges, err);
    if (!s)
        s = CS_VARIANT(cs_binary_posterior_make)(t, &edges, false, &kind, v, &d,
                                                 err);
    cs_edges_free(&edges);
    cs_free(d.number);
    if (s)
        return s;
    const cs_binary_posterior *p = t->self;
    t->data_picture = (cs_picture){.kind = CS_PICTURE_GRAPH,
                                   .places = p->graph.sites,
                                   .edge = p->graph.end,
                                   .edges = p->graph.edges};
    return CS_OK;
}

static const cs_param params[] = {
    CS_FAMILY_ROWS("coupling and field",
                   "the values of the sites, a list of 0 and 1",
                   "; without `data` and `file`, data are simulated on the "
                   "given graph; for the default map, the data are the "
                   "election winners in the US states in 2020"),
    [EDGES] = {.name = "edges",
               CS_FIXED(ARRAY),
               .help =
                   "edges of the graph, a list of pairs of sites, numbered "
                   "from 1; by default the borders between states of the USA"},
    [GRAPH] = {.name = "graph",
               CS_FIXED_PATH,
               .help = "path of a file that contains the graph (G-set, Biq Mac "
                       "or DIMACS), instead of `edges`"},
};

const cs_target_type CS_VARIANT(cs_target_autologistic) = {
    .name = "autologistic",
    .title = "Autologistic model of a map",
    .ref = "Besag, Spatial interaction and the statistical analysis of lattice "
           "systems, 1974",
    .help = "Two parameters of an autologistic model, the coupling between "
            "neighbouring sites of a map and a field on all sites, given an "
            "observed map of zeros and ones. The normalising constant is known "
            "if the map is narrow. Data are simulated exactly.",
    CS_PARAM_TABLE(params),
    .create = create,
    CS_BINARY_POSTERIOR_MEMBERS,
};
