/* Reads netCDF in the layout of ArviZ's InferenceData, which PyMC, NumPyro,
 * ArviZ and this program write, and the HDF5 files of emcee. */
#include "io/formats/array_names.h"
#include "io/formats/netcdf_library.h"
#include "io/formats/netcdf_size.h"

#include <string.h>

static bool recognise(const cs_draw_head *h)
{
    static const char hdf[] = "\x89HDF\r\n\x1a\n", classic[] = "CDF";
    return (h->n >= 8 && memcmp(h->text, hdf, 8) == 0) ||
           (h->n >= 4 && memcmp(h->text, classic, 3) == 0 &&
            (h->text[3] == 1 || h->text[3] == 2 || h->text[3] == 5));
}

#ifdef CS_NETCDF_LIBRARY

#include "base/cancellation.h"
#include "base/memory.h"
#include "base/page.h"
#include "files/open.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 1024, GROUPS = 64, DIMS = CS_ARRAY_DIMS + 2 };

typedef struct variable {
    char name[NC_MAX_NAME + 1];
    int group, id;
    int warm_group, warm_id;  /* the same variable in the warm-up; -1: none */
    size_t chain_at, draw_at; /* positions of these dimensions: 0 and 1, or 1
                               * and 0 */
    size_t first, n;          /* columns */
    size_t n_dims, dim[CS_ARRAY_DIMS];
    bool filled; /* true if there is a _FillValue, `fill`: a missing value */
    double fill;
    bool byte; /* true for an enumeration of bytes: a boolean of HDF5 */
} variable;

typedef struct group {
    char name[NC_MAX_NAME + 1];
    int id;
} group;

typedef struct reader {
    const char *path;
    const cs_draw_sink *sink;
    cs_netcdf_library lib;
    int file;
    group group[GROUPS];
    size_t groups;
    variable *variable; /* [n] [own] */
    size_t n, capacity;
    cs_column_names names;
    size_t chains, draws, warmup; /* lengths that all variables share */
    double *held, *box;           /* [rows][columns], [rows][n] [own] */
    size_t rows;                  /* number of rows that are read at once */
    uint64_t missing;             /* number of values _FillValue */
    char skipped[160];            /* names of variables that are not read */
} reader;

static cs_status fail(const reader *r, int code, const char *what,
                      cs_error *err)
{
    cs_fail(err, CS_INPUT, "netCDF: %.100s: %s", what,
            r->lib.nc_strerror(code));
    cs_where(err, r->path, 0);
    return CS_INPUT;
}

static cs_status refuse(const reader *r, cs_error *err, const char *name,
                        const char *what)
{
    cs_fail(err, CS_INPUT, "netCDF: %.100s %s", name, what);
    cs_where(err, r->path, 0);
    return CS_INPUT;
}

/* ---- variables ---- */

/* Returns true if there is a column with this name. */
static bool has_column(const reader *r, const char *name)
{
    for (size_t i = 0; i < r->names.n; i++)
        if (strcmp(r->names.name[i], name) == 0)
            return true;
    return false;
}

/* Translates ArviZ's name of a quantity of the sampler to CmdStan's name. If an
 * earlier quantity has this name already, or if there is no such name, the name
 * becomes NAME__. */
static void stat_name(const reader *r, const char *name, char *out, size_t size)
{
    static const char *const names[][2] = {
        {"lp", "lp__"},
        {"acceptance_rate", "accept_stat__"},
        {"mean_tree_accept", "accept_stat__"},
        {"accept_prob", "accept_stat__"},
        {"step_size", "stepsize__"},
        {"tree_depth", "treedepth__"},
        {"depth", "treedepth__"},
        {"n_steps", "n_leapfrog__"},
        {"num_steps", "n_leapfrog__"},
        {"diverging", "divergent__"},
        {"energy", "energy__"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i][0]) == 0 && !has_column(r, names[i][1])) {
            snprintf(out, size, "%s", names[i][1]);
            return;
        }
    snprintf(out, size, "%.*s__", CS_DRAW_NAME, name);
}

static int group_of(const reader *r, const char *name)
{
    for (size_t i = 0; i < r->groups; i++)
        if (strcmp(r->group[i].name, name) == 0)
            return r->group[i].id;
    return -1;
}

/* Returns true for a type whose values are numbers, or bytes of an
 * enumeration. */
