/* Lists the tuners of tuners.def. */
#include "base/registry.h"
#include "tune/tuner.h"

#define CS_TUNER(name, file) extern const cs_tuner_type cs_tuner_##name;
#include "tune/tuners.def"
#undef CS_TUNER

static const cs_tuner_type *const table[][1] = {
#define CS_TUNER(name, file) CS_SINGLE_ROW(cs_tuner_##name)
#include "tune/tuners.def"
#undef CS_TUNER
    {NULL}};

CS_REGISTRY(cs_tuner_type, cs_tuner)
