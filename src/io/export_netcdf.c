/* Writes draws as netCDF in the layout of ArviZ's InferenceData. */
#include "io/export.h"

#ifdef CS_NETCDF_LIBRARY

#include "base/memory.h"
#include "io/formats/netcdf_library.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 1024, DIMS = CS_VARIABLE_DIMS + 2 };

/* The groups of a pass over draws. */
typedef enum kind {
    PARAMETERS,
    SAMPLER,
    LOG_LIKELIHOOD,
    REPLICATED,
    KINDS
} kind;

/* A pass over the draws of all chains, and the names of its groups (NULL:
 * variables of this kind are left out). */
typedef struct pass_type {
    const char *name[KINDS];
    bool warmup;
} pass_type;
static const pass_type posterior = {
    {"posterior", "sample_stats", "log_likelihood", "posterior_predictive"},
    false};
static const pass_type warmup = {
    {"warmup_posterior", "warmup_sample_stats", NULL, NULL}, true};
static const pass_type prior = {
    {"prior", "sample_stats_prior", NULL, "prior_predictive"}, false};

/* The file being written. */
typedef struct writer {
    const cs_export *e;    /* draws of the pass */
    const pass_type *type; /* the pass */
    cs_netcdf_library lib;
    int file, group[KINDS]; /* ids of the groups of the pass; -1: none */
    int *var;               /* [variables] id of each variable in its group; -1:
                             * left out [own] */
    int *dim; /* [variables][CS_VARIABLE_DIMS] ids of the dimensions of their
               * arrays [own] */
    cs_page *notes; /* variables with other names [borrowed] */
    double *held;   /* [2 * ROWS * columns] rows that are not written
                             * yet, and numbers of one variable [own] */
    uint64_t draws; /* draws per chain of the pass */
    size_t chain, first, rows;
    int failed;                        /* error number of the library, or 0 */
    char doing[CS_VARIABLE_NAME + 40]; /* what failed */
} writer;

/* Calls a function of the library and stores its error. After the first error
 * all later calls are skipped. */
