/* Finite auxiliary chains in scripts: the matrices of section 4 of Yuan and
 * Wang 2026, their spectral gaps, and the bounds on the gaps. */
#include "script/bind/bit_theory.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"
#include "theory/bounds.h"
#include "theory/exchange_grid.h"
#include "theory/minibatch.h"
#include "theory/table_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char meta[] = "chainscope.theory";

enum { STATES_MOST = 200 };

/* ---- parameters ---------------------------------------------------------- */

#define NUMBERS(field, required, text)                                         \
    {                                                                          \
        .name = field, .kind = CS_PARAM_ARRAY,                                 \
        .flags = (required) ? CS_PARAM_REQUIRED : 0, .help = text              \
    }
#define REAL(field, least, value, needed, text)                                \
    {                                                                          \
        .name = field, .kind = CS_PARAM_REAL,                                  \
        .flags = (needed) ? CS_PARAM_REQUIRED : 0, .min = least, .max = 1e9,   \
        .def = value, .help = text                                             \
    }
#define WHOLE(field, least, most, value, text)                                 \
    {                                                                          \
        .name = field, .kind = CS_PARAM_INT, .min = least, .max = most,        \
        .def = value, .help = text                                             \
    }
#define SWITCH(field, text)                                                    \
    {                                                                          \
        .name = field, .kind = CS_PARAM_BOOL, .max = 1, .help = text           \
    }

static const char *const rules[] = {"metropolis", "barker", NULL};
static const char *const ways[] = {"balanced", "average", "sweeps", NULL};

/* The parameters that all kinds have. They precede the parameters of each
 * kind. */
enum { ACCEPT, GIVEN, MATRICES, COMMON };
#define COMMON_ROWS                                                            \
    [ACCEPT] = {.name = "accept",                                              \
                .kind = CS_PARAM_CHOICE,                                       \
                .max = 1,                                                      \
                .choices = rules,                                              \
                .help = "the acceptance probability for a ratio r. "           \
                        "metropolis: min(1, r); barker: r / (1 + r)"},         \
    [GIVEN] = SWITCH("given", "true: also compute the steps given omega_1, "   \
                              "for proposition 6; this needs one "             \
                              "eigenvalue problem per value"),                 \
    [MATRICES] = SWITCH("matrices", "true: also return the transition "        \
                                    "matrices: matrix = { auxiliary, "         \
                                    "within, ideal, gibbs }")

enum { LOGP = COMMON, F, FIRST, PROPOSE, SECOND, DRAWN, TABLE_ROWS };
static const cs_param table_rows[TABLE_ROWS] = {
    COMMON_ROWS,
    [LOGP] = NUMBERS("logp", 1, "log density of each state, up to a constant"),
    [F] = NUMBERS("f", 0,
                  "the function of the state whose autocorrelation time is "
                  "computed; by default the index of the state"),
    [FIRST] = NUMBERS("first", 0,
                      "P_a(k): first[a][k], or first(a) returns the list over "
                      "k; without `first` there is no omega_1"),
    [PROPOSE] =
        NUMBERS("propose", 1,
                "q_k(a, b): propose[k][a][b], or propose(a, k) returns the "
                "list over b; without omega_1 propose[a][b]. Each list sums to "
                "at most 1; the rest is the probability to stay"),
    [SECOND] = NUMBERS("second", 0,
                       "P_ab(w | k): second[k][a][b][w], or second(a, b, k) "
                       "returns the list over w; without omega_1 "
                       "second[a][b][w]. Without second, omega_2 is omega_1"),
    [DRAWN] = NUMBERS("drawn", 0,
                      "the distribution from which omega_2 is drawn, in the "
                      "form of `second`, if the two differ. The chain is then "
                      "not exact, and its stationary distribution is computed"),
};

