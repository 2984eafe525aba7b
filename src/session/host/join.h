/* Joins a process started by mpirun to the other ranks. */
#pragma once

#include "base/status.h"
#include "run/arms/world.h"

/* The rank of this process, according to the environment variables. {0, 1}:
 * mpirun did not start this process, or this process is the only rank. */
typedef struct cs_rank {
    size_t rank, size;
    size_t beside; /* number of ranks that run on this machine */
} cs_rank;
cs_rank cs_join_expected(void);

/* Opens the MPI library and connects to the other ranks. Call before the
 * process restricts itself (host/confine.h). Fails if the program has no MPI
 * library. */
cs_status cs_join(const cs_world **out, cs_error *err);
/* Disconnects from the other ranks. Call it after the other ranks were ordered
 * to end. */
void cs_join_leave(void);
