#include "base/home.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool readable(char *out, size_t size, const char *folder,
                     const char *name)
{
    int n = snprintf(out, size, "%s/%s", folder, name);
    return n >= 0 && (size_t)n < size && access(out, R_OK) == 0;
}

/* PREFIX/share/chainscope of the running PREFIX/bin/chainscope. */
static bool beside_program(char *out, size_t size)
{
    char path[1024];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return false;
    path[n] = 0;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    int m = snprintf(out, size, "%s/share/chainscope", path);
    return m >= 0 && (size_t)m < size;
}

bool cs_home(char *out, size_t size, const char *name)
{
    assert(size > 0);
    char beside[1100];
    return (beside_program(beside, sizeof beside) &&
            readable(out, size, beside, name)) ||
           readable(out, size, CS_SOURCE_DIR, name) ||
           readable(out, size, CS_SHARE_DIR, name);
}
