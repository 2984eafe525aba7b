#include "session/join.h"

#include "mpi/mpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What starters of ranks tell them: Open MPI, MPICH and what is like it, Slurm
 * with PMIx. */
static const struct {
    const char *rank, *size, *beside;
} starter[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"PMIX_RANK", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE"},
};

static size_t number(const char *name, size_t without)
{
    const char *text = getenv(name);
    char *end;
    unsigned long n = text ? strtoul(text, &end, 10) : 0;
    return text && end != text ? n : without;
}

cs_rank cs_join_expected(void)
{
    for (size_t i = 0; i < sizeof starter / sizeof *starter; i++) {
        cs_rank r = {.rank = number(starter[i].rank, SIZE_MAX),
                     .size = number(starter[i].size, 0),
                     .beside = number(starter[i].beside, 1)};
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
            "mpirun has started this, and MPI cannot be used: %s",
            why ? why : "it does not start");
    cs_hint(err, "build the program where CMake finds MPI, or run parts: "
                 "--part K/N");
    return CS_UNSUPPORTED;
}

/* Beside the program, where it was built; where it was installed. Its symbols
 * are for all, as MPI's own parts want them. */
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
    return *out ? CS_OK : refuse(err);
}

void cs_join_leave(void)
{
    if (leave)
        leave();
}
