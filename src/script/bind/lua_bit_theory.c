/* Samplers of binary states in scripts: their transition matrices, their
 * convergence, and two bounds on this convergence, by Pynadath et al. (acs) and
 * by Mohanty et al. (edlp). Large arrays are in Lua's memory, so that errors
 * leak no memory. */
#include "script/bind/bit_theory.h"
#include "script/state/value.h"
#include "theory/convergence.h"
#include "theory/finite.h"
#include "theory/langevin_bounds.h"

#include <math.h>
#include <string.h>

enum {
    CYCLE_MOST = 64,
    GRID_MOST = 1024,
    POWERS_MOST = 40,
    STEPS_MOST = 10000
};

/* ---- parameters ---------------------------------------------------------- */

#define NUMBERS(field, required, text)                                         \
    {                                                                          \
        .name = field, .kind = CS_PARAM_ARRAY,                                 \
        .flags = (required) ? CS_PARAM_REQUIRED : 0, .help = text              \
    }
#define WHOLE(field, most, value, text)                                        \
    {                                                                          \
        .name = field, .kind = CS_PARAM_INT, .max = most, .def = value,        \
        .help = text                                                           \
    }

enum { LOGP, GRADIENT, F, POWERS, START, STEPS, BRIEF, COMMON };
#define COMMON_ROWS                                                            \
    [LOGP] = NUMBERS("logp", 0,                                                \
                     "U, the log density up to a constant: one number per "    \
                     "state, in the order 00, 01, 10, 11; up to ten bits"),    \
    [GRADIENT] = NUMBERS("gradient", 0,                                        \
                         "the gradient of U, one list per state; it must "     \
                         "be affine in each bit, as the gradient of a "        \
                         "quadratic or multilinear function is"),              \
    [F] = NUMBERS(                                                             \
        "f", 0,                                                                \
        "a function of the bits, one number per state, whose "                 \
        "autocorrelation time is computed; by default the sum of bits"),       \
    [POWERS] = WHOLE("powers", POWERS_MOST, 10,                                \
                     "number of entries of `distance`, which are computed "    \
                     "after 1, 2, 4, 8 ... steps (or cycles, if `step` is a "  \
                     "list)"),                                                 \
    [START] = WHOLE("start", CS_ENTROPIC_MOST, 0,                              \
                    "index of the start state of `series`, from 1"),           \
    [STEPS] = WHOLE("steps", STEPS_MOST, 0, "number of steps of `series`"),    \
    [BRIEF] = {.name = "brief",                                                \
               .kind = CS_PARAM_BOOL,                                          \
               .max = 1,                                                       \
               .help = "true: gap and time are not computed; this saves time " \
                       "in panels that are updated often"}

enum { STEP = COMMON, BALANCE, BIT_ROWS };
static const cs_param bit_rows[BIT_ROWS] = {
    COMMON_ROWS,
    [STEP] = NUMBERS("step", 1,
                     "alpha, or a list of values of alpha for a cycle; a cycle "
                     "counts as one step of the chain"),
    [BALANCE] = NUMBERS("balance", 0,
                        "beta, the balance of the gradient, or a list as long "
                        "as that of `step`; 1/2 by default"),
};

enum { E_STEP = COMMON, STEP_A, ETA, GRID, ENTROPIC_ROWS };
#define REAL(field, least, value, needed, text)                                \
    {                                                                          \
        .name = field, .kind = CS_PARAM_REAL,                                  \
        .flags = (needed) ? CS_PARAM_REQUIRED : 0, .min = least, .max = 1e9,   \
        .def = value, .help = text                                             \
    }
static const cs_param entropic_rows[ENTROPIC_ROWS] = {
    COMMON_ROWS,
    [E_STEP] = REAL("step", 1e-9, 1, 1, "alpha, the step size of the bits"),
    [STEP_A] = REAL("step_a", 1e-9, 1, 1, "alpha_a, the step size of theta_a"),
    [ETA] = REAL("eta", 1e-9, 1, 1, "the variance of theta_a around the bits"),
    [GRID] = NUMBERS("grid", 1,
                     "the values that each coordinate of theta_a can take, "
                     "ascending (the compact set of the theorems). Neighbours "
                     "may be at most half of sqrt(step_a) apart; for n bits "
                     "and m values, 2^n m^n must be at most 1300"),
};

