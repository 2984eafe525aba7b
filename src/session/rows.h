/* What crosses to the front as rows of an array of doubles: one struct a row,
 * which both sides include. */
#ifndef CS_SESSION_ROWS_H
#define CS_SESSION_ROWS_H

#include "base/param.h"

#include <stdbool.h>

/* A parameter of a kernel: "arm/i/param/k". */
typedef struct cs_row_param {
    double value, min, max, def;
    double kind;   /* cs_param_kind */
    double flags;  /* CS_PARAM_LOG, CS_PARAM_FIXED ... */
    double driven; /* 1: by a schedule, or the tuner */
    double idle;   /* 1: it does nothing in this space */
} cs_row_param;

enum { CS_ROW_PARAM = sizeof(cs_row_param) / sizeof(double) };

/* `space`: the kind that the run's target has. */
static inline cs_row_param cs_row_of_param(const cs_param *p, double value,
                                           bool driven, unsigned space)
{
    return (cs_row_param){.value = value,
                          .min = p->min,
                          .max = p->max,
                          .def = p->def,
                          .kind = p->kind,
                          .flags = p->flags,
                          .driven = driven,
                          .idle = p->spaces && !(p->spaces & space)};
}

#endif
