/* The solution of a system of ordinary differential equations, as an operation
 * of graphs. tape/ode_solver.h creates the objects. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* y(t) solves y' = f(t, y, p), y(t0) = y0. The operation ODE maps the inputs
 * a = (y0, p) to `values` numbers, the solution at the times, and to their
 * derivatives, [values][inputs]. */
typedef struct cs_ode {
    /* Writes element i of the result to out[i * out_step]; element j of the
     * inputs is a[j * step]. NaN if the solution cannot be computed. Several
     * threads may call this at once. */
    void (*solve)(struct cs_ode *o, const double *a, size_t step, double *out,
                  size_t out_step);
    void (*destroy)(struct cs_ode *o);
    atomic_uint holders;
    uint32_t number; /* equal for equal systems, times and tolerances */
    size_t inputs, values;
} cs_ode;

/* cs_ode_hold adds a holder. cs_ode_release removes one, and destroys the
 * object with its last holder. */
cs_ode *cs_ode_hold(cs_ode *o);
void cs_ode_release(cs_ode *o);

/* The systems of a graph or a program. */
typedef struct cs_odes {
    cs_ode **ode; /* [n] [own] held */
    size_t n, capacity;
} cs_odes;

/* Returns the system with this number, or NULL. */
cs_ode *cs_odes_find(const cs_odes *all, uint32_t number);
/* Adds a system that is not yet in the list. Returns false if out of memory. */
bool cs_odes_add(cs_odes *all, cs_ode *o);
void cs_odes_free(cs_odes *all);
