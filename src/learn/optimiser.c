#include "learn/optimiser.h"

#include <math.h>
#include <string.h>

#define RATE(usual)                                                            \
    {                                                                          \
        .name = "rate", .flags = CS_PARAM_LOG, .max = 1e6, .def = usual,       \
        .help =                                                                \
            "factor of the step; with a schedule, which counts updates, it "   \
            "can decrease",                                                    \
    }

static const cs_param sgd_rows[] = {RATE(0.01)};
static const cs_param momentum_rows[] = {
    RATE(0.01),
    {.name = "momentum",
     .max = 0.9999,
     .def = 0.9,
     .help = "factor of the previous step, which is added to the next step"},
};
static const cs_param adam_rows[] = {
    RATE(1e-3),
    {.name = "mean",
     .max = 0.999999,
     .def = 0.9,
     .help = "beta_1: decay rate of the running mean of the gradient"},
    {.name = "square",
     .max = 0.9999999,
     .def = 0.999,
     .help = "beta_2: decay rate of the running mean of the squared gradient"},
    {.name = "floor",
     .flags = CS_PARAM_LOG,
     CS_PARAM_RANGE(1e-300, 1, 1e-8),
     .help = "epsilon, added to the root of the mean square"},
};

#define ROWS(rows) .params = rows, .n_params = sizeof rows / sizeof *rows

static const cs_optimiser_type types[] = {
    {.name = "adam",
     .title = "Adam",
     .ref = "Kingma and Ba, Adam, 2015, Algorithm 1",
     .help = "Each step is the rate times the running mean of the gradient, "
             "divided by the square root of the running mean of the squared "
             "gradient. Every coordinate therefore moves by about the rate per "
             "step.",
     ROWS(adam_rows),
     .memories = 2,
     .step = CS_ASCENT_ADAM},
    {.name = "momentum",
     .title = "Gradient ascent with momentum",
     .ref = "Polyak, Some methods of speeding up the convergence of iteration "
            "methods, 1964",
     .help = "Each step is the rate times the gradient, plus a multiple of the "
             "previous step.",
     ROWS(momentum_rows),
     .memories = 1,
     .step = CS_ASCENT_MOMENTUM},
    {.name = "sgd",
     .title = "Stochastic gradient ascent",
     .ref = "Robbins and Monro, A stochastic approximation method, 1951",
     .help = "Each step is the rate times the gradient.",
     ROWS(sgd_rows),
     .step = CS_ASCENT_SGD},
};

const cs_optimiser_type *cs_optimiser_at(size_t i)
{
    return i < sizeof types / sizeof *types ? &types[i] : NULL;
}

const cs_optimiser_type *cs_optimiser_find(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const cs_optimiser_ops *cs_optimiser_best(void)
{
    static const cs_optimiser_ops *const all[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_optimiser_hot)};
    return all[0][cs_simd_level()];
}

cs_status cs_optimiser_init(cs_optimiser *o, const cs_optimiser_type *type,
                            const cs_value *given, size_t n_given,
                            cs_error *err)
{
    cs_value out[CS_OPTIMISER_ROWS];
    *o = (cs_optimiser){.type = type};
    cs_status s = cs_params_resolve(type->name, type->params, type->n_params,
                                    given, n_given, out, err);
    for (size_t i = 0; !s && i < type->n_params; i++)
        o->value[i] = out[i].number;
    return s;
}

double cs_optimiser_rate(const cs_optimiser *o, uint64_t update)
{
    double rate = o->value[CS_OPTIMISER_RATE];
    if (o->falls)
        o->rate.type->fill(&o->rate, update, 1, &rate);
    return rate > 0 && isfinite(rate) ? rate : 0;
}
