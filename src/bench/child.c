#include "bench/child.h"

#include "files/file.h"
#include "files/open.h"

#include "base/clock.h"
#include "base/install_paths.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGS = 16 };

cs_status cs_bench_program(char *out, size_t size, cs_error *err)
{
    if (cs_next_to_program(out, size, "chainscope"))
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "chainscope is not in the folder of chainscope-bench");
    cs_hint(err, "build chainscope: cmake --build build --target chainscope");
    return CS_UNSUPPORTED;
}

cs_status cs_bench_child(char *const *args, double *milliseconds,
                         double *megabytes, cs_error *err)
{
    char program[1024];
    char *argv[ARGS + 2] = {program};
    posix_spawn_file_actions_t quiet;
    struct rusage use;
    int status = 1;
    pid_t child;
    for (size_t i = 0; i < ARGS && args[i]; i++)
        argv[i + 1] = args[i];
    if (cs_bench_program(program, sizeof program, err))
        return CS_UNSUPPORTED;
    if (posix_spawn_file_actions_init(&quiet))
        return cs_fail(err, CS_MEMORY, "out of memory for a child");
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    double start = 1e3 * cs_clock();
    bool ran = posix_spawn(&child, program, &quiet, NULL, argv, environ) == 0 &&
               wait4(child, &status, 0, &use) == child && status == 0;
    *milliseconds = 1e3 * cs_clock() - start;
    posix_spawn_file_actions_destroy(&quiet);
    if (ran && (double)use.ru_maxrss / 1024 > *megabytes)
        *megabytes = (double)use.ru_maxrss / 1024;
    return ran ? CS_OK : cs_fail(err, CS_IO, "%s %s failed", program, args[0]);
}

/* Reads all of the child's output, because otherwise the child would block. */
static void listen(int from, char *text, size_t size)
{
    char part[512];
    size_t n = 0;
    for (ssize_t got; (got = read(from, part, sizeof part)) > 0;) {
        size_t take = size - 1 - n < (size_t)got ? size - 1 - n : (size_t)got;
        memcpy(text + n, part, take);
        n += take;
    }
    text[n] = 0;
}

bool cs_bench_listen(const char *program, char *file, char *text, size_t size)
{
    int ends[2], status = 1;
    char *name = strdup(program), *argv[] = {name, file, NULL};
    posix_spawn_file_actions_t way;
    pid_t child;
    if (!name || pipe(ends)) {
        free(name);
        return false;
    }
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    bool ready = posix_spawn_file_actions_init(&way) == 0;
    if (ready) {
        posix_spawn_file_actions_addopen(&way, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&way, ends[1], 1);
        posix_spawn_file_actions_addopen(&way, 2, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addclose(&way, ends[0]);
        posix_spawn_file_actions_addclose(&way, ends[1]);
    }
    bool ran =
        ready && posix_spawnp(&child, name, &way, NULL, argv, environ) == 0;
    close(ends[1]);
    *text = 0;
    if (ran) {
        listen(ends[0], text, size);
        ran = waitpid(child, &status, 0) == child && status == 0;
    }
    close(ends[0]);
    if (ready)
        posix_spawn_file_actions_destroy(&way);
    free(name);
    return ran;
}

bool cs_bench_file(const char *text, char *path)
{
    return cs_open_temporary(path, 4) &&
           cs_file_write_at(path, 0, text, strlen(text), false, NULL) == CS_OK;
}
