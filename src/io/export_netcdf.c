/* Writes draws as netCDF in the layout of ArviZ's InferenceData. The library is
 * opened only when a file is written, because loading it and its dependencies
 * would slow down every start of the program. */
#include "io/export.h"

#ifdef CS_NETCDF_LIBRARY

#include "base/memory.h"

#include <dlfcn.h>
#include <netcdf.h>
#include <stdio.h>
#include <string.h>

/* The list of the functions of netcdf.h that this file uses. */
#define FUNCTIONS(F)                                                           \
    F(nc_create)                                                               \
    F(nc_def_grp)                                                              \
    F(nc_def_dim)                                                              \
    F(nc_def_var)                                                              \
    F(nc_put_att_text)                                                         \
    F(nc_put_var_longlong)                                                     \
    F(nc_put_vara_double)                                                      \
    F(nc_close)                                                                \
    F(nc_strerror)

#define MEMBER(name) __typeof__(name) *name;
typedef struct library {
    void *handle;
    FUNCTIONS(MEMBER)
} library;

enum { ROWS = 1024, DIMS = CS_VARIABLE_DIMS + 2 };

/* The file being written. */
typedef struct writer {
    const cs_export *e;
    library lib;
    int file, group[2]; /* [2]: groups posterior and sample_stats */
    int *var;           /* [variables] [own] id of each variable in its group */
    double *held;       /* [ROWS * columns] [own] rows that are not written
                         * yet */
    size_t chain, first, rows;
    int failed; /* error number of the library, or 0 */
    const char *doing;
} writer;

