/* Random numbers of a function of a script: the object `draw`, all randomness
 * that a kernel or a simulator written in Lua has. Numbers are those of the
 * chain's streams at the step, so that they come again after a rewind, and there
 * is no end of them:
 *
 *     uniform, below, exponential   CS_FOR_USER, in their order
 *     uniform of a purpose          CS_FOR_PROPOSAL, CS_FOR_SITE, as in C
 *     normal                        CS_FOR_PROPOSAL, in double precision; or
 *     single_normal                 in single, as random walks in C have them
 *     poisson                       CS_FOR_SITE, each from a row of its own
 *     row                           CS_FOR_DATA, laid out as
 *                                   kernels/auxiliary/row_draws.h has it
 *     simulate, sweep               CS_FOR_AUXILIARY, each CS_SIMULATION_ROWS
 *
 * which is where exchange and the Poisson kernels in C have theirs. In a
 * simulator all are rows of its simulation, far apart. */
#pragma once

#include "base/memory.h"
#include "script/bind/asked_target.h"

/* A sequence of numbers of one shape, generated in batches. */
typedef struct cs_draw_series {
    cs_purpose purpose;
    cs_shape shape;
    size_t first; /* its first row */
    size_t used;
    double at[16] __attribute__((aligned(CS_ALIGN)));
} cs_draw_series;

typedef struct cs_own_draws {
    cs_streams alone; /* of the chain; its pointers are borrowed */
    cs_draw_series uniform, normal, single;
    cs_draw_series of_proposal, of_site; /* also uniforms */
    cs_purpose for_count;
    size_t first_count;               /* rows of Poisson numbers */
    size_t counts, rows, simulations; /* numbers drawn */
    uint64_t word[8] __attribute__((aligned(CS_ALIGN)));
    uint64_t coin[4] __attribute__((aligned(CS_ALIGN)));
    cs_asked *asked; /* NULL: no rows and no data can be drawn */
} cs_own_draws;

/* Opens the numbers of a kernel's step, for asked's chain. */
void cs_own_draws_open(cs_own_draws *d, cs_asked *asked);
/* Opens the numbers of a simulation in lane `lane`, in the rows from
 * `first`. */
void cs_own_draws_open_simulation(cs_own_draws *d, const cs_streams *s,
                                  size_t lane, size_t first);

/* Returns the total of numbers, rows and simulations drawn. */
size_t cs_own_draws_used(const cs_own_draws *d);

/* Pushes the Lua object, which uses **box: NULL while no function runs. */
cs_own_draws **cs_own_draws_push(lua_State *L);
