/* Random numbers for functions of a script: the object `draw`, the only source
 * of randomness for kernels and simulators written in Lua. The numbers are from
 * the chain's streams at the current step, so that they are repeated after a
 * rewind. Any number of random numbers can be drawn. The streams are:
 *
 *     uniform, below, exponential   CS_FOR_USER, in order of the calls
 *     uniform of a purpose          CS_FOR_PROPOSAL, CS_FOR_SITE, as in C
 *     normal                        CS_FOR_PROPOSAL, in double precision
 *     single_normal                 CS_FOR_PROPOSAL, in single precision, as in
 *                                   the random walks written in C
 *     poisson                       CS_FOR_SITE, each from a separate row
 *     row                           CS_FOR_DATA, in the layout of
 *                                   kernels/auxiliary/row_draws.h
 *     simulate, sweep               CS_FOR_AUXILIARY, CS_SIMULATION_ROWS rows
 *                                   for each call
 *
 * The exchange and Poisson kernels written in C use the same streams. In a
 * simulator, all numbers are from widely spaced rows of its simulation. */
#pragma once

#include "base/memory.h"
#include "script/bind/asked_target.h"

/* A sequence of random numbers of one shape, generated in batches. */
typedef struct cs_draw_series {
    cs_purpose purpose;
    cs_shape shape;
    size_t first; /* first row of the sequence */
    size_t used;
    double at[16] __attribute__((aligned(CS_ALIGN)));
} cs_draw_series;

typedef struct cs_own_draws {
    cs_streams alone; /* streams of the chain; pointers are borrowed */
    cs_draw_series uniform, normal, single;
    cs_draw_series of_proposal, of_site; /* series of uniforms for the purposes
                                          * CS_FOR_PROPOSAL and CS_FOR_SITE */
    cs_purpose for_count;
    size_t first_count;               /* row of the first Poisson number */
    size_t counts, rows, simulations; /* numbers of Poisson variates, data rows
                                       * and simulations drawn so far */
    uint64_t word[8] __attribute__((aligned(CS_ALIGN)));
    uint64_t coin[4] __attribute__((aligned(CS_ALIGN)));
    cs_asked *asked; /* NULL: data rows and simulated data cannot be drawn */
} cs_own_draws;

/* Prepares the random numbers for one step of a kernel. `asked` holds the
 * chain. */
void cs_own_draws_open(cs_own_draws *d, cs_asked *asked);
/* Prepares the random numbers of a simulation in lane `lane`. These numbers
 * start at row `first` of the stream. */
void cs_own_draws_open_simulation(cs_own_draws *d, const cs_streams *s,
                                  size_t lane, size_t first);

/* Returns the number of random numbers, data rows and simulations drawn so far,
 * all added together. */
size_t cs_own_draws_used(const cs_own_draws *d);

/* Pushes the Lua object `draw` and returns its box. The object uses the random
 * numbers *box; *box is NULL while no function runs. */
cs_own_draws **cs_own_draws_push(lua_State *L);
