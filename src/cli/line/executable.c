#include "cli/line/executable.h"

#include "base/install_paths.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

cs_status cs_executable_replace(const char *name, int argc, char **argv,
                                cs_error *err)
{
    char path[1024];
    if (!cs_next_to_program(path, sizeof path, name)) {
        cs_fail(err, CS_UNSUPPORTED, "%s is not in the program's folder", name);
        cs_hint(err,
                "build the missing program: cmake --build build --target %s",
                name);
        return CS_UNSUPPORTED;
    }
    size_t n = (size_t)argc;
    char **all = cs_alloc(n + 2, sizeof *all);
    if (!all)
        return cs_fail(err, CS_MEMORY, "out of memory for the arguments");
    all[0] = path;
    memcpy(all + 1, argv, n * sizeof *argv);
    execv(path, all);
    cs_status status =
        cs_fail(err, CS_IO, "cannot run %s: %s", path, strerror(errno));
    cs_free(all);
    return status;
}
