/* Writes netCDF files for the fuzzer. Changed bytes of a file would test the
 * library, not our reader; therefore the bytes determine groups, dimensions,
 * variables and types, and the library writes a valid file with them. */
#include "fuzz.h"

#ifdef CS_NETCDF_LIBRARY

#include <dlfcn.h>
#include <netcdf.h>
#include <string.h>

#define FUNCTIONS(F)                                                           \
    F(nc_create)                                                               \
    F(nc_def_grp)                                                              \
    F(nc_def_dim)                                                              \
    F(nc_def_var)                                                              \
    F(nc_def_enum)                                                             \
    F(nc_insert_enum)                                                          \
    F(nc_put_att_longlong)                                                     \
    F(nc_put_vara_double)                                                      \
    F(nc_close)

#define MEMBER(name) __typeof__(name) *name;
static struct library {
    void *handle;
    FUNCTIONS(MEMBER)
} lib;

enum { DIMS = 5, VARIABLES = 5, VALUES = 6 * 6 * 6 * 6 };

/* The bytes that have not been used. After the last byte all are 0. */
typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

static unsigned take(bytes *b, unsigned n)
{
    return b->at < b->end ? *b->at++ % n : 0;
}

#define CHOOSE(b, list) (list)[take(b, sizeof(list) / sizeof *(list))]

static int load(void)
{
    int all = 1;
    if (lib.handle)
        return 1;
    lib.handle = dlopen(CS_NETCDF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!lib.handle)
        return 0;
#define FIND(name)                                                             \
    if (all) {                                                                 \
        void *found = dlsym(lib.handle, #name);                                \
        memcpy(&lib.name, &found, sizeof found);                               \
        all = found != NULL;                                                   \
    }
    FUNCTIONS(FIND)
    return all;
}

/* Defines a variable, and writes its values in half of the cases. */
static void add_variable(int group, const int *dim, const size_t *length,
                         size_t dims, int truth, bytes *b)
{
    static const char *const names[] = {
        "mu",  "theta",     "lp",      "chain",     "draw",
        "a,b", "diverging", "energy",  "log_prob",  "x[1]",
        "é",   "theta.1",   "n_steps", "step_size", "accepted"};
    static const double values[VALUES] = {1, -2.5, 1e300, 0.125};
    const int types[] = {NC_DOUBLE, NC_FLOAT, NC_BYTE,   NC_INT64, NC_INT,
                         NC_CHAR,   NC_SHORT, NC_STRING, NC_UINT,  truth};
    const char *name = CHOOSE(b, names);
    int type = CHOOSE(b, types), at[DIMS], id;
    size_t start[DIMS] = {0}, count[DIMS], n = take(b, DIMS), all = 1;
    for (size_t i = 0; i < n; i++) {
        size_t k = take(b, (unsigned)dims);
        at[i] = dim[k];
        count[i] = length[k] ? length[k] : 2; /* 0: unlimited */
        all *= count[i];
    }
    if (lib.nc_def_var(group, name, type, (int)n, at, &id) == NC_NOERR &&
        all <= VALUES && type != NC_CHAR && type != NC_STRING &&
        type != truth && take(b, 2))
        lib.nc_put_vara_double(group, id, start, count, values);
}

static void add_group(int file, int truth, bytes *b)
{
    static const char *const groups[] = {
        "posterior",      "sample_stats", "warmup_posterior",
        "log_likelihood", "mcmc",         "warmup_sample_stats",
        "observed_data",  "constant_data"};
    static const char *const dims[] = {"chain", "draw", "theta_dim_0",
                                       "s",     "w",    "d"};
    int group, dim[DIMS];
    size_t length[DIMS], n = 0, wanted = 1 + take(b, DIMS);
    if (lib.nc_def_grp(file, CHOOSE(b, groups), &group) != NC_NOERR)
        return;
    for (size_t i = 0; i < wanted; i++) {
        const char *name = CHOOSE(b, dims);
        length[n] = take(b, 7);
        n += lib.nc_def_dim(group, name, length[n], &dim[n]) == NC_NOERR;
    }
    if (take(b, 2)) {
        long long steps = (long long)take(b, 256) - 3;
        lib.nc_put_att_longlong(group, NC_GLOBAL, "iteration", NC_INT64, 1,
                                &steps);
    }
    for (size_t i = 1 + take(b, VARIABLES); i > 0; i--)
        add_variable(group, dim, length, n, truth, b);
}

bool fuzz_netcdf(const char *path, const uint8_t *data, size_t size)
{
    bytes b = {data, data + size};
    int file, truth = NC_BYTE;
    const signed char no = 0, yes = 1;
    if (!load() ||
        lib.nc_create(path, NC_CLOBBER | NC_NETCDF4, &file) != NC_NOERR)
        return false;
    if (lib.nc_def_enum(file, NC_BYTE, "truth", &truth) == NC_NOERR) {
        lib.nc_insert_enum(file, truth, "FALSE", &no);
        lib.nc_insert_enum(file, truth, "TRUE", &yes);
    }
    for (unsigned groups = 1 + take(&b, 4); groups > 0; groups--)
        add_group(file, truth, &b);
    return lib.nc_close(file) == NC_NOERR;
}

#else

bool fuzz_netcdf(const char *path, const uint8_t *data, size_t size)
{
    (void)path, (void)data, (void)size;
    return false;
}

#endif