enum { X = COMMON, STEP, TERMS, PRIOR, SLOPES, PRIOR_SLOPES, GRID };
#define GRID_ROWS                                                              \
    COMMON_ROWS, [X] = NUMBERS("x", 1, "the states: equidistant numbers"),     \
                 [STEP] =                                                      \
                     REAL("step", 1e-9, 1, 1,                                  \
                          "standard deviation of the proposal; at least the "  \
                          "distance of two states. Proposals beyond the ends " \
                          "are rejected"),                                     \
                 [TERMS] =                                                     \
                     NUMBERS("terms", 1,                                       \
                             "terms of the log density: one list per row of "  \
                             "data (1 to 6 rows), with the term of this row "  \
                             "at each state"),                                 \
                 [PRIOR] = NUMBERS("prior", 0, "log prior at each state"),     \
                 [SLOPES] =                                                    \
                     NUMBERS("slopes", 0,                                      \
                             "derivatives of the terms, in the same form"),    \
                 [PRIOR_SLOPES] =                                              \
                     NUMBERS("prior_slopes", 0, "derivative of prior")

enum { LAMBDA = GRID, LOWS, WIDTHS, POISSON_ROWS };
static const cs_param poisson_rows[POISSON_ROWS] = {
    GRID_ROWS,
    [LAMBDA] = REAL("lambda", 1e-9, 1, 1,
                    "the paper's lambda divided by L^2, as in the kernels"),
    [LOWS] = NUMBERS("lows", 0,
                     "the lower bound of each term; by default its smallest "
                     "value on the grid"),
    [WIDTHS] = NUMBERS("widths", 0,
                       "M_i of each row: its term is at most M_i above its "
                       "lower bound; by default the smallest valid values"),
};

enum { CHI = GRID, LIPSCHITZ, BATCH, TUNA_ROWS };
static const cs_param tuna_rows[TUNA_ROWS] = {
    GRID_ROWS,
    [CHI] = REAL("chi", 1e-9, 1, 1,
                 "chi in the formula lambda = chi (C |x - y|)^2"),
    [LIPSCHITZ] =
        NUMBERS("lipschitz", 0,
                "c_i of each row; by default the largest change of its term "
                "per unit of distance"),
    [BATCH] = WHOLE("batch", 1, CS_COUNT_ROWS, 1,
                    "for tuna_sgld: number of rows in the batch that guides a "
                    "proposal"),
};

enum {
    E_X = COMMON,
    E_STEP,
    ROWS,
    COLS,
    DATA,
    E_PRIOR,
    DRAWS,
    HOW,
    SWEEPS,
    EXCHANGE_ROWS
};
static const cs_param exchange_rows[EXCHANGE_ROWS] = {
    COMMON_ROWS,
    [E_X] = NUMBERS("x", 1, "the couplings: equidistant numbers"),
    [E_STEP] = REAL("step", 1e-9, 1, 1,
                    "standard deviation of the proposal; at least the "
                    "distance of two couplings"),
    [ROWS] = WHOLE("rows", 1, CS_LATTICE_SITES, 3,
                   "rows of the lattice, with free boundaries"),
    [COLS] = WHOLE("cols", 1, CS_LATTICE_SITES, 3, "columns of the lattice"),
    [DATA] = NUMBERS("data", 1, "the spins, -1 or 1, row by row"),
    [E_PRIOR] = NUMBERS("prior", 0, "log prior of each coupling; 0 by default"),
    [DRAWS] = WHOLE("draws", 1, CS_EXCHANGE_DRAWS, 1,
                    "number of exact draws whose ratios are averaged"),
    [HOW] = {.name = "how",
             .kind = CS_PARAM_CHOICE,
             .max = 2,
             .choices = ways,
             .help = "how simulated draws are used. balanced (exact): a coin "
                     "decides whether all draws are simulated at the proposed "
                     "state, or one draw at the proposed state and the others "
                     "at the current state. average (exact only for one draw): "
                     "the mean of the ratios of the draws is used. sweeps (not "
                     "exact): Gibbs sweeps over the sites, forwards and "
                     "backwards, start at the data and simulate one draw"},
    [SWEEPS] =
        WHOLE("sweeps", 0, 10000, 1, "number of sweeps for how = \"sweeps\""),
};

/* ---- memory -------------------------------------------------------------- */

typedef struct holder {
    cs_aux_chain chain;
    cs_aux_theory theory;
} holder;

static int collect(lua_State *L)
{
    holder *h = luaL_checkudata(L, 1, meta);
    cs_aux_chain_free(&h->chain);
    cs_aux_theory_free(&h->theory);
    return 0;
}

static holder *hold(lua_State *L)
{
    holder *h = lua_newuserdatauv(L, sizeof *h, 0);
    memset(h, 0, sizeof *h);
    luaL_setmetatable(L, meta);
    return h;
}