static bool is_number(const reader *r, int in, nc_type type, bool *byte)
{
    size_t size, members;
    int class;
    nc_type base;
    char name[NC_MAX_NAME + 1];
    *byte = false;
    if (type <= NC_MAX_ATOMIC_TYPE)
        return type != NC_CHAR && type != NC_STRING && type > 0;
    *byte = r->lib.nc_inq_user_type(in, type, name, &size, &base, &members,
                                    &class) == NC_NOERR &&
            class == NC_ENUM && size == 1;
    return *byte;
}

/* Checks that all variables have the same numbers of chains and draws. */
static cs_status check_length(reader *r, const variable *v, size_t chains,
                              size_t draws, cs_error *err)
{
    char what[120];
    if (r->n == 0) {
        r->chains = chains;
        r->draws = draws;
    }
    if (chains == r->chains && draws == r->draws)
        return chains && draws ? CS_OK
                               : refuse(r, err, v->name, "has no draws");
    snprintf(what, sizeof what,
             "has %zu chains of %zu draws, but another variable has %zu of %zu",
             chains, draws, r->chains, r->draws);
    return refuse(r, err, v->name, what);
}

/* Adds a variable whose first two dimensions are chains and draws; its shape is
 * length[n_dims]. */
static cs_status add(reader *r, variable *v, const size_t *length,
                     size_t n_dims, const char *column, cs_error *err)
{
    cs_status status =
        check_length(r, v, length[v->chain_at], length[v->draw_at], err);
    if (status)
        return status;
    if (!CS_GROW(r->variable, r->n, r->capacity, 1))
        return cs_fail(err, CS_MEMORY, "out of memory for the variables");
    v->n_dims = n_dims - 2;
    memcpy(v->dim, length + 2, v->n_dims * sizeof *length);
    v->first = r->names.n;
    status = cs_array_names(&r->names, column, v->dim, v->n_dims, err);
    if (status)
        cs_where(err, r->path, 0);
    v->n = r->names.n - v->first;
    r->variable[r->n++] = *v;
    return status;
}

static void skip(reader *r, const char *name)
{
    size_t n = strlen(r->skipped);
    snprintf(r->skipped + n, sizeof r->skipped - n, "%s%s", n ? ", " : "",
             name);
}

/* Reads the shape of a variable. Returns false if it is not a quantity of each
 * draw: coordinates and constants are not. */
static bool shape_of(const reader *r, variable *v, size_t *length, int *n_dims)
{
    int dim[NC_MAX_VAR_DIMS];
    nc_type type;
    char name[2][NC_MAX_NAME + 1] = {"", ""}, other[NC_MAX_NAME + 1];
    if (r->lib.nc_inq_var(v->group, v->id, v->name, &type, n_dims, dim, NULL) ||
        *n_dims < 2 || *n_dims > DIMS ||
        !is_number(r, v->group, type, &v->byte))
        return false;
    for (int d = 0; d < *n_dims; d++)
        if (r->lib.nc_inq_dim(v->group, dim[d], d < 2 ? name[d] : other,
                              &length[d]))
            return false;
    bool swapped = strcmp(name[0], "draw") == 0;
    v->draw_at = !swapped;
    v->chain_at = swapped;
    return strcmp(name[v->chain_at], "chain") == 0 &&
           strcmp(name[v->draw_at], "draw") == 0;
}

/* Returns true if an attribute exists and has one element; the library copies
 * all elements to its caller. */
static bool is_single(const reader *r, int in, int var, const char *name)
{
    nc_type type;
    size_t n = 0;
    return r->lib.nc_inq_att(in, var, name, &type, &n) == NC_NOERR && n == 1;
}

static void find_warmup(const reader *r, variable *v, int warm)
{
    v->warm_group = warm;
    if (warm < 0 || r->lib.nc_inq_varid(warm, v->name, &v->warm_id) != NC_NOERR)
        v->warm_id = -1;
}

/* Adds the variables of a group. `kind` is "s" for quantities of the sampler,
 * "" for parameters; otherwise it is the start of the columns' names. */
