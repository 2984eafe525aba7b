/* Makes focusing belief propagation available to scripts. */
#include "learn/focusing.h"
#include "script/bind/luaopen.h"
#include "script/state/value.h"

enum {
    INPUTS,
    LABELS,
    FOCUS,
    REPLICAS,
    ERROR,
    DAMPING,
    TOLERANCE,
    ROUNDS,
    SEED,
    N_ROWS
};
enum { FOCUS_MOST = 200 };

static const cs_param rows[N_ROWS] = {
    [INPUTS] = {.name = "inputs",
                .kind = CS_PARAM_ARRAY,
                .flags = CS_PARAM_REQUIRED,
                .help = "the patterns; each is a list of values -1 and 1"},
    [LABELS] = {.name = "labels",
                .kind = CS_PARAM_ARRAY,
                .flags = CS_PARAM_REQUIRED,
                .help = "for each pattern, the required sign (-1 or 1) of the "
                        "sum of weight times input"},
    [FOCUS] = {.name = "focus",
               .kind = CS_PARAM_ARRAY,
               .help = "gamma, the coupling of the replicas to their "
                       "reference: a list of values that are used one after "
                       "the other; the default { 0 } is belief propagation"},
    [REPLICAS] = {.name = "replicas",
                  CS_PARAM_RANGE(1, 1e6, 3),
                  .help = "y, the number of replicas"},
    [ERROR] = {.name = "error",
               .max = 1,
               .help = "the weight of a misclassified pattern: exp(-beta), or "
                       "0 if all patterns must be classified correctly"},
    [DAMPING] = {.name = "damping",
                 .max = 0.999,
                 .help = "damping: weight of the old message in the new "
                         "message of each round"},
    [TOLERANCE] =
        {.name = "tolerance",
         .max = 1,
         .def = 1e-6,
         .help = "the iteration has converged if the largest "
                 "change of a magnetisation in a round is below this value"},
    [ROUNDS] = {.name = "rounds",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(1, 1e6, 200),
                .help = "maximum number of rounds for each value of `focus`"},
    [SEED] = {.name = "seed",
              .kind = CS_PARAM_INT,
              .max = 1e15,
              .def = 1,
              .help = "seed of the small initial messages"},
};

static size_t length(const cs_value *v)
{
    return v->given ? v->rows * v->cols : 0;
}

static void set_steps(lua_State *L, const cs_focus_plan *plan,
                      const cs_focus_step *step)
{
    lua_createtable(L, (int)plan->n, 0);
    for (size_t k = 0; k < plan->n; k++) {
        lua_createtable(L, 0, 5);
        cs_script_set_number(L, "focus", plan->focus[k]);
        cs_script_set_number(L, "rounds", (double)step[k].rounds);
        cs_script_set_number(L, "change", step[k].change);
        cs_script_set_number(L, "errors", (double)step[k].errors);
        cs_script_set_number(L, "size", step[k].size);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "steps");
}

/* fbp(fields): runs focusing belief propagation; returns {magnetisation =,
 * steps =}. */
static int fbp(lua_State *L)
{
    static const double none[] = {0};
    cs_value v[N_ROWS];
    cs_error err = {0};
    size_t given;
    cs_focus_step step[FOCUS_MOST];
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    cs_value *values = cs_script_values(L, 1, NULL, &given);
    if (cs_params_resolve("cs.fbp", rows, N_ROWS, values, given, v, &err))
        return cs_script_raise(L, &err);
    const cs_patterns p = {.inputs = v[INPUTS].cols,
                           .patterns = v[INPUTS].rows,
                           .input = v[INPUTS].array,
                           .label = v[LABELS].array};
    if (length(&v[LABELS]) != p.patterns)
        return cs_script_fail(L,
                              "'labels' has %d numbers, but 'inputs' has %d "
                              "patterns: give one label per pattern",
                              (int)length(&v[LABELS]), (int)p.patterns);
    const cs_focus_plan plan = {.focus = v[FOCUS].given ? v[FOCUS].array : none,
                                .n = v[FOCUS].given ? length(&v[FOCUS]) : 1,
                                .replicas = v[REPLICAS].number,
                                .error = v[ERROR].number,
                                .damping = v[DAMPING].number,
                                .tolerance = v[TOLERANCE].number,
                                .rounds = (size_t)v[ROUNDS].number,
                                .seed = (uint64_t)v[SEED].number};
    if (plan.n < 1 || plan.n > FOCUS_MOST)
        return cs_script_fail(L, "'focus' has %d numbers: give 1 to %d",
                              (int)plan.n, FOCUS_MOST);
    for (size_t k = 0; k < plan.n; k++)
        if (!(plan.focus[k] >= 0 && plan.focus[k] <= 100))
            return cs_script_fail(
                L, "number %d of 'focus' is %g: it must be between 0 and 100",
                (int)k + 1, plan.focus[k]);
    double *magnetisation =
        lua_newuserdatauv(L, p.inputs * sizeof *magnetisation, 0);
    if (cs_focus(&p, &plan, magnetisation, step, &err))
        return cs_script_raise(L, &err);
    lua_newtable(L);
    cs_script_set_list(L, "magnetisation", magnetisation, p.inputs);
    set_steps(L, &plan, step);
    return 1;
}

void cs_script_open_focusing(lua_State *L)
{
    cs_script_set_function(L, "fbp", fbp);
    cs_script_push_rows(L, rows, N_ROWS);
    lua_setfield(L, -2, "fbp_rows");
}