/* ---- input --------------------------------------------------------------- */

static size_t length(const cs_value *v)
{
    return v->rows * v->cols;
}

static void want(lua_State *L, const cs_value *v, size_t n, const char *each)
{
    if (v->given && length(v) != n)
        cs_script_fail(L, "'%s' has %d numbers, but needs %d: one for each %s",
                       v->name, (int)length(v), (int)n, each);
}

static const double *given(const cs_value *v)
{
    return v->given ? v->array : NULL;
}

/* Returns the spacing of x[n]. Raises an error unless x is ascending and
 * equidistant. */
static double spacing(lua_State *L, const cs_value *x)
{
    size_t n = length(x);
    if (n < 2 || n > STATES_MOST)
        cs_script_fail(L, "'x' has %d states: give 2 to %d", (int)n,
                       STATES_MOST);
    double gap = (x->array[n - 1] - x->array[0]) / (double)(n - 1);
    for (size_t a = 0; a < n; a++)
        if (!(gap > 0) ||
            !(fabs(x->array[a] - x->array[0] - (double)a * gap) < 1e-6 * gap))
            cs_script_fail(
                L,
                "'x': state %d is at %.9g: give equidistant, ascending states",
                (int)a + 1, x->array[a]);
    return gap;
}

static cs_tall_grid grid_of(lua_State *L, const cs_value *v)
{
    size_t n = length(&v[X]), rows = v[TERMS].rows;
    cs_tall_grid g = {.n = n, .rows = rows, .low = v[X].array[0]};
    g.gap = spacing(L, &v[X]);
    if (rows < 1 || rows > CS_COUNT_ROWS || v[TERMS].cols != n)
        cs_script_fail(L,
                       "'terms' has %d lists of %d numbers: give 1 to %d "
                       "lists, each with %d numbers, one per state",
                       (int)rows, (int)v[TERMS].cols, CS_COUNT_ROWS, (int)n);
    want(L, &v[PRIOR], n, "state");
    want(L, &v[PRIOR_SLOPES], n, "state");
    want(L, &v[SLOPES], rows * n, "term and state");
    g.term = v[TERMS].array;
    g.prior = given(&v[PRIOR]);
    g.slope = given(&v[SLOPES]);
    g.prior_slope = given(&v[PRIOR_SLOPES]);
    return g;
}

static void check_finite(lua_State *L, const cs_value *v)
{
    for (size_t i = 0; v->given && i < length(v); i++)
        if (!isfinite(v->array[i]))
            cs_script_fail(L, "'%s': number %d is %g: it must be finite",
                           v->name, (int)i + 1, v->array[i]);
}

static cs_status make_poisson(lua_State *L, const cs_value *v, int which,
                              cs_aux_chain *out, cs_error *err)
{
    const cs_tall_grid g = grid_of(L, v);
    want(L, &v[WIDTHS], g.rows, "term");
    want(L, &v[LOWS], g.rows, "term");
    return cs_poisson_chain(
        &g,
        &(cs_poisson_setting){(cs_poisson_proposal)which, v[STEP].number,
                              v[LAMBDA].number, given(&v[LOWS]),
                              given(&v[WIDTHS]), (cs_aux_rule)v[ACCEPT].number},
        out, err);
}

static cs_status make_tuna(lua_State *L, const cs_value *v, int which,
                           cs_aux_chain *out, cs_error *err)
{
    const cs_tall_grid g = grid_of(L, v);
    want(L, &v[LIPSCHITZ], g.rows, "term");
    return cs_tuna_chain(&g,
                         &(cs_tuna_setting){v[STEP].number, v[CHI].number,
                                            given(&v[LIPSCHITZ]),
                                            which ? (size_t)v[BATCH].number : 0,
                                            (cs_aux_rule)v[ACCEPT].number},
                         out, err);
}