static cs_status collect(reader *r, int in, int warm, const char *kind,
                         cs_error *err)
{
    int n = 0, code = r->lib.nc_inq_nvars(in, &n);
    int *id = cs_alloc((size_t)n + 1, sizeof *id);
    cs_status status = id ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory");
    if (status == CS_OK && code == NC_NOERR)
        code = r->lib.nc_inq_varids(in, &n, id);
    if (status == CS_OK && code)
        status = fail(r, code, "a group", err);
    for (int i = 0; i < n && status == CS_OK; i++) {
        variable v = {.group = in, .id = id[i]};
        char column[2 * NC_MAX_NAME];
        size_t length[DIMS] = {0};
        int n_dims;
        if (!shape_of(r, &v, length, &n_dims)) {
            if (strcmp(v.name, "chain") != 0 && strcmp(v.name, "draw") != 0 &&
                !strstr(v.name, "_dim_"))
                skip(r, v.name);
            continue;
        }
        find_warmup(r, &v, warm);
        v.filled = !v.byte && is_single(r, in, v.id, "_FillValue") &&
                   r->lib.nc_get_att_double(in, v.id, "_FillValue", &v.fill) ==
                       NC_NOERR;
        if (strcmp(kind, "s") == 0)
            stat_name(r, v.name, column, sizeof column);
        else
            snprintf(column, sizeof column, "%s%s%.*s", kind, *kind ? "_" : "",
                     NC_MAX_NAME, v.name);
        status = add(r, &v, length, (size_t)n_dims, column, err);
    }
    cs_free(id);
    return status;
}

/* ---- layouts ---- */

/* Returns true for a group whose variables belong to draws, apart from the
 * posterior. */