const cs_bit_theory cs_bit_theories[] = {
    {"dmala", "Discrete Langevin steps on bits, adjusted",
     "Computes the transition matrix, its convergence, and the bounds of "
     "theorems 5.4 and 5.5 of Pynadath et al. 2024.",
     bit_rows, BIT_ROWS, false, true},
    {"dula", "Discrete Langevin steps on bits, unadjusted",
     "Computes the transition matrix, stationary distribution and convergence.",
     bit_rows, BIT_ROWS, false, false},
    {"edmala", "Entropic discrete Langevin steps on bits, adjusted",
     "Computes the transition matrix with theta_a on a grid, and the bound of "
     "theorem 5.6 of Mohanty et al. on its convergence.",
     entropic_rows, ENTROPIC_ROWS, true, true},
    {"edula", "Entropic discrete Langevin steps on bits, unadjusted",
     "Computes the transition matrix with theta_a on a grid, the stationary "
     "distribution and convergence, and the bounds of proposition 5.4 and "
     "theorem 5.5 of Mohanty et al.",
     entropic_rows, ENTROPIC_ROWS, true, false},
    {.name = NULL},
};

/* ---- input --------------------------------------------------------------- */

static size_t length(const cs_value *v)
{
    return v->given ? v->rows * v->cols : 0;
}

static double *room(lua_State *L, size_t n)
{
    return lua_newuserdatauv(L, n * sizeof(double), 0);
}

static cs_bit_target target_of(lua_State *L, const cs_value *v)
{
    cs_bit_target t = {.n = length(&v[LOGP])};
    if (!v[LOGP].given || !v[GRADIENT].given)
        cs_script_fail(L,
                       "'%s' is missing: give 'logp' and 'gradient' for all "
                       "states, or target = a target of bits",
                       v[LOGP].given ? "gradient" : "logp");
    while (t.dim < CS_BITS_MOST && (size_t)1 << t.dim < t.n)
        t.dim++;
    if (t.n < 2 || (size_t)1 << t.dim != t.n)
        cs_script_fail(L,
                       "'logp' has %d numbers: for n bits give 2^n numbers, "
                       "one per state, n from 1 to %d",
                       (int)t.n, CS_BITS_MOST);
    if (length(&v[GRADIENT]) != t.n * t.dim)
        cs_script_fail(L,
                       "'gradient' has %d numbers, but needs %d: a list of %d "
                       "numbers per state",
                       (int)length(&v[GRADIENT]), (int)(t.n * t.dim),
                       (int)t.dim);
    if (v[F].given && length(&v[F]) != t.n)
        cs_script_fail(L, "'f' has %d numbers, but needs %d: one per state",
                       (int)length(&v[F]), (int)t.n);
    t.logp = v[LOGP].array;
    t.gradient = v[GRADIENT].array;
    return t;
}

/* Returns step k of a cycle. */
static cs_bit_step step_of(lua_State *L, const cs_value *v, size_t k)
{
    size_t n = length(&v[STEP]), balances = length(&v[BALANCE]);
    cs_bit_step s = {.step = v[STEP].array[k], .balance = 0.5};
    if (n > CYCLE_MOST)
        cs_script_fail(L, "'step' has %d numbers: a cycle may have at most %d",
                       (int)n, CYCLE_MOST);
    if (balances > 1 && balances != n)
        cs_script_fail(L,
                       "'balance' has %d numbers, but 'step' has %d: give one "
                       "number, or one per step",
                       (int)balances, (int)n);
    if (balances)
        s.balance = v[BALANCE].array[balances > 1 ? k : 0];
    if (!(s.step > 0))
        cs_script_fail(L, "number %d of 'step' is %g: it must be above 0",
                       (int)k + 1, s.step);
    return s;
}

/* Checks the grid of theta_a. The steps of theta_a are normal, with standard
 * deviation sqrt(alpha_a). If neighbouring grid values are more than half of
 * this standard deviation apart, the chain on the grid hardly moves. It is then
 * a bad approximation of the chain off the grid. */
static void check_grid(lua_State *L, const cs_entropic_step *s)
{
    double widest = 0;
    for (size_t k = 1; k < s->k; k++) {
        double apart = s->grid[k] - s->grid[k - 1];
        if (!(apart > 0))
            cs_script_fail(
                L, "number %d of 'grid' is not above the number before it",
                (int)k + 1);
        widest = fmax(widest, apart);
    }
    double most = sqrt(s->step_a) / 2, range = s->grid[s->k - 1] - s->grid[0];
    if (widest > most * (1 + 1e-9))
        cs_script_fail(L,
                       "'grid': values are up to %f apart, but steps of "
                       "theta_a have sd %f: use distances of at most half the "
                       "sd, with %d values, or a larger 'step_a'",
                       widest, 2 * most, (int)ceil(range / most) + 1);
}

