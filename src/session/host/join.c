#include "session/host/join.h"

#include "base/status.h"
#include "mpi/mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Environment variables that launchers set. The rows are for Open MPI, for
 * MPICH and compatible libraries (started by their mpirun or by Slurm's srun),
 * and for Slurm with PMIx. In each list the first variable that is set is used.
 * Variables of a Slurm step precede the variables of the Slurm job, because a
 * step may have fewer tasks than the job. */
enum { NAMES = 3 };
static const struct {
    const char *rank, *size[NAMES], *beside[NAMES];
} starter[] = {
    {"OMPI_COMM_WORLD_RANK",
     {"OMPI_COMM_WORLD_SIZE"},
     {"OMPI_COMM_WORLD_LOCAL_SIZE"}},
    {"PMI_RANK",
     {"PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     {"MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}},
    {"PMIX_RANK",
     {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}},
};

/* Returns the number in the first variable that is set: "4", or "4(x2),3" where
 * Slurm gives one entry per node. */
static size_t number(const char *const *name, size_t names, size_t without)
{
    for (size_t i = 0; i < names && name[i]; i++) {
        const char *text = getenv(name[i]);
        char *end;
        unsigned long n = text ? strtoul(text, &end, 10) : 0;
        if (text && end != text)
            return n;
    }
    return without;
}

cs_rank cs_join_expected(void)
{
    for (size_t i = 0; i < sizeof starter / sizeof *starter; i++) {
        cs_rank r = {.rank = number(&starter[i].rank, 1, SIZE_MAX),
                     .size = number(starter[i].size, NAMES, 0),
                     .beside = number(starter[i].beside, NAMES, 1)};
        if (r.rank < r.size && r.size > 1)
            return r;
    }
    return (cs_rank){.size = 1, .beside = 1};
}

static cs_mpi_leaver *leave;

static cs_status refuse(cs_error *err)
{
    const char *why = dlerror();
    cs_fail(err, CS_UNSUPPORTED,
            "mpirun started this program, but MPI cannot be used: %s",
            why ? why : "MPI cannot be started");
    cs_hint(err, "build the program where CMake finds MPI, or run parts: "
                 "--part K/N");
    return CS_UNSUPPORTED;
}

/* Opens the library through which the program uses MPI, in the program's folder
 * (build tree) or in the install path. The symbols of this library are global
 * because MPI's components need them. */
static void *open_library(void)
{
    static const char *const folder[] = {"/",
                                         "/../" CS_LIB_FOLDER "/chainscope/"};
    char path[2048], *slash;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path / 2);
    path[n > 0 ? n : 0] = 0;
    if (!(slash = strrchr(path, '/')))
        return NULL;
    void *library = NULL;
    for (size_t i = 0; i < 2 && !library; i++) {
        snprintf(slash, sizeof path / 2, "%s%s", folder[i], CS_MPI_FILE);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    return library;
}

cs_status cs_join(const cs_world **out, cs_error *err)
{
    void *library = open_library();
    if (!library)
        return refuse(err);
    cs_mpi_joiner *join;
    *(void **)&join = dlsym(library, "cs_mpi_join");
    *(void **)&leave = dlsym(library, "cs_mpi_leave");
    *out = join && leave ? join() : NULL;
    if (!*out)
        return refuse(err);
    size_t ranks = cs_join_expected().size;
    if ((*out)->size == ranks)
        return CS_OK;
    leave();
    cs_fail(err, CS_UNSUPPORTED,
            "mpirun started %zu ranks, but MPI reports %zu", ranks,
            (*out)->size);
    cs_hint(
        err,
        "use the mpirun of the MPI library with which the program was built");
    return CS_UNSUPPORTED;
}

void cs_join_leave(void)
{
    if (leave)
        leave();
}
