/* Exchanges words (doubles) between ranks by MPI. This file is a separate
 * library that is opened only if the program was started by mpirun
 * (session/host/join.c), so other starts do not load MPI. All calls are made by
 * one thread. If a rank is lost, MPI's error handler ends all ranks. */
#include "mpi/mpi.h"

#include "base/clock.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { TAG_STATES = 1, TAG_BYTES };
enum { PIECE = 1 << 28 }; /* largest message, in bytes */

static cs_world here;
static int *count, *start;   /* [2][ranks] each */
static MPI_Request *request; /* [2][ranks] */

/* Converts a number of words to the type in which MPI counts. If the number
 * does not fit, ends all ranks. */
static int to_int(size_t n)
{
    if (n > INT_MAX)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return (int)n;
}

static void gather(double *all, const size_t *n)
{
    size_t at = 0;
    for (size_t k = 0; k < here.size; k++) {
        count[k] = to_int(n[k]);
        start[k] = to_int(at);
        at += n[k];
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, start,
                   MPI_DOUBLE, MPI_COMM_WORLD);
}

/* Exchanges words by point-to-point messages, since most pairs of ranks have
 * nothing to exchange. */
static void exchange(const double *out, const size_t *n_out, double *in,
                     const size_t *n_in)
{
    int requests = 0;
    for (size_t k = 0; k < here.size; in += n_in[k++])
        if (n_in[k])
            MPI_Irecv(in, to_int(n_in[k]), MPI_DOUBLE, (int)k, TAG_STATES,
                      MPI_COMM_WORLD, &request[requests++]);
    for (size_t k = 0; k < here.size; out += n_out[k++])
        if (n_out[k])
            MPI_Isend(out, to_int(n_out[k]), MPI_DOUBLE, (int)k, TAG_STATES,
                      MPI_COMM_WORLD, &request[requests++]);
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

/* Waits for a request. An order from the first rank usually arrives within
 * microseconds. However, the first rank may also work for hours before it sends
 * an order. */
static void await(MPI_Request *r)
{
    const struct timespec nap = {.tv_nsec = 200000};
    double since = MPI_Wtime();
    int done = 0;
    for (;;) {
        MPI_Test(r, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        if (MPI_Wtime() - since > 2e-3)
            nanosleep(&nap, NULL);
        else
            sched_yield();
    }
}

static void order(uint64_t words[2])
{
    MPI_Request r;
    MPI_Ibcast(words, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD, &r);
    await(&r);
}

static void send(const unsigned char *bytes, uint64_t size)
{
    MPI_Send(&size, 1, MPI_UINT64_T, 0, TAG_BYTES, MPI_COMM_WORLD);
    for (uint64_t at = 0, n; at < size; at += n) {
        n = size - at < PIECE ? size - at : PIECE;
        MPI_Send(bytes + at, (int)n, MPI_BYTE, 0, TAG_BYTES, MPI_COMM_WORLD);
    }
}

static uint64_t probe(size_t from)
{
    uint64_t size;
    MPI_Recv(&size, 1, MPI_UINT64_T, (int)from, TAG_BYTES, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return size;
}

/* Receives the bytes. If `to` is NULL because memory ran out, the bytes are
 * dropped. */
static void receive(size_t from, unsigned char *to, uint64_t size)
{
    for (uint64_t at = 0, n; at < size; at += n) {
        n = size - at < PIECE ? size - at : PIECE;
        unsigned char *piece = to ? to + at : malloc(n);
        if (!piece)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(piece, (int)n, MPI_BYTE, (int)from, TAG_BYTES, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (!to)
            free(piece);
    }
}

const cs_world *cs_mpi_join(void)
{
    int rank, size, given;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    here = (cs_world){.rank = (size_t)rank,
                      .size = (size_t)size,
                      .gather = gather,
                      .exchange = exchange,
                      .order = order,
                      .send = send,
                      .probe = probe,
                      .receive = receive};
    count = calloc(here.size, sizeof *count);
    start = calloc(here.size, sizeof *start);
    request = calloc(2 * here.size, sizeof(MPI_Request));
    return count && start && request ? &here : NULL;
}

/* Waits before the process ends. On a loaded machine mpirun may notice late
 * that a rank leaves. Open MPI's library waits at most 2 s for mpirun; a
 * process that ends earlier is reported as failed. */
static void linger(double seconds)
{
    const double patience = 0.2, most = 20;
    double wait = fmin(1 + 5 * seconds, most);
    struct timespec t = {.tv_sec = (time_t)wait};
    if (seconds > patience)
        nanosleep(&t, NULL);
}

void cs_mpi_leave(void)
{
    double from = cs_clock();
    MPI_Finalize();
    linger(cs_clock() - from);
    free(count);
    free(start);
    free((void *)request);
}