static cs_entropic_step entropic_of(lua_State *L, const cs_value *v,
                                    const cs_bit_target *t)
{
    cs_entropic_step s = {.step = v[E_STEP].number,
                          .step_a = v[STEP_A].number,
                          .eta = v[ETA].number,
                          .grid = v[GRID].array,
                          .k = length(&v[GRID])};
    if (s.k > 1)
        check_grid(L, &s);
    if (s.k < 1 || s.k > GRID_MOST ||
        cs_entropic_states(t, &s) > CS_ENTROPIC_MOST)
        cs_script_fail(L,
                       "'grid' has %d values for each of %d bits, giving more "
                       "than %d states: use fewer values",
                       (int)s.k, (int)t->dim, CS_ENTROPIC_MOST);
    return s;
}

/* ---- results ------------------------------------------------------------- */

static void set_chain(lua_State *L, const char *name, double x)
{
    lua_newtable(L);
    cs_script_set_known(L, "chain", x);
    lua_setfield(L, -2, name);
}

static void set_constants(lua_State *L, const cs_bit_constants *c)
{
    lua_newtable(L);
    cs_script_set_known(L, "lipschitz", c->lipschitz);
    cs_script_set_known(L, "concavity", c->concavity);
    cs_script_set_known(L, "diameter", c->diameter);
    cs_script_set_known(L, "least_gradient", c->least_gradient);
    cs_script_set_known(L, "log_z", c->log_z);
    lua_setfield(L, -2, "constants");
}

static void set_bound(lua_State *L, bool applies, double printed, double proof,
                      double best)
{
    lua_newtable(L);
    cs_script_set_flag(L, "applies", applies);
    cs_script_set_known(L, "printed", printed);
    cs_script_set_known(L, "proof", proof);
    cs_script_set_known(L, "best", best);
    lua_setfield(L, -2, "minorant");
}

/* A chain with n states. `law` is its target or stationary distribution; f is a
 * function of the state. */
typedef struct made {
    size_t n;
    double *P, *law, *f, *rest, *scratch;
    bool adjusted;
} made;

/* Allocates a chain in memory that remains on the Lua stack. */
static made make(lua_State *L, size_t n, bool adjusted)
{
    made c = {.n = n, .adjusted = adjusted};
    c.P = room(L, n * n + 3 * n + STEPS_MOST + 1);
    c.law = c.P + n * n;
    c.f = c.law + n;
    c.rest = c.f + n;
    c.scratch = c.rest + n;
    return c;
}

/* Computes f[n], which does not depend on theta_a. */
static void fill_f(const cs_bit_target *t, const cs_value *v, made *c)
{
    size_t places = c->n / t->n;
    for (size_t a = 0; a < c->n; a++) {
        size_t x = a / places;
        c->f[a] = v[F].given ? v[F].array[x]
                             : (double)__builtin_popcount((unsigned)x);
    }
}

/* Sets fields of the table on top of the stack: the stationary distribution,
 * the gaps and the mixing time. The mixing time is omitted if it overflows a
 * double. `reversible` is true if the chain is reversible with respect to its
 * law. */
static cs_status set_rest(lua_State *L, const cs_value *v, made *c,
                          bool reversible, cs_error *err)
{
    double gap = 0, time = 0, bias = 0;
    cs_chain_gap gaps;
    if (c->adjusted)
        memcpy(c->rest, c->law, c->n * sizeof *c->rest);
    else if (cs_chain_balance(c->P, c->n, c->rest))
        reversible = true;
    else if (cs_chain_stationary(c->P, c->n, c->rest, err))
        return err->status;
    for (size_t a = 0; a < c->n; a++)
        bias += fabs(c->rest[a] - c->law[a]) / 2;
    cs_script_set_list(L, "pi", c->law, c->n);
    cs_script_set_list(L, "stationary", c->rest, c->n);
    cs_script_set_known(L, "bias", bias);
    cs_script_set_known(L, "imbalance",
                        cs_chain_imbalance(c->P, c->rest, c->n));
    if (v[BRIEF].number != 0)
        return CS_OK;
    if (reversible) {
        if (cs_chain_gaps(c->P, c->rest, c->n, &gaps, NULL, NULL, err))
            return err->status;
        set_chain(L, "gap", gaps.right);
        gap = gaps.absolute;
    } else if (cs_chain_any_gap(c->P, c->n, &gap, err)) {
        return err->status;
    }
    set_chain(L, "absolute_gap", gap);
    cs_status status = cs_chain_time(c->P, c->rest, c->f, c->n, &time, err);
    set_chain(L, "time", status ? (double)NAN : time);
    return status == CS_NUMERIC ? CS_OK : status;
}

