/* The functions of the MPI library that the program calls. session/host/join.c
 * finds them by name. */
#pragma once

#include "run/arms/world.h"

/* Connects to the other ranks. Returns NULL if memory runs out or if MPI does
 * not start. Call it once. */
const cs_world *cs_mpi_join(void);
typedef const cs_world *cs_mpi_joiner(void);
/* Ends MPI after the last message. */
void cs_mpi_leave(void);
typedef void cs_mpi_leaver(void);