#define TRY(w, what, call)                                                     \
    do {                                                                       \
        if ((w)->failed == NC_NOERR) {                                         \
            (w)->failed = call;                                                \
            if ((w)->failed != NC_NOERR)                                       \
                snprintf((w)->doing, sizeof(w)->doing, "%.240s", what);        \
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

/* Returns the kind of a variable, and its name in the group in
 * out[CS_VARIABLE_NAME]. */
static kind kind_of(const writer *w, const cs_draw_variable *v, char *out)
{
    const cs_data_line *line = cs_data_lines_find(&w->e->lines, v->name);
    if (v->sampler) {
        char text[CS_VARIABLE_NAME];
        snprintf(out, CS_VARIABLE_NAME, "%s", stat_name(v->name, text));
        return SAMPLER;
    }
    snprintf(out, CS_VARIABLE_NAME, "%s", line ? line->name : v->name);
    return !line                                   ? PARAMETERS
           : line->group == CS_DATA_LOG_LIKELIHOOD ? LOG_LIKELIHOOD
                                                   : REPLICATED;
}

/* Defines the dimensions of a variable's array. All dimensions precede all
 * variables, because a dimension also has a coordinate variable of its name. */
static void define_dims(writer *w, const cs_draw_variable *v, int *dim)
{
    char out[CS_VARIABLE_NAME], name[CS_VARIABLE_NAME + 32];
    kind k = kind_of(w, v, out);
    for (size_t d = 0; d < v->n_dims && w->group[k] >= 0; d++) {
        snprintf(name, sizeof name, "%s_dim_%zu", out, d);
        dim[d] = define_dim(w, w->group[k], name, v->dim[d]);
    }
}

/* Defines a variable. If its name is that of a dimension or of another variable
 * of the group, appends "_". */
static int define_named(writer *w, kind k, char *name, nc_type type, int dims,
                        const int *dim)
{
    char wanted[CS_VARIABLE_NAME];
    int var = -1, code = NC_ENAMEINUSE;
    size_t n = strlen(name), longest = n + 8;
    snprintf(wanted, sizeof wanted, "%s", name);
    while (!w->failed && code == NC_ENAMEINUSE && n < longest) {
        code = w->lib.nc_def_var(w->group[k], name, type, dims, dim, &var);
        if (code == NC_ENAMEINUSE && n + 1 < CS_VARIABLE_NAME)
            memcpy(name + n, "_", 2);
        n++;
    }
    TRY(w, wanted, code);
    if (!w->failed && strcmp(wanted, name) != 0)
        cs_page_put(w->notes, "%s in group %s is written as %s\n", wanted,
                    w->type->name[k], name);
    return var;
}

static void define_variable(writer *w, const cs_draw_variable *v,
                            const int draws[KINDS][2], const int *dims,
                            int *var)
{
    char out[CS_VARIABLE_NAME];
    kind k = kind_of(w, v, out);
    int dim[DIMS] = {draws[k][0], draws[k][1]};
    *var = -1;
    if (w->group[k] < 0)
        return;
    memcpy(dim + 2, dims, v->n_dims * sizeof *dims);
    bool truth = strcmp(v->name, "divergent__") == 0; /* a boolean variable in
                                                       * xarray */
    *var = define_named(w, k, out,
                        truth              ? NC_BYTE
                        : is_integer(w, v) ? NC_INT64
                                           : NC_DOUBLE,
                        (int)v->n_dims + 2, dim);
    if (truth)
        TRY(w, v->name,
            w->lib.nc_put_att_text(w->group[k], *var, "dtype", 4, "bool"));
}

static void put_origin(writer *w, int group)
{
    put_text(w, group, "inference_library", "chainscope");
    put_text(w, group, "inference_library_version", CS_VERSION);
    put_text(w, group, "arm", w->e->head.arm);
    put_text(w, group, "model", w->e->head.model);
    if (*w->e->head.run)
        put_text(w, group, "run", w->e->head.run);
}

/* Returns true if a variable of this kind exists. */
static bool has_kind(const writer *w, kind k)
{
    char out[CS_VARIABLE_NAME];
    for (size_t i = 0; i < w->e->variables.n; i++)
        if (kind_of(w, &w->e->variables.variable[i], out) == k)
            return true;
    return k == PARAMETERS;
}

/* Defines the groups and the variables of a pass. */
static void define(writer *w)
{
    int draws[KINDS][2] = {{0}};
    for (kind k = 0; k < KINDS && !w->failed; k++) {
        const char *name = w->type->name[k];
        w->group[k] = -1;
        if (!name || !has_kind(w, k))
            continue;
        TRY(w, name, w->lib.nc_def_grp(w->file, name, &w->group[k]));
        draws[k][0] = define_dim(w, w->group[k], "chain", w->e->files->n);
        draws[k][1] = define_dim(w, w->group[k], "draw", w->draws);
        put_origin(w, w->group[k]);
    }
    for (size_t i = 0; i < w->e->variables.n && !w->failed; i++)
        define_dims(w, &w->e->variables.variable[i],
                    w->dim + i * CS_VARIABLE_DIMS);
    for (size_t i = 0; i < w->e->variables.n && !w->failed; i++)
        define_variable(w, &w->e->variables.variable[i], (const int(*)[2])draws,
                        w->dim + i * CS_VARIABLE_DIMS, &w->var[i]);
}

/* Writes the collected rows of variable v. The elements of the variable are in
 * the order of its array, with the last index varying fastest. */
static void flush_variable(writer *w, const cs_draw_variable *v, int var,
                           double *box)
{
    char out[CS_VARIABLE_NAME];
    size_t start[DIMS] = {w->chain, w->first}, count[DIMS] = {1, w->rows};
    if (var < 0)
        return;
    for (size_t d = 0; d < v->n_dims; d++)
        count[2 + d] = v->dim[d];
    for (size_t r = 0; r < w->rows; r++)
        for (size_t i = 0; i < v->n; i++)
            box[r * v->n + i] = w->held[r * w->e->head.columns + v->column[i]];
    TRY(w, v->name,
        w->lib.nc_put_vara_double(w->group[kind_of(w, v, out)], var, start,
                                  count, box));
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
    if (i >= w->draws || w->failed)
        return;
    memcpy(w->held + w->rows * columns, row, columns * sizeof *row);
    if (++w->rows == ROWS)
        flush(w);
}

static cs_status write_chains(writer *w, cs_error *err)
{
    cs_status status = CS_OK;
    size_t columns = w->e->head.columns;
    for (size_t i = 0; i < w->e->files->n && status == CS_OK && !w->failed;
         i++) {
        const char *path = w->e->files->path[i];
        w->chain = i;
        w->first = w->rows = 0;
        status = w->type->warmup
                     ? cs_cmdstan_read_warmup(path, columns, take_row, w, err)
                     : cs_cmdstan_read(path, NULL, columns, take_row, w, err);
        flush(w);
    }
    return status;
}

/* Writes the groups of a pass over the draws of `e`. */
static cs_status write_pass(writer *w, const cs_export *e,
                            const pass_type *type, cs_error *err)
{
    CS_FREE_ALL(w->var, w->dim, w->held);
    w->e = e;
    w->type = type;
    w->draws = type->warmup ? e->warmup : e->draws;
    w->var = cs_alloc(e->variables.n, sizeof *w->var);
    w->dim = cs_alloc(e->variables.n, CS_VARIABLE_DIMS * sizeof *w->dim);
    w->held = cs_alloc(2 * ROWS * e->head.columns, sizeof *w->held);
    if (!w->var || !w->dim || !w->held)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu columns",
                       e->head.columns);
    define(w);
    return w->failed ? CS_OK : write_chains(w, err);
}

/* Writes a group of data; leaves it out if it is empty. */
static void write_data(writer *w, const cs_export *e, cs_data_group group)
{
    int id = -1, var;
    for (size_t i = 0; i < e->lines.n && !w->failed; i++) {
        const cs_data_line *line = &e->lines.line[i];
        char name[CS_DATA_NAME + 16];
        size_t start = 0;
        if (line->group != group)
            continue;
        if (id < 0) {
            TRY(w, cs_data_group_name(group),
                w->lib.nc_def_grp(w->file, cs_data_group_name(group), &id));
            put_origin(w, id);
        }
        snprintf(name, sizeof name, "%s_dim_0", line->name);
        int dim = define_dim(w, id, name, line->n);
        TRY(w, line->name,
            w->lib.nc_def_var(id, line->name, NC_DOUBLE, 1, &dim, &var));
        TRY(w, line->name,
            w->lib.nc_put_vara_double(id, var, &start, &line->n, line->x));
    }
}

static cs_status write_groups(writer *w, const cs_export *e, cs_error *err)
{
    cs_status status = write_pass(w, e, &posterior, err);
    if (status == CS_OK && e->warmup)
        status = write_pass(w, e, &warmup, err);
    if (status == CS_OK && e->prior)
        status = write_pass(w, e->prior, &prior, err);
    w->e = e;
    if (status == CS_OK)
        write_data(w, e, CS_DATA_OBSERVED);
    if (status == CS_OK)
        write_data(w, e, CS_DATA_CONSTANT);
    return status;
}

static cs_status write_file(writer *w, const cs_export *e, const char *path,
                            cs_error *err)
{
    TRY(w, path, w->lib.nc_create(path, NC_NETCDF4 | NC_CLOBBER, &w->file));
    bool open = w->file >= 0;
    cs_status status = w->failed ? CS_OK : write_groups(w, e, err);
    if (open) {
        int closed = w->lib.nc_close(w->file);
        TRY(w, path, closed);
    }
    if (status == CS_OK && w->failed)
        status = cs_fail(err, CS_IO, "netCDF: %s: %s", w->doing,
                         w->lib.nc_strerror(w->failed));
    return status;
}

cs_status cs_export_netcdf(cs_export *e, const cs_replace *r, const char *path,
                           cs_error *err)
{
    (void)path;
    writer w = {.file = -1, .notes = &e->notes};
    if (r->through) {
        cs_fail(err, CS_INPUT, "%s is not a regular file", r->path);
        cs_hint(err, "netCDF needs a regular file; use JSON lines for a pipe");
        return CS_INPUT;
    }
    cs_status status = cs_netcdf_load(&w.lib, err);
    if (status == CS_OK)
        status = write_file(&w, e, r->beside, err);
    CS_FREE_ALL(w.var, w.dim, w.held);
    cs_netcdf_unload(&w.lib);
    return status;
}

#else

cs_status cs_export_netcdf(cs_export *e, const cs_replace *r, const char *path,
                           cs_error *err)
{
    (void)e, (void)r, (void)path;
    cs_fail(err, CS_UNSUPPORTED, "this program was built without netCDF");
    cs_hint(err, "install libnetcdf-dev and rebuild, or give a file name that "
                 "ends in .jsonl");
    return CS_UNSUPPORTED;
}

#endif
