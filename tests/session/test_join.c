/* Tests how the program reads its MPI rank from the environment variables that
 * launchers of MPI programs set. */
#include "support/support.h"

#include "session/host/join.h"

#include <stdlib.h>

static const char *const names[] = {"OMPI_COMM_WORLD_RANK",
                                    "OMPI_COMM_WORLD_SIZE",
                                    "OMPI_COMM_WORLD_LOCAL_SIZE",
                                    "PMI_RANK",
                                    "PMI_SIZE",
                                    "MPI_LOCALNRANKS",
                                    "PMIX_RANK",
                                    "SLURM_NTASKS",
                                    "SLURM_STEP_NUM_TASKS",
                                    "SLURM_TASKS_PER_NODE",
                                    "SLURM_STEP_TASKS_PER_NODE"};

typedef struct setting {
    const char *name, *value;
} setting;

/* Returns the rank of a process that has only these environment variables. */
static cs_rank with(const setting *s, size_t n)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    for (size_t i = 0; i < n; i++)
        setenv(s[i].name, s[i].value, 1);
    return cs_join_expected();
}
#define WITH(...)                                                              \
    with((const setting[]){__VA_ARGS__},                                       \
         sizeof((const setting[]){__VA_ARGS__}) / sizeof(setting))

static void is(cs_rank r, size_t rank, size_t size, size_t beside)
{
    assert_int_equal(r.rank, rank);
    assert_int_equal(r.size, size);
    assert_int_equal(r.beside, beside);
}

static void test_starters(void **state)
{
    (void)state;
    is(WITH({"HOME", "/"}), 0, 1, 1);
    is(WITH({"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"},
            {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}, {"PMIX_RANK", "3"},
            {"SLURM_NTASKS", "2"}),
       3, 8, 4);
    is(WITH({"PMI_RANK", "1"}, {"PMI_SIZE", "6"}, {"MPI_LOCALNRANKS", "3"}), 1,
       6, 3);
}

/* Tests srun, the launcher of Slurm, with both of its interfaces to MPI. A job
 * step may have fewer tasks than the job. The tasks on a node share the
 * processors of the node. */
static void test_slurm(void **state)
{
    (void)state;
    is(WITH({"PMI_RANK", "5"}, {"PMI_SIZE", "6"}, {"SLURM_NTASKS", "12"},
            {"SLURM_TASKS_PER_NODE", "6(x2)"},
            {"SLURM_STEP_TASKS_PER_NODE", "3(x2)"}),
       5, 6, 3);
    is(WITH({"PMIX_RANK", "1"}, {"SLURM_NTASKS", "12"},
            {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_TASKS_PER_NODE", "12"},
            {"SLURM_STEP_TASKS_PER_NODE", "4"}),
       1, 4, 4);
    is(WITH({"PMIX_RANK", "1"}, {"SLURM_NTASKS", "4"},
            {"SLURM_TASKS_PER_NODE", "2(x2)"}),
       1, 4, 2);
    /* a batch script is not a rank if it was not started by srun */
    is(WITH({"SLURM_NTASKS", "4"}, {"SLURM_TASKS_PER_NODE", "4"}), 0, 1, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_starters),
    cmocka_unit_test(test_slurm),
};
TESTS(test_join)