static bool is_more(const char *name)
{
    static const char *const names[] = {
        "log_likelihood", "posterior_predictive", "predictions", "log_prior"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* How a group is requested, from its prefix in the list of groups. */
typedef enum request {
    UNWANTED,
    WANTED,    /* no prefix, or "?": the file may lack it */
    CONVENIENT /* "~": left out unless it is small and has all draws */
} request;

/* Returns the request for this name, or for "all". */
static request requested(const char *groups, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = groups; at && *at;) {
        request how = *at == '~' ? CONVENIENT : WANTED;
        at += *at == '?' || *at == '~';
        size_t m = strcspn(at, ",");
        if ((m == n && strncmp(at, name, n) == 0) ||
            (m == 3 && strncmp(at, "all", 3) == 0))
            return how;
        at += m + (at[m] == ',');
    }
    return UNWANTED;
}

/* Returns true if all variables of the group have the draws of the posterior and
 * there are at most CS_DRAW_CONVENIENT numbers per draw. */
static bool is_convenient(const reader *r, int in)
{
    int n = 0, *id = NULL;
    size_t all = 0;
    bool fits = r->lib.nc_inq_nvars(in, &n) == NC_NOERR &&
                (id = cs_alloc((size_t)n + 1, sizeof *id)) &&
                r->lib.nc_inq_varids(in, &n, id) == NC_NOERR;
    for (int i = 0; i < n && fits; i++) {
        variable v = {.group = in, .id = id[i]};
        size_t length[DIMS] = {0}, numbers = 1;
        int n_dims;
        if (!shape_of(r, &v, length, &n_dims))
            continue;
        for (int d = 2; d < n_dims && numbers <= CS_DRAW_CONVENIENT; d++)
            numbers *= length[d];
        all += numbers;
        fits = length[v.chain_at] == r->chains &&
               length[v.draw_at] == r->draws && all <= CS_DRAW_CONVENIENT;
    }
    cs_free(id);
    return fits;
}

/* Returns true if the variables of this group of the file are read. */
static bool is_wanted(const reader *r, const group *g)
{
    request how = requested(r->sink->groups, g->name);
    return is_more(g->name) &&
           (how == WANTED || (how == CONVENIENT && is_convenient(r, g->id)));
}

static cs_status check_groups(const reader *r, cs_error *err)
{
    for (const char *at = r->sink->groups; at && *at;) {
        char name[64];
        size_t m = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", m < 63 ? (int)m : 63, at);
        if (strcmp(name, "all") != 0 && *name != '?' && *name != '~' &&
            (!is_more(name) || group_of(r, name) < 0)) {
            cs_fail(err, CS_UNKNOWN,
                    "netCDF: %s is not a group of draws in this file", name);
            cs_where(err, r->path, 0);
            cs_hint(err, "groups of draws are log_likelihood, "
                         "posterior_predictive, predictions and log_prior");
            return CS_UNKNOWN;
        }
        at += m + (at[m] == ',');
    }
    return CS_OK;
}

/* Returns true if a header can have lines about a variable of this name. */
static bool fits_line(const char *name)
{
    return *name && strlen(name) < 100 && !strpbrk(name, " =\n\r");
}

/* Reports the groups that are in the file, but are not read. */
static void note_groups(const reader *r)
{
    char text[300] = "";
    bool more = false;
    for (size_t i = 0; i < r->groups; i++) {
        const char *name = r->group[i].name;
        static const char *const read[] = {
            "posterior",           "sample_stats",  "warmup_posterior",
            "warmup_sample_stats", "observed_data", "constant_data"};
        bool known = is_wanted(r, &r->group[i]);
        for (size_t k = 0; k < sizeof read / sizeof *read; k++)
            known |= strcmp(name, read[k]) == 0;
        size_t n = strlen(text);
        if (!known)
            snprintf(text + n, sizeof text - n, "%s%.60s", n ? ", " : "", name);
        more |= !known && is_more(name);
    }
    if (*text)
        cs_draw_note(r->sink, "not read: %s%s", text,
                     more ? " (--groups adds groups of draws)" : "");
    if (*r->skipped)
        cs_draw_note(r->sink, "not quantities of draws: %s", r->skipped);
}

static cs_status collect_arviz(reader *r, int posterior, cs_error *err)
{
    int stats = group_of(r, "sample_stats");
    cs_status status = check_groups(r, err);
    if (status == CS_OK && stats >= 0)
        status =
            collect(r, stats, group_of(r, "warmup_sample_stats"), "s", err);
    if (status == CS_OK)
        status =
            collect(r, posterior, group_of(r, "warmup_posterior"), "", err);
    for (size_t i = 0; i < r->groups && status == CS_OK; i++)
        if (is_wanted(r, &r->group[i]))
            status = collect(r, r->group[i].id, -1, r->group[i].name, err);
    if (status == CS_OK)
        note_groups(r);
    return status;
}

/* ---- data of the model ---- */

/* Sends the name of a variable of draws in a group that a header has lines
 * for. */
static void send_variable(const reader *r, const variable *v)
{
    static const char *const lines[] = {"log_likelihood",
                                        "posterior_predictive"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[3 * NC_MAX_NAME];
        if (group_of(r, lines[i]) != v->group || !fits_line(v->name))
            continue;
        snprintf(line, sizeof line, "# %s %s = %s_%s\n", lines[i], v->name,
                 lines[i], v->name);
        r->sink->data(r->sink->self, line);
    }
}

/* Sends x[n], the data `name` of a group, in the order of columns. */
static void send_numbers(const reader *r, const char *kind, const char *name,
                         const double *x, size_t n)
{
    enum { TOGETHER = 64 };
    for (size_t from = 0; from < n; from += TOGETHER) {
        cs_page line = {0};
        cs_page_put(&line, "# %s %s = ", kind, name);
        for (size_t i = from; i < n && i < from + TOGETHER; i++)
            cs_page_put(&line, "%s%.17g", i > from ? "," : "", x[i]);
        cs_page_put(&line, "\n");
        if (!line.full)
            r->sink->data(r->sink->self, line.text);
        cs_free(line.text);
    }
}

/* Sends the numbers of a variable without draws. Data that are missing, too many
 * or no numbers are left out. */
static void send_data(const reader *r, int in, int id, const char *kind)
{
    char name[NC_MAX_NAME + 1];
    int dim[NC_MAX_VAR_DIMS], n_dims;
    size_t length[CS_ARRAY_DIMS], all = 1;
    nc_type type;
    bool byte;
    if (r->lib.nc_inq_var(in, id, name, &type, &n_dims, dim, NULL) ||
        n_dims > CS_ARRAY_DIMS || !is_number(r, in, type, &byte) || byte ||
        !fits_line(name) ||
        r->lib.nc_inq_dimid(in, name, &(int){0}) == NC_NOERR)
        return;
    for (int d = 0; d < n_dims; d++) {
        if (r->lib.nc_inq_dim(in, dim[d], NULL, &length[d]) ||
            length[d] > CS_DRAW_COLUMNS)
            return;
        all *= length[d];
        if (all > CS_DRAW_COLUMNS)
            return;
    }
    size_t start[CS_ARRAY_DIMS] = {0};
    double *x = cs_alloc(2 * all, sizeof *x);
    if (x && all &&
        r->lib.nc_get_vara_double(in, id, start, length, x) == NC_NOERR) {
        for (size_t i = 0; i < all; i++)
            x[all + cs_array_place(length, (size_t)n_dims, i)] = x[i];
        bool finite = true;
        for (size_t i = 0; i < all; i++)
            finite &= isfinite(x[i]) != 0;
        if (finite)
            send_numbers(r, kind, name, x + all, all);
        else
            cs_draw_note(r->sink, "%s %.80s has missing values: it is left out",
                         kind, name);
    }
    cs_free(x);
}

/* Sends the lines about the model's data, for predictive checks and exports. */
static void send_lines(const reader *r)
{
    static const char *const groups[] = {"observed_data", "constant_data"};
    if (!r->sink->data)
        return;
    for (size_t i = 0; i < r->n; i++)
        send_variable(r, &r->variable[i]);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        int n = 0, in = group_of(r, groups[i]);
        if (in < 0 || r->lib.nc_inq_nvars(in, &n))
            continue;
        int *id = cs_alloc((size_t)n + 1, sizeof *id);
        if (id && r->lib.nc_inq_varids(in, &n, id) == NC_NOERR)
            for (int k = 0; k < n; k++)
                send_data(r, in, id[k], groups[i]);
        cs_free(id);
    }
}

