#include "io/folders.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool state_folder(char *path, size_t size)
{
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (base && *base == '/') /* a relative one is to be ignored, says XDG */
        n = snprintf(path, size, "%s/chainscope", base);
    else if (home && *home == '/')
        n = snprintf(path, size, "%s/.local/state/chainscope", home);
    return n > 0 && (size_t)n < size;
}

bool cs_folder_state(const char *name, char *path, size_t size)
{
    assert(size > 0);
    struct stat about;
    if (!state_folder(path, size))
        return false;
    for (char *p = path + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
    mkdir(path, 0700);
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return false;
    size_t n = strlen(path);
    return (size_t)snprintf(path + n, size - n, "/%s", name) < size - n;
}
