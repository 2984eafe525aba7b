/* Models with learned numbers, whose functions a test can replace. */
#pragma once

#include "support/support.h"

#include "rng/stream.h"
#include "target/target.h"

static inline double uniform(uint64_t what, uint64_t row, uint64_t column)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){row, column},
                    (const uint64_t[]){what, 1}, word);
    return (double)(word[0] >> 11) * 0x1p-53;
}

/* A copy of a target type and of its model. A test may replace functions of the
 * copied model. */
typedef struct fake {
    cs_target_type type;
    cs_model_type model;
} fake;

static inline cs_target *make(fake *f, const cs_target_type *of,
                              const cs_value *given, size_t n)
{
    cs_target *t;
    f->type = *of;
    f->model = *of->model;
    f->type.model = &f->model;
    assert_int_equal(cs_target_create(&f->type, given, n, &t, NULL), CS_OK);
    return t;
}

static inline cs_value number(const char *name, double x)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = x};
}

static inline cs_target *machine(fake *f, size_t visible, size_t hidden,
                                 double sd)
{
    const cs_value given[] = {number("visible", (double)visible),
                              number("hidden", (double)hidden),
                              number("sd", sd)};
    return make(f, cs_target_find("rbm"), given, 3);
}