/* ---- emcee ---- */

/* Adds the dataset `name` of emcee, whose first dimensions are steps and
 * walkers. */
static cs_status add_emcee(reader *r, int in, const char *name,
                           const char *column, int wanted, size_t steps,
                           cs_error *err)
{
    int dim[NC_MAX_VAR_DIMS], n = 0;
    nc_type type;
    size_t length[DIMS] = {0};
    variable v = {.group = in,
                  .warm_id = -1,
                  .warm_group = -1,
                  .draw_at = 0,
                  .chain_at = 1};
    int code = r->lib.nc_inq_varid(in, name, &v.id);
    if (code == NC_NOERR)
        code = r->lib.nc_inq_var(in, v.id, v.name, &type, &n, dim, NULL);
    if (code == NC_NOERR && n != wanted)
        return refuse(r, err, name, "does not have the shape of emcee");
    for (int d = 0; d < n && code == NC_NOERR; d++)
        code = r->lib.nc_inq_dim(in, dim[d], NULL, &length[d]);
    if (code)
        return fail(r, code, name, err);
    if (length[0] > steps)
        length[0] = steps;
    return add(r, &v, length, (size_t)n, column, err);
}

/* Reads emcee's backend: a group with the datasets `chain` and `log_prob`,
 * which may have room for more steps than `iteration`. */
static cs_status collect_emcee(reader *r, int in, cs_error *err)
{
    long long steps = 0;
    if (!is_single(r, in, NC_GLOBAL, "iteration"))
        return refuse(r, err, "emcee",
                      "needs one number in the attribute iteration");
    int code = r->lib.nc_get_att_longlong(in, NC_GLOBAL, "iteration", &steps);
    if (code)
        return fail(r, code, "the attribute iteration of emcee", err);
    if (steps <= 0)
        return refuse(r, err, "emcee", "has stored no steps");
    cs_status status =
        add_emcee(r, in, "log_prob", "lp__", 2, (size_t)steps, err);
    if (status == CS_OK)
        status = add_emcee(r, in, "chain", "x", 3, (size_t)steps, err);
    if (status == CS_OK)
        cs_draw_note(r->sink,
                     "emcee: each of the %zu walkers is read as a chain; "
                     "walkers are not independent, so R-hat is too small; the "
                     "burn-in is included",
                     r->chains);
    return status;
}

static cs_status list_groups(reader *r, cs_error *err)
{
    int n = 0, id[GROUPS];
    int code = r->lib.nc_inq_grps(r->file, &n, NULL);
    if (code == NC_NOERR && n > GROUPS)
        return refuse(r, err, "the file", "has more than 64 groups");
    if (code == NC_NOERR)
        code = r->lib.nc_inq_grps(r->file, &n, id);
    for (int i = 0; i < n && code == NC_NOERR; i++) {
        r->group[i].id = id[i];
        code = r->lib.nc_inq_grpname(id[i], r->group[i].name);
        r->groups++;
    }
    return code ? fail(r, code, "the groups", err) : CS_OK;
}

