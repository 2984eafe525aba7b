/* Systems of ordinary differential equations, integrated by GSL together with
 * the derivatives of their solutions (forward sensitivities):
 *
 *   y' = f(t, y, p),   S' = (df/dy) S + df/da,   a = (y0, p), S = dy/da.
 *
 * Values and derivatives have errors within the tolerances, which apply to
 * every component of y and of S in each step. A solution fails, with NAN as its
 * values, if the calling thread's work must stop (base/cancellation.h). */
#pragma once

#include "expr/graph.h"

typedef enum cs_ode_method {
    CS_ODE_RK45, /* Runge-Kutta-Fehlberg of orders 4 and 5 */
    CS_ODE_RK8,  /* Runge-Kutta, Prince and Dormand, of orders 8 and 9 */
    CS_ODE_BDF,  /* backward differences of variable order, for stiff systems,
                  * with df/dy from the graph */
    CS_ODE_METHODS
} cs_ode_method;
extern const char *const cs_ode_method_names[CS_ODE_METHODS];

typedef struct cs_ode_spec {
    const cs_graph *graph; /* input: t, y[n], p[k] */
    cs_node f;             /* [n] */
    size_t n, k;
    double from;        /* t0 */
    const double *time; /* [times] rising, at least t0 */
    size_t times;
    double relative, absolute; /* tolerances, above 0 */
    size_t steps;              /* largest number of steps between two times */
    cs_ode_method method;
} cs_ode_spec;

/* Creates the system with one holder. [own, cs_ode_release] */
cs_status cs_tape_ode_create(const cs_ode_spec *spec, cs_ode **out,
                             cs_error *err);

/* Writes the number of failed solutions, and the reason of the last failure, to
 * text[size]. Returns false if none has failed. */
bool cs_tape_ode_failure(cs_ode *o, char *text, size_t size);