static cs_status open_library(library *l, cs_error *err)
{
    l->handle = dlopen(CS_NETCDF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool all = l->handle != NULL;
#define FIND(name)                                                             \
    if (all) {                                                                 \
        void *found = dlsym(l->handle, #name);                                 \
        memcpy(&l->name, &found, sizeof found);                                \
        all = found != NULL;                                                   \
    }
    FUNCTIONS(FIND)
    if (all)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "netCDF cannot be opened: %.200s", dlerror());
    cs_hint(err,
            "install libnetcdf19, or give a file name that ends in .jsonl");
    return CS_UNSUPPORTED;
}

/* Calls a function of the library and stores its error. After the first error
 * all later calls are skipped. */
#define TRY(w, what, call)                                                     \
    do {                                                                       \
        if ((w)->failed == NC_NOERR) {                                         \
            (w)->doing = what;                                                 \
            (w)->failed = call;                                                \
        }                                                                      \
    } while (0)

/* Translates CmdStan's name of a sampler quantity to ArviZ's name. */
static const char *stat_name(const char *column, char out[CS_VARIABLE_NAME])
{
    static const char *const names[][2] = {{"lp__", "lp"},
                                           {"accept_stat__", "acceptance_rate"},
                                           {"stepsize__", "step_size"},
                                           {"treedepth__", "tree_depth"},
                                           {"n_leapfrog__", "n_steps"},
                                           {"divergent__", "diverging"},
                                           {"energy__", "energy"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(column, names[i][0]) == 0)
            return names[i][1];
    snprintf(out, CS_VARIABLE_NAME, "%.*s", (int)strlen(column) - 2, column);
    return out;
}

static void put_text(writer *w, int group, const char *name, const char *text)
{
    TRY(w, "an attribute",
        w->lib.nc_put_att_text(group, NC_GLOBAL, name, strlen(text), text));
}

/* Defines a dimension with the coordinate 0, 1, ... */
static int define_dim(writer *w, int group, const char *name, size_t n)
{
    int dim = -1, var;
    TRY(w, name, w->lib.nc_def_dim(group, name, n, &dim));
    TRY(w, name, w->lib.nc_def_var(group, name, NC_INT64, 1, &dim, &var));
    long long *at = w->failed ? NULL : cs_alloc(n, sizeof *at);
    for (size_t i = 0; at && i < n; i++)
        at[i] = (long long)i;
    if (at)
        TRY(w, name, w->lib.nc_put_var_longlong(group, var, at));
    else
        TRY(w, name, NC_ENOMEM);
    cs_free(at);
    return dim;
}

/* Returns true if the header lists the variable as one of integers. */
static bool is_integer(const writer *w, const cs_draw_variable *v)
{
    const char *at = w->e->head.integers;
    size_t n = strlen(v->name), word;
    for (; *at; at += word + (at[word] == ' ')) {
        word = strcspn(at, " ");
        if (word == n && strncmp(at, v->name, n) == 0)
            return true;
    }
    return false;
}

static void define_variable(writer *w, const cs_draw_variable *v,
                            const int draws[2][2], int *var)
{
    char out[CS_VARIABLE_NAME], name[CS_VARIABLE_NAME + 32];
    int dim[DIMS] = {draws[v->sampler][0], draws[v->sampler][1]};
    int group = w->group[v->sampler];
    for (size_t d = 0; d < v->n_dims; d++) {
        snprintf(name, sizeof name, "%s_dim_%zu", v->name, d);
        dim[2 + d] = define_dim(w, group, name, v->dim[d]);
    }
    bool truth = strcmp(v->name, "divergent__") == 0; /* a boolean variable in
                                                       * xarray */
    TRY(w, v->name,
        w->lib.nc_def_var(group, v->sampler ? stat_name(v->name, out) : v->name,
                          truth              ? NC_BYTE
                          : is_integer(w, v) ? NC_INT64
                                             : NC_DOUBLE,
                          (int)v->n_dims + 2, dim, var));
    if (truth)
        TRY(w, v->name,
            w->lib.nc_put_att_text(group, *var, "dtype", 4, "bool"));
}

static void define(writer *w, const char *path)
{
    static const char *const names[2] = {"posterior", "sample_stats"};
    int draws[2][2];
    TRY(w, path, w->lib.nc_create(path, NC_NETCDF4 | NC_CLOBBER, &w->file));
    for (int g = 0; g < 2 && !w->failed; g++) {
        TRY(w, names[g], w->lib.nc_def_grp(w->file, names[g], &w->group[g]));
        draws[g][0] = define_dim(w, w->group[g], "chain", w->e->files->n);
        draws[g][1] = define_dim(w, w->group[g], "draw", w->e->draws);
        put_text(w, w->group[g], "inference_library", "chainscope");
        put_text(w, w->group[g], "inference_library_version", CS_VERSION);
        put_text(w, w->group[g], "arm", w->e->head.arm);
        put_text(w, w->group[g], "model", w->e->head.model);
        if (*w->e->head.run)
            put_text(w, w->group[g], "run", w->e->head.run);
    }
    for (size_t i = 0; i < w->e->variables.n && !w->failed; i++)
        define_variable(w, &w->e->variables.variable[i], (const int(*)[2])draws,
                        &w->var[i]);
}

/* Writes the collected rows of variable v. The elements of the variable are in
 * the order of its array, with the last index varying fastest. */
static void flush_variable(writer *w, const cs_draw_variable *v, int var,
                           double *box)
{
    size_t start[DIMS] = {w->chain, w->first}, count[DIMS] = {1, w->rows};
    for (size_t d = 0; d < v->n_dims; d++)
        count[2 + d] = v->dim[d];
    for (size_t r = 0; r < w->rows; r++)
        for (size_t i = 0; i < v->n; i++)
            box[r * v->n + i] = w->held[r * w->e->head.columns + v->column[i]];
    TRY(w, v->name,
        w->lib.nc_put_vara_double(w->group[v->sampler], var, start, count,
                                  box));
}

static void flush(writer *w)
{
    double *box = w->held + ROWS * w->e->head.columns;
    for (size_t i = 0; i < w->e->variables.n && w->rows; i++)
        flush_variable(w, &w->e->variables.variable[i], w->var[i], box);
    w->first += w->rows;
    w->rows = 0;
}

static void take_row(void *self, uint64_t i, const double *row)
{
    writer *w = self;
    size_t columns = w->e->head.columns;
    if (i >= w->e->draws || w->failed)
        return;
    memcpy(w->held + w->rows * columns, row, columns * sizeof *row);
    if (++w->rows == ROWS)
        flush(w);
}

static cs_status write_chains(writer *w, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < w->e->files->n && status == CS_OK && !w->failed;
         i++) {
        w->chain = i;
        w->first = w->rows = 0;
        status = cs_cmdstan_read(w->e->files->path[i], NULL, w->e->head.columns,
                                 take_row, w, err);
        flush(w);
    }
    return status;
}

static cs_status write_file(writer *w, const char *path, cs_error *err)
{
    define(w, path);
    bool open = w->file >= 0;
    cs_status status = w->failed ? CS_OK : write_chains(w, err);
    if (open) {
        int closed = w->lib.nc_close(w->file);
        TRY(w, path, closed);
    }
    if (status == CS_OK && w->failed)
        status = cs_fail(err, CS_IO, "netCDF: %s: %s", w->doing,
                         w->lib.nc_strerror(w->failed));
    return status;
}

cs_status cs_export_netcdf(const cs_export *e, const cs_replace *r,
                           cs_error *err)
{
    writer w = {.e = e, .file = -1};
    if (r->through) {
        cs_fail(err, CS_INPUT, "%s is not a regular file", r->path);
        cs_hint(err, "netCDF needs a regular file; use JSON lines for a pipe");
        return CS_INPUT;
    }
    cs_status status = open_library(&w.lib, err);
    if (status == CS_OK) {
        w.var = cs_alloc(e->variables.n, sizeof *w.var);
        w.held = cs_alloc(2 * ROWS * e->head.columns, sizeof *w.held);
        status = w.var && w.held
                     ? write_file(&w, r->beside, err)
                     : cs_fail(err, CS_MEMORY, "out of memory for %zu columns",
                               e->head.columns);
    }
    cs_free(w.var);
    cs_free(w.held);
    if (w.lib.handle)
        dlclose(w.lib.handle);
    return status;
}

#else

cs_status cs_export_netcdf(const cs_export *e, const cs_replace *r,
                           cs_error *err)
{
    (void)e, (void)r;
    cs_fail(err, CS_UNSUPPORTED, "this program was built without netCDF");
    cs_hint(err, "install libnetcdf-dev and rebuild, or give a file name that "
                 "ends in .jsonl");
    return CS_UNSUPPORTED;
}

#endif