static cs_status make_exchange(lua_State *L, const cs_value *v, int which,
                               cs_aux_chain *out, cs_error *err)
{
    cs_lattice l;
    size_t n = length(&v[E_X]);
    double gap = spacing(L, &v[E_X]);
    cs_status status = cs_lattice_make((size_t)v[ROWS].number,
                                       (size_t)v[COLS].number, &l, err);
    (void)which;
    if (status)
        return status;
    want(L, &v[DATA], l.rows * l.cols, "site");
    want(L, &v[E_PRIOR], n, "coupling");
    for (size_t i = 0; i < length(&v[DATA]); i++)
        if (fabs(v[DATA].array[i]) != 1)
            cs_script_fail(L, "'data': spin %d is %g: it must be -1 or 1",
                           (int)i + 1, v[DATA].array[i]);
    if (v[E_STEP].number < gap)
        cs_script_fail(L,
                       "'step' is %g, less than the distance %g between "
                       "couplings: use more couplings",
                       v[E_STEP].number, gap);
    const cs_exchange_setting s = {.n = n,
                                   .low = v[E_X].array[0],
                                   .gap = gap,
                                   .step = v[E_STEP].number,
                                   .prior = given(&v[E_PRIOR]),
                                   .spins = v[DATA].array,
                                   .draws = (size_t)v[DRAWS].number,
                                   .sweeps = (size_t)v[SWEEPS].number,
                                   .how = (cs_exchange_how)v[HOW].number,
                                   .rule = (cs_aux_rule)v[ACCEPT].number};
    return cs_exchange_chain(&l, &s, out, err);
}

/* Reads the tables. Each table is a flat list of rows, with one row per (k, a)
 * or per (k, a, b). */
static cs_status make_tables(lua_State *L, const cs_value *v, int which,
                             cs_aux_chain *out, cs_error *err)
{
    size_t n = length(&v[LOGP]), n1 = v[FIRST].given ? v[FIRST].cols : 1;
    const cs_value *second = &v[SECOND], *drawn = &v[DRAWN];
    (void)which;
    if (n < 2 || n > STATES_MOST)
        cs_script_fail(L, "'logp' has %d states: give 2 to %d", (int)n,
                       STATES_MOST);
    want(L, &v[F], n, "state");
    want(L, &v[FIRST], n * n1, "state and value of omega_1");
    want(L, &v[PROPOSE], n1 * n * n, "proposal");
    if (second->given && second->rows != n1 * n * n)
        cs_script_fail(
            L,
            "'second' has %d lists, but needs %d: one for each pair of states",
            (int)second->rows, (int)(n1 * n * n));
    if (drawn->given && !second->given)
        cs_script_fail(L, "'drawn' needs 'second': the distribution that the "
                          "chain assumes for omega_2");
    if (drawn->given && length(drawn) != length(second))
        cs_script_fail(L, "'drawn' and 'second' differ in size");
    const cs_chain_tables t = {.n = n,
                               .n1 = n1,
                               .n2 = second->given ? second->cols : 1,
                               .logp = v[LOGP].array,
                               .f = given(&v[F]),
                               .first = given(&v[FIRST]),
                               .propose = v[PROPOSE].array,
                               .second = given(second),
                               .drawn = given(drawn),
                               .rule = (cs_aux_rule)v[ACCEPT].number};
    return cs_table_chain(&t, out, err);
}

/* ---- results ------------------------------------------------------------- */

static const char *const kinds[] = {"auxiliary", "within", "ideal", "gibbs"};

