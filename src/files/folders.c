#include "files/folders.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Writes the path of the folder that the environment variable names. If the
 * variable is not set, writes the path of the folder `beneath` inside the home
 * folder. */
static bool xdg_folder(const char *variable, const char *beneath, char *path,
                       size_t size)
{
    const char *base = getenv(variable), *home = getenv("HOME");
    int n = -1;
    if (base && *base == '/') /* the XDG specification says that relative paths
                               * must be ignored */
        n = snprintf(path, size, "%s/chainscope", base);
    else if (home && *home == '/')
        n = snprintf(path, size, "%s/%s/chainscope", home, beneath);
    return n > 0 && (size_t)n < size;
}

static bool add_name(const char *name, char *path, size_t size)
{
    size_t n = strlen(path);
    return (size_t)snprintf(path + n, size - n, "/%s", name) < size - n;
}

bool cs_folder_config(const char *name, char *path, size_t size)
{
    assert(size > 0);
    return xdg_folder("XDG_CONFIG_HOME", ".config", path, size) &&
           add_name(name, path, size);
}

bool cs_folder_data(const char *name, char *path, size_t size)
{
    assert(size > 0);
    return xdg_folder("XDG_DATA_HOME", ".local/share", path, size) &&
           add_name(name, path, size);
}

/* Creates the folder and its parents. */
static bool make(char *path)
{
    struct stat about;
    for (char *p = path + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
    mkdir(path, 0700);
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool cs_folder_state(const char *name, char *path, size_t size)
{
    assert(size > 0);
    return xdg_folder("XDG_STATE_HOME", ".local/state", path, size) &&
           make(path) && add_name(name, path, size);
}

bool cs_folder_cache(const char *name, char *path, size_t size)
{
    assert(size > 0);
    return xdg_folder("XDG_CACHE_HOME", ".cache", path, size) && make(path) &&
           add_name(name, path, size);
}
