/* The functions that the MPI library gives the program; session/host/join.c
 * finds both by name. */
#pragma once

#include "run/arms/world.h"

/* Connects to the other ranks; NULL if memory runs out or MPI does not start.
 * Call once. */
const cs_world *cs_mpi_join(void);
typedef const cs_world *cs_mpi_joiner(void);
/* Ends MPI after the last word. */
void cs_mpi_leave(void);
typedef void cs_mpi_leaver(void);
