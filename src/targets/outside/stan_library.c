#include "targets/outside/stan_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { MAJOR = 2 };

static const char advice[] =
    "compile the model with BridgeStan 2: make model_model.so";

static void drop(const char *text, size_t size)
{
    (void)text;
    (void)size;
}

/* Finds a function in the library and stores its address in the function
 * pointer at `function`; NULL if the library has no such function. (The address
 * is copied as bytes, because ISO C does not convert data pointers to function
 * pointers.) */
static void find(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void hush(void *handle)
{
    int (*set)(void (*print)(const char *text, size_t size), char **error);
    find(handle, "bs_set_print_callback", &set);
    if (set)
        set(drop, NULL);
}

static cs_status check_version(void *handle, const char *path, cs_error *err)
{
    const int *major = dlsym(handle, "bs_major_version"),
              *minor = dlsym(handle, "bs_minor_version");
    if (major && *major == MAJOR)
        return CS_OK;
    if (major)
        cs_fail(err, CS_UNSUPPORTED,
                "%s was built with BridgeStan %d.%d, not %d", path, *major,
                minor ? *minor : 0, MAJOR);
    else
        cs_fail(
            err, CS_UNSUPPORTED,
            "%s has no bs_major_version: it is not a model of BridgeStan %d",
            path, MAJOR);
    cs_hint(err, "%s", advice);
    return CS_UNSUPPORTED;
}

cs_status cs_stan_library_open(cs_stan_library *library, const char *path,
                               cs_error *err)
{
    char file[1024];
    *library = (cs_stan_library){NULL};
    /* without a slash in the path, dlopen would search the system's
     * libraries */
    snprintf(file, sizeof file, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        cs_fail(err, CS_IO, "cannot load %s: %s", path, dlerror());
        cs_hint(err, "%s", advice);
        return CS_IO;
    }
    library->handle = handle;
    cs_status status = check_version(handle, path, err);
    const char *missing = NULL;
#define CS_STAN_FIND(symbol, result, arguments)                                \
    find(handle, "bs_" #symbol, &library->symbol);                             \
    if (!library->symbol)                                                      \
        missing = "bs_" #symbol;
    CS_STAN_FUNCTIONS(CS_STAN_FIND)
#undef CS_STAN_FIND
    if (status == CS_OK && missing) {
        status = cs_fail(err, CS_UNSUPPORTED, "%s has no %s", path, missing);
        cs_hint(err, "%s", advice);
    }
    if (status)
        cs_stan_library_close(library);
    else
        hush(handle);
    return status;
}

void cs_stan_library_close(cs_stan_library *library)
{
    if (library->handle)
        dlclose(library->handle);
    library->handle = NULL;
}
