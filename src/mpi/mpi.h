/* What the library of MPI gives the program: see session/join.c, which finds
 * both by name. */
#pragma once

#include "run/ranks.h"

/* Meets the other ranks; NULL: there is no memory, or MPI does not start. Once. */
const cs_world *cs_mpi_join(void);
typedef const cs_world *cs_mpi_joiner(void);
/* After the last word. */
void cs_mpi_leave(void);
typedef void cs_mpi_leaver(void);