static cs_status refuse_layout(const reader *r, cs_error *err)
{
    char names[200] = "";
    for (size_t i = 0; i < r->groups; i++) {
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%.40s", n ? ", " : "",
                 r->group[i].name);
    }
    cs_fail(err, CS_INPUT,
            "netCDF: there is no group posterior, nor a variable of chain and "
            "draw; groups: %s",
            *names ? names : "none");
    cs_where(err, r->path, 0);
    cs_hint(err, "write the file with arviz.to_netcdf, or emcee's HDFBackend");
    return CS_INPUT;
}

static cs_status find_draws(reader *r, cs_error *err)
{
    int id, posterior = group_of(r, "posterior");
    for (size_t i = 0; i < r->groups && posterior < 0; i++)
        if (r->lib.nc_inq_varid(r->group[i].id, "log_prob", &id) == NC_NOERR &&
            r->lib.nc_inq_varid(r->group[i].id, "chain", &id) == NC_NOERR)
            return collect_emcee(r, r->group[i].id, err);
    cs_status status =
        collect_arviz(r, posterior < 0 ? r->file : posterior, err);
    if (status == CS_OK && r->n == 0)
        status = refuse_layout(r, err);
    return status;
}

/* Finds the length of the warm-up, and checks that all its variables have the
 * shape that they have in the posterior. */
static cs_status check_warmup(reader *r, cs_error *err)
{
    for (size_t i = 0; i < r->n; i++) {
        const variable *v = &r->variable[i];
        variable w = {.group = v->warm_group, .id = v->warm_id};
        size_t length[DIMS] = {0};
        int n = 0;
        if (v->warm_id < 0)
            continue;
        size_t n_dims = v->n_dims;
        if (!shape_of(r, &w, length, &n) || (size_t)n != n_dims + 2 ||
            w.byte != v->byte || w.draw_at != v->draw_at ||
            length[w.chain_at] != r->chains ||
            (n_dims &&
             memcmp(length + 2, v->dim, n_dims * sizeof *length) != 0) ||
            (r->warmup && length[w.draw_at] != r->warmup))
            return refuse(r, err, v->name, "has another shape in the warm-up");
        r->warmup = length[w.draw_at];
    }
    return CS_OK;
}

/* ---- rows ---- */

/* Reads rows of a variable to the box. */
static int get(reader *r, const variable *v, bool warm, size_t chain,
               size_t from, size_t rows)
{
    size_t start[DIMS] = {0}, count[DIMS];
    int in = warm ? v->warm_group : v->group, id = warm ? v->warm_id : v->id;
    for (size_t d = 0; d < v->n_dims; d++)
        count[2 + d] = v->dim[d];
    start[v->chain_at] = chain;
    count[v->chain_at] = 1;
    start[v->draw_at] = from;
    count[v->draw_at] = rows;
    if (!v->byte)
        return r->lib.nc_get_vara_double(in, id, start, count, r->box);
    signed char *byte = (signed char *)r->box;
    int code = r->lib.nc_get_vara(in, id, start, count, byte);
    /* backwards, since a number takes the place of eight bytes */
    for (size_t i = rows * v->n; i-- > 0 && code == NC_NOERR;) {
        double value = byte[i];
        memcpy(r->box + i, &value, sizeof value);
    }
    return code;
}

/* Writes a value to r->held. */
static void put(reader *r, const variable *v, size_t at, double value)
{
    bool missing = v->filled && value == v->fill;
    r->held[at] = missing ? (double)NAN : value;
    r->missing += missing;
}

/* Reads the rows of all variables to r->held. A variable without warm-up is NaN
 * there. */
static cs_status hold(reader *r, bool warm, size_t chain, size_t from,
                      size_t rows, cs_error *err)
{
    for (size_t k = 0; k < r->n; k++) {
        const variable *v = &r->variable[k];
        bool none = warm && v->warm_id < 0;
        int code =
            none || !v->n ? NC_NOERR : get(r, v, warm, chain, from, rows);
        if (code)
            return fail(r, code, v->name, err);
        for (size_t j = 0; j < v->n; j++) {
            size_t to = v->first + cs_array_place(v->dim, v->n_dims, j);
            for (size_t i = 0; i < rows; i++)
                put(r, v, i * r->names.n + to,
                    none ? (double)NAN : r->box[i * v->n + j]);
        }
    }
    return CS_OK;
}

