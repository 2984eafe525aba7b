#include "io/formats/netcdf_library.h"

#ifdef CS_NETCDF_LIBRARY

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

cs_status cs_netcdf_load(cs_netcdf_library *l, cs_error *err)
{
    *l = (cs_netcdf_library){
        .handle = dlopen(CS_NETCDF_LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    bool all = l->handle != NULL;
#define FIND(name)                                                             \
    if (all) {                                                                 \
        void *found = dlsym(l->handle, #name);                                 \
        memcpy(&l->name, &found, sizeof found);                                \
        all = found != NULL;                                                   \
    }
    CS_NETCDF_FUNCTIONS(FIND)
    if (all)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "netCDF cannot be opened: %.200s", dlerror());
    cs_hint(err, "install libnetcdf19, or use CSV or lines of JSON");
    cs_netcdf_unload(l);
    return CS_UNSUPPORTED;
}

void cs_netcdf_unload(cs_netcdf_library *l)
{
    if (l->handle)
        dlclose(l->handle);
    l->handle = NULL;
}

#else
typedef int cs_netcdf_is_not_built;
#endif
