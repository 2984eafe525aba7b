#include "base/install_paths.h"

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

/* Writes to out[size] the path of the folder of the running executable, or of
 * the folder `up` levels above it. */
static bool program_folder(char *out, size_t size, int up)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n <= 0)
        return false;
    out[n] = 0;
    for (int i = 0; i <= up; i++) {
        char *slash = strrchr(out, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return true;
}

bool cs_next_to_program(char *out, size_t size, const char *name)
{
    assert(size > 0);
    char folder[1024];
    if (!program_folder(folder, sizeof folder, 0))
        return false;
    int n = snprintf(out, size, "%s/%s", folder, name);
    return n >= 0 && (size_t)n < size && access(out, F_OK) == 0;
}

/* Writes to out[size] the path PREFIX/share/chainscope, where
 * PREFIX/bin/chainscope is the running executable. */
static bool share_folder(char *out, size_t size)
{
    char prefix[1024];
    if (!program_folder(prefix, sizeof prefix, 1))
        return false;
    int n = snprintf(out, size, "%s/share/chainscope", prefix);
    return n >= 0 && (size_t)n < size;
}

bool cs_install_path(char *out, size_t size, const char *name)
{
    assert(size > 0);
    char beside[1100];
    return (share_folder(beside, sizeof beside) &&
            readable(out, size, beside, name)) ||
           readable(out, size, CS_SOURCE_DIR, name) ||
           readable(out, size, CS_SHARE_DIR, name);
}