static cs_status send(reader *r, bool warm, size_t chain, cs_error *err)
{
    size_t all = warm ? r->warmup : r->draws;
    cs_status status = CS_OK;
    for (size_t from = 0; from < all && status == CS_OK; from += r->rows) {
        size_t rows = all - from < r->rows ? all - from : r->rows;
        status = hold(r, warm, chain, from, rows, err);
        for (size_t i = 0; i < rows && status == CS_OK; i++)
            status = r->sink->row(r->sink->self, chain, warm,
                                  r->held + i * r->names.n, err);
        if (status == CS_OK && cs_cancelled())
            status = cs_fail(err, CS_STOPPED, "while %s was read", r->path);
    }
    return status;
}

/* Checks that the file is long enough for its numbers. Compression makes files
 * smaller by at most a factor of about 1000. */
static cs_status check_size(const reader *r, cs_error *err)
{
    uint64_t size = 0;
    int fd = cs_open_read(r->path, &size);
    if (fd >= 0)
        close(fd);
    double numbers = (double)r->chains *
                     ((double)r->draws + (double)r->warmup) *
                     (double)r->names.n;
    return numbers <= 2000 * (double)size
               ? CS_OK
               : refuse(r, err, "the file", "is too short for its dimensions");
}

static cs_status send_all(reader *r, cs_error *err)
{
    enum { NUMBERS = 1 << 22 };
    cs_status status = cs_names_check(&r->names, err);
    if (status)
        cs_where(err, r->path, 0);
    if (status == CS_OK)
        status = check_warmup(r, err);
    if (status == CS_OK)
        status = check_size(r, err);
    if (status == CS_OK && r->chains > CS_DRAW_CHAINS)
        status = refuse(r, err, "the file", "has more than 65536 chains");
    if (status)
        return status;
    r->rows = r->names.n ? NUMBERS / r->names.n : 1;
    r->rows = r->rows > ROWS ? ROWS : r->rows ? r->rows : 1;
    r->held = cs_alloc(r->rows * r->names.n, sizeof *r->held);
    r->box = cs_alloc(r->rows * r->names.n, sizeof *r->box);
    if (!r->held || !r->box)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", r->path);
    status = r->sink->columns(r->sink->self, (const char *const *)r->names.name,
                              r->names.n, err);
    if (status == CS_OK)
        send_lines(r);
    for (size_t c = 0; c < r->chains && status == CS_OK; c++) {
        status = send(r, true, c, err);
        if (status == CS_OK)
            status = send(r, false, c, err);
    }
    if (r->missing)
        cs_draw_note(r->sink, "missing values (_FillValue): %llu",
                     (unsigned long long)r->missing);
    return status;
}

static cs_status read_open(reader *r, cs_error *err)
{
    cs_status status = list_groups(r, err);
    if (status == CS_OK)
        status = find_draws(r, err);
    return status ? status : send_all(r, err);
}

static cs_status read_file(const char *path, const cs_draw_sink *sink,
                           cs_error *err)
{
    reader r = {.path = path, .sink = sink};
    cs_status status = cs_netcdf_check_size(path, err);
    if (status == CS_OK)
        status = cs_netcdf_load(&r.lib, err);
    if (status)
        return status;
    int code = r.lib.nc_open(path, NC_NOWRITE, &r.file);
    status = code ? fail(&r, code, "the file", err) : read_open(&r, err);
    if (code == NC_NOERR)
        r.lib.nc_close(r.file);
    cs_netcdf_unload(&r.lib);
    cs_names_free(&r.names);
    CS_FREE_ALL(r.variable, r.held, r.box);
    return status;
}

#else

static cs_status read_file(const char *path, const cs_draw_sink *sink,
                           cs_error *err)
{
    (void)sink;
    cs_fail(err, CS_UNSUPPORTED,
            "this program was built without netCDF, which %.200s needs", path);
    cs_hint(err, "install libnetcdf-dev and rebuild, or convert the file to "
                 "CSV");
    return CS_UNSUPPORTED;
}

#endif

const cs_draw_format cs_format_netcdf = {
    .name = "netCDF",
    .recognise = recognise,
    .read = read_file,
};