static void set_matrix(lua_State *L, const char *name, const double *P,
                       size_t n)
{
    lua_createtable(L, (int)n, 0);
    for (size_t a = 0; a < n; a++) {
        cs_script_push_numbers(L, P + a * n, n);
        lua_rawseti(L, -2, (lua_Integer)a + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_chains(lua_State *L, const cs_aux_theory *t, bool matrices)
{
    static const char *const fields[] = {"gap", "absolute_gap", "time",
                                         "acceptance"};
    for (size_t f = 0; f < 4; f++) {
        lua_newtable(L);
        for (size_t i = 0; i < CS_AUX_KINDS; i++) {
            const double value[] = {t->gap[i].right, t->gap[i].absolute,
                                    t->time[i], t->acceptance[i]};
            cs_script_set_known(L, kinds[i], value[f]);
        }
        lua_setfield(L, -2, fields[f]);
    }
    if (!matrices)
        return;
    lua_newtable(L);
    for (size_t i = 0; i < CS_AUX_KINDS; i++)
        set_matrix(L, kinds[i], t->P[i], t->n);
    lua_setfield(L, -2, "matrix");
}

static void set_bounds(lua_State *L, const char *proposition, cs_bounds b)
{
    lua_newtable(L);
    cs_script_set_known(L, "older", b.older);
    cs_script_set_known(L, "newer", b.newer);
    cs_script_set_known(L, "printed", b.printed);
    cs_script_set_known(L, "sharper", b.sharper);
    lua_setfield(L, -2, proposition);
}

/* Sets the results of the theorems and propositions that hold for any exact
 * chain, as fields of the table on top of the stack. */
static void set_theorems(lua_State *L, const cs_aux_theory *t)
{
    const cs_aux_bounds b = cs_aux_bounds_of(t);
    cs_script_set_known(L, "tv", b.tv);
    cs_script_set_known(L, "kl", b.kl);
    cs_script_set_known(L, "kl_mean", b.kl_mean);
    lua_newtable(L);
    cs_script_set_known(L, "within", b.excess_aux);
    cs_script_set_known(L, "ideal", b.excess_within);
    lua_setfield(L, -2, "excess");
    lua_newtable(L);
    cs_script_set_known(L, "tv", b.slack_tv);
    cs_script_set_known(L, "kl", b.slack_kl);
    lua_setfield(L, -2, "theorem_1");
    lua_newtable(L);
    cs_script_set_known(L, "tv", b.by_tv);
    cs_script_set_known(L, "kl", b.by_kl);
    lua_setfield(L, -2, "theorem_2");
    if (!t->given)
        return;
    lua_newtable(L);
    cs_script_set_known(L, "first", b.within_1);
    cs_script_set_known(L, "second", b.within_2);
    cs_script_set_known(L, "least_gap", t->least.right);
    cs_script_set_known(L, "least_absolute_gap", t->least.absolute);
    lua_setfield(L, -2, "proposition_6");
}

static void push_theory(lua_State *L, const holder *h, bool matrices)
{
    const cs_aux_theory *t = &h->theory;
    double mean = 0;
    lua_newtable(L);
    cs_script_set_whole(L, "states", (double)t->n);
    cs_script_set_whole(L, "values", (double)t->n1);
    cs_script_set_known(L, "imbalance", t->imbalance);
    cs_script_set_known(L, "lost", t->lost);
    cs_script_set_known(L, "bias", t->bias);
    cs_script_set_list(L, "pi", t->pi, t->n);
    cs_script_set_list(L, "stationary", t->stationary, t->n);
    for (size_t a = 0; a < t->n; a++)
        mean += (t->stationary[a] - t->pi[a]) * h->chain.f[a];
    cs_script_set_known(L, "mean_bias", mean);
    set_chains(L, t, matrices);
    if (!t->inexact)
        set_theorems(L, t);
}

/* ---- kinds --------------------------------------------------------------- */

static void none(lua_State *L, const cs_value *v, const holder *h)
{
    (void)L, (void)v, (void)h;
}

static void poisson_bounds(lua_State *L, const cs_value *v, const holder *h)
{
    double size = cs_minibatch_size(&h->chain);
    cs_script_set_known(L, "size", size);
    if (!h->chain.first)
        set_bounds(L, "proposition_4",
                   cs_bounds_poisson(size, v[LAMBDA].number * size * size));
}

static void tuna_bounds(lua_State *L, const cs_value *v, const holder *h)
{
    double size = cs_minibatch_size(&h->chain);
    cs_script_set_known(L, "size", size);
    set_bounds(L, "proposition_5", cs_bounds_tuna(size, v[CHI].number));
}

static void exchange_bounds(lua_State *L, const cs_value *v, const holder *h)
{
    size_t values;
    const double *p = cs_exchange_laws(&h->chain, &values);
    cs_script_set_whole(L, "second_values", (double)values);
    if (v[DRAWS].number == 1 && !h->chain.inexact)
        cs_script_set_known(L, "proposition_3",
                            cs_bound_exchange(p, h->chain.n, values));
}

typedef struct kind {
    const char *name, *title, *help;
    const cs_param *rows;
    size_t n;
    cs_status (*make)(lua_State *L, const cs_value *v, int which,
                      cs_aux_chain *out, cs_error *err);
    int which;
    void (*bounds)(lua_State *L, const cs_value *v, const holder *h);
} kind;

enum { ROWS_MOST = 16 };
static const kind all[] = {
    {"tables", "A user-defined finite chain",
     "Algorithm 1 of Yuan and Wang 2026.", table_rows, TABLE_ROWS, make_tables,
     0, none},
    {"poisson_mh", "PoissonMH on a grid",
     "Algorithm 5 of Yuan and Wang 2026, with its counts summed out.",
     poisson_rows, POISSON_ROWS, make_poisson, CS_POISSON_MH, poisson_bounds},
    {"poisson_mala", "Poisson-MALA on a grid",
     "Algorithm 2 with g(t) = sqrt(t); omega_1 is the vector of counts.",
     poisson_rows, POISSON_ROWS, make_poisson, CS_POISSON_MALA, poisson_bounds},
    {"poisson_barker", "Poisson-Barker on a grid",
     "Algorithm 2 with g(t) = t / (1 + t); omega_1 is the vector of counts.",
     poisson_rows, POISSON_ROWS, make_poisson, CS_POISSON_BARKER,
     poisson_bounds},
    {"tuna_mh", "TunaMH on a grid", "Algorithm 6, with its counts summed out.",
     tuna_rows, BATCH, make_tuna, 0, tuna_bounds},
    {"tuna_sgld", "Tuna-SGLD on a grid",
     "Algorithm 3; omega_1 is the batch that guides the proposal.", tuna_rows,
     TUNA_ROWS, make_tuna, 1, tuna_bounds},
    {"exchange", "The exchange algorithm on a grid of couplings",
     "Algorithm 4, for a small Ising lattice; omega is the sum of the products "
     "of neighbouring spins.",
     exchange_rows, EXCHANGE_ROWS, make_exchange, 0, exchange_bounds},
};

static const kind *find(lua_State *L, const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    luaL_error(L, "no theory '%s'", name);
    return NULL;
}

/* Resolves the values of parameters and stores them on the Lua stack. The
 * values must be finite. */
static void resolve(lua_State *L, const char *what, const cs_param *rows,
                    size_t n, cs_value *v)
{
    cs_error err = {0};
    size_t given;
    lua_settop(L, 2);
    const cs_value *values = cs_script_values(L, 2, NULL, &given);
    if (cs_params_resolve(what, rows, n, values, given, v, &err))
        cs_script_raise(L, &err);
    for (size_t i = 0; i < n; i++)
        if (rows[i].kind == CS_PARAM_ARRAY)
            check_finite(L, &v[i]);
}

/* theory(kind, fields): returns a table of results for a chain of that kind. */
static int theory(lua_State *L)
{
    cs_value v[ROWS_MOST];
    cs_error err = {0};
    char what[64];
    const char *name = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    snprintf(what, sizeof what, "cs.theory.%s", name);
    for (const cs_bit_theory *b = cs_bit_theories; b->name; b++)
        if (strcmp(b->name, name) == 0) {
            resolve(L, what, b->rows, b->n, v);
            return cs_script_bit_theory(L, b, v);
        }
    const kind *k = find(L, name);
    if (k->make == make_tables)
        what[strlen("cs.theory")] = 0;
    resolve(L, what, k->rows, k->n, v);
    holder *h = hold(L);
    if (k->make(L, v, k->which, &h->chain, &err) ||
        cs_aux_theory_make(&h->chain, v[GIVEN].number != 0, &h->theory, &err))
        return cs_script_raise(L, &err);
    push_theory(L, h, v[MATRICES].number != 0);
    if (!h->theory.inexact)
        k->bounds(L, v, h);
    return 1;
}

static int theories(lua_State *L)
{
    lua_newtable(L);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cs_script_list(L, all[i].name, all[i].title, all[i].help, all[i].rows,
                       all[i].n);
    for (const cs_bit_theory *b = cs_bit_theories; b->name; b++)
        cs_script_list(L, b->name, b->title, b->help, b->rows, b->n);
    return 1;
}

void cs_script_open_theory(lua_State *L)
{
    static const luaL_Reg held[] = {{"__gc", collect}, {NULL, NULL}};
    cs_script_class(L, meta, "theory", held);
    cs_script_set_function(L, "theory", theory);
    cs_script_set_function(L, "theories", theories);
}