static cs_status set_distances(lua_State *L, const cs_value *v, made *c,
                               cs_error *err)
{
    size_t powers = (size_t)v[POWERS].number, steps = (size_t)v[STEPS].number;
    size_t start = (size_t)v[START].number;
    if (start > c->n)
        cs_script_fail(L, "'start' is %d, but there are only %d states",
                       (int)start, (int)c->n);
    if (powers) {
        if (cs_chain_distances(c->P, c->law, c->n, powers, c->scratch, err))
            return err->status;
        cs_script_set_list(L, "distance", c->scratch, powers);
    }
    if (start) {
        if (cs_chain_convergence(c->P, c->law, c->n, start - 1, steps,
                                 c->scratch, err))
            return err->status;
        cs_script_set_list(L, "series", c->scratch, steps + 1);
    }
    return CS_OK;
}

/* Multiplies the transition matrices of the steps of a cycle. */
static cs_status make_cycle(lua_State *L, const cs_value *v,
                            const cs_bit_target *t, made *c, double *accepted,
                            cs_error *err)
{
    size_t n = length(&v[STEP]);
    double *one = n > 1 ? room(L, t->n * t->n) : NULL, share = 0;
    cs_status status = CS_OK;
    *accepted = 0;
    if (!n)
        cs_script_fail(L, "'step' is empty: give a number or a list");
    for (size_t k = 0; !status && k < n; k++) {
        cs_bit_step s = step_of(L, v, k);
        s.adjusted = c->adjusted;
        status = cs_bit_matrix(t, &s, k ? one : c->P, &share, err);
        *accepted += share / (double)n;
        if (!status && k)
            status = cs_chain_times(c->P, one, t->n, err);
    }
    return status;
}

static cs_status tell_bits(lua_State *L, const cs_value *v,
                           const cs_bit_target *t, const cs_bit_constants *k,
                           made *c, cs_error *err)
{
    double accepted;
    size_t n = length(&v[STEP]);
    cs_status status = make_cycle(L, v, t, c, &accepted, err);
    if (status)
        return status;
    cs_bit_law(t, c->law);
    lua_newtable(L);
    set_chain(L, "acceptance", c->adjusted ? accepted : (double)NAN);
    cs_bit_step last = step_of(L, v, n - 1);
    cs_minorant_bound b = cs_bound_dmala(k, last.step, last.balance);
    for (size_t i = 0; i < n; i++) {
        cs_bit_step s = step_of(L, v, i);
        b.applies &= cs_bound_dmala(k, s.step, s.balance).applies;
    }
    if (c->adjusted)
        set_bound(L, b.applies, b.printed, b.proof,
                  log(cs_chain_minorant(c->P, c->n)));
    return set_rest(L, v, c, c->adjusted && n == 1, err);
}

static cs_status tell_entropic(lua_State *L, const cs_value *v,
                               const cs_bit_target *t,
                               const cs_bit_constants *k, made *c,
                               cs_error *err)
{
    double accepted;
    const cs_entropic_step s0 = entropic_of(L, v, t);
    cs_entropic_step s = s0;
    s.adjusted = c->adjusted;
    cs_status status = cs_entropic_matrix(t, &s, c->P, c->law, &accepted, err);
    if (status)
        return status;
    lua_newtable(L);
    set_chain(L, "acceptance", c->adjusted ? accepted : (double)NAN);
    double best = log(cs_chain_minorant(c->P, c->n));
    if (c->adjusted) {
        cs_minorant_bound b = cs_bound_edmala(k, t, &s);
        set_bound(L, b.applies, b.printed, b.proof, best);
    } else {
        cs_edula_bound b = cs_bound_edula(k, t, &s);
        set_bound(L, b.applies, b.log_rate, (double)NAN, best);
        cs_script_set_known(L, "bias_bound", b.log_bias);
    }
    return set_rest(L, v, c, c->adjusted, err);
}

int cs_script_bit_theory(lua_State *L, const cs_bit_theory *k,
                         const cs_value *v)
{
    cs_error err = {0};
    cs_bit_constants constants;
    const cs_bit_target t = target_of(L, v);
    size_t n = t.n;
    if (k->entropic) {
        const cs_entropic_step s = entropic_of(L, v, &t);
        n = cs_entropic_states(&t, &s);
    }
    made c = make(L, n, k->adjusted);
    fill_f(&t, v, &c);
    if (cs_bit_constants_of(&t, &constants, &err) ||
        (k->entropic ? tell_entropic : tell_bits)(L, v, &t, &constants, &c,
                                                  &err) ||
        set_distances(L, v, &c, &err))
        return cs_script_raise(L, &err);
    cs_script_set_whole(L, "states", (double)n);
    set_constants(L, &constants);
    return 1;
}
