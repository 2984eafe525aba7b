/* How a process that mpirun has started joins the other ranks. */
#pragma once

#include "run/ranks.h"

/* Which rank this process is to be, as its environment says; {0, 1}: it was not
 * started by mpirun, or is alone. */
typedef struct cs_rank {
    size_t rank, size;
    size_t beside; /* ranks of this machine */
} cs_rank;
cs_rank cs_join_expected(void);

/* Opens the library of MPI and meets the others. Before the process confines
 * itself. Fails where the program has no such library. */
cs_status cs_join(const cs_world **out, cs_error *err);
/* After the order to end. */
void cs_join_leave(void);
