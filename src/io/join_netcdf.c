#include "io/join_netcdf.h"

#ifdef CS_NETCDF_LIBRARY

#include "base/cancellation.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/open.h"
#include "files/replace.h"
#include "io/formats/netcdf_library.h"
#include "io/formats/netcdf_size.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    DIMS = 16,         /* maximum number of dimensions of a variable */
    GROUP_DIMS = 4096, /* maximum number of dimensions of a group */
    NUMBERS = 1 << 20, /* numbers that are copied at once */
    FILES = 512,
    GROUPS = 1024, /* maximum number of groups of a file */
    DEPTH = 16,    /* maximum number of groups in the path of a group */
    PATH = DEPTH * (NC_MAX_NAME + 1)
};

typedef struct source {
    const char *path;
    int file; /* id of the open file */
    uint64_t size;
} source;

typedef struct join {
    cs_netcdf_library lib;
    source from[FILES];
    size_t n;          /* number of files */
    size_t opened;     /* number of files that are open */
    int in[FILES];     /* ids of the current group in the files */
    int out;           /* id of the current group in the new file */
    const char *group; /* its path, a/b; "": the file itself */
    size_t groups;     /* number of groups that were met */
    cs_joined *done;
} join;

/* A variable in one file. */
typedef struct variable {
    char name[NC_MAX_NAME + 1], dim[DIMS][NC_MAX_NAME + 1];
    size_t length[DIMS], bytes;
    int id, n_dims, attributes;
    int chain_at, draw_at; /* positions of these dimensions; -1: none */
    nc_type type;
    bool number; /* false: the type is not copied */
} variable;

static cs_status refuse(const join *j, size_t file, const char *name,
                        const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "netCDF: %.80s%s%.100s %.200s",
            *j->group || *name ? j->group : "the file",
            *j->group && *name ? "/" : "", name, what);
    cs_where(err, j->from[file].path, 0);
    cs_hint(err, j->n > 1 ? "give files of one model and its data"
                          : "--groups all converts the draws instead");
    return CS_INPUT;
}

/* Turns an error of the library into a status. */
static cs_status check(const join *j, size_t file, const char *name, int code,
                       cs_error *err)
{
    char text[120];
    snprintf(text, sizeof text, "cannot be copied: %.90s",
             code ? j->lib.nc_strerror(code) : "");
    return code ? refuse(j, file, name, text, err) : CS_OK;
}

/* ---- variables ---- */

static int find_dims(const join *j, int in, const int *id, variable *v)
{
    int code = NC_NOERR;
    v->chain_at = v->draw_at = -1;
    for (int d = 0; d < v->n_dims && code == NC_NOERR; d++) {
        code = j->lib.nc_inq_dim(in, id[d], v->dim[d], &v->length[d]);
        if (strcmp(v->dim[d], "chain") == 0)
            v->chain_at = d;
        if (strcmp(v->dim[d], "draw") == 0)
            v->draw_at = d;
    }
    return code;
}

static cs_status read_variable(const join *j, size_t file, int id, variable *v,
                               cs_error *err)
{
    int dim[NC_MAX_VAR_DIMS], in = j->in[file], class = 0;
    nc_type base;
    size_t members;
    char name[NC_MAX_NAME + 1];
    *v = (variable){.id = id, .number = true};
    int code = j->lib.nc_inq_var(in, id, v->name, &v->type, &v->n_dims, dim,
                                 &v->attributes);
    if (code == NC_NOERR && v->n_dims > DIMS)
        return refuse(j, file, v->name, "has more than 16 dimensions", err);
    if (code == NC_NOERR)
        code = find_dims(j, in, dim, v);
    if (code == NC_NOERR && v->type <= NC_MAX_ATOMIC_TYPE)
        code = j->lib.nc_inq_type(in, v->type, NULL, &v->bytes);
    else if (code == NC_NOERR) {
        code = j->lib.nc_inq_user_type(in, v->type, name, &v->bytes, &base,
                                       &members, &class);
        v->number = class == NC_ENUM;
    }
    return check(j, file, v->name, code, err);
}

/* Reads the variable of this name in another file. Everything but the numbers
 * of chains and draws must be the same. */
static cs_status read_other(const join *j, size_t file, const variable *first,
                            variable *v, cs_error *err)
{
    int id;
    if (j->lib.nc_inq_varid(j->in[file], first->name, &id) != NC_NOERR)
        return refuse(j, file, first->name,
                      "is missing, but the first file has it", err);
    cs_status status = read_variable(j, file, id, v, err);
    if (status)
        return status;
    bool same = v->n_dims == first->n_dims && v->bytes == first->bytes &&
                v->number == first->number &&
                (v->type > NC_MAX_ATOMIC_TYPE || v->type == first->type);
    for (int d = 0; same && d < v->n_dims; d++)
        same = strcmp(v->dim[d], first->dim[d]) == 0 &&
               (d == v->chain_at || d == v->draw_at ||
                v->length[d] == first->length[d]);
    return same ? CS_OK
                : refuse(j, file, v->name,
                         "has another type or shape than in the first file",
                         err);
}

/* ---- blocks of numbers ---- */

/* The part of a variable that is copied from one file. */
typedef struct part {
    size_t start[DIMS], count[DIMS], all;
    int outer; /* dimension along which the part is cut into blocks; -1: none */
    size_t rows;
} part;

/* Checks that the file is long enough for the numbers. Compression makes files
 * smaller by at most a factor of about 1000. */
static cs_status make_part(const join *j, size_t file, const variable *v,
                           size_t draws, part *p, cs_error *err)
{
    double all = 1;
    *p = (part){.all = 1, .outer = v->draw_at >= 0 ? v->draw_at : -1};
    for (int d = 0; d < v->n_dims; d++) {
        p->count[d] = d == v->draw_at ? draws : v->length[d];
        all *= (double)p->count[d];
        p->all *= p->count[d];
    }
    if (all * (double)v->bytes > 2000 * (double)j->from[file].size)
        return refuse(j, file, v->name, "is larger than the file", err);
    if (p->outer < 0 && v->n_dims)
        p->outer = 0;
    size_t length = p->outer < 0 ? 1 : p->count[p->outer];
    size_t row = length ? p->all / length : 0;
    p->rows = row ? NUMBERS / row : 1;
    p->rows = p->rows > length ? length : p->rows ? p->rows : 1;
    return CS_OK;
}

/* Sets the part's start and count to the next block of rows that starts at
 * `from`. Returns the number of its elements. */
static size_t set_block(part *p, size_t from, size_t rows)
{
    size_t n = 1;
    if (p->outer >= 0) {
        p->start[p->outer] = from;
        p->count[p->outer] = rows;
    }
    for (int d = 0; d < DIMS && p->count[d]; d++)
        n *= p->count[d];
    return n;
}

typedef cs_status each_block(const join *j, void *self, const part *p, size_t n,
                             void *numbers, cs_error *err);

/* Reads a part of a variable in blocks, and calls `each` for them. */
static cs_status read_part(const join *j, size_t file, const variable *v,
                           size_t draws, each_block *each, void *self,
                           cs_error *err)
{
    part p;
    cs_status status = make_part(j, file, v, draws, &p, err);
    if (status || p.all == 0)
        return status;
    size_t length = p.outer < 0 ? 1 : p.count[p.outer];
    void *numbers = cs_alloc(p.all / length * p.rows, v->bytes);
    if (!numbers)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", v->name);
    for (size_t from = 0; from < length && status == CS_OK; from += p.rows) {
        size_t rows = length - from < p.rows ? length - from : p.rows;
        size_t n = set_block(&p, from, rows);
        status = check(
            j, file, v->name,
            j->lib.nc_get_vara(j->in[file], v->id, p.start, p.count, numbers),
            err);
        if (status)
            break;
        status = each(j, self, &p, n, numbers, err);
        if (v->type == NC_STRING)
            j->lib.nc_free_string(n, numbers);
        if (status == CS_OK && cs_cancelled())
            status = cs_fail(err, CS_STOPPED, "while %s was copied",
                             j->from[file].path);
    }
    cs_free(numbers);
    return status;
}

/* ---- copying and comparing ---- */

typedef struct copy {
    const variable *v;
    int var;       /* id in the new file */
    size_t before; /* chains of the earlier files */
    size_t file;
} copy;

static cs_status put_block(const join *j, void *self, const part *p, size_t n,
                           void *numbers, cs_error *err)
{
    const copy *c = self;
    size_t start[DIMS];
    (void)n;
    memcpy(start, p->start, sizeof start);
    if (c->v->chain_at >= 0)
        start[c->v->chain_at] += c->before;
    return check(j, c->file, c->v->name,
                 j->lib.nc_put_vara(j->out, c->var, start, p->count, numbers),
                 err);
}

/* A variable without chains, compared with that of the first file. */
typedef struct comparison {
    const variable *first, *v;
    size_t file;
} comparison;

static cs_status compare_block(const join *j, void *self, const part *p,
                               size_t n, void *numbers, cs_error *err)
{
    const comparison *c = self;
    void *others = cs_alloc(n, c->v->bytes);
    if (!others)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", c->v->name);
    cs_status status = check(
        j, 0, c->first->name,
        j->lib.nc_get_vara(j->in[0], c->first->id, p->start, p->count, others),
        err);
    if (status == CS_OK) {
        bool same = true;
        char *const *a = numbers, *const *b = others;
        if (c->v->type == NC_STRING)
            for (size_t i = 0; i < n && same; i++)
                same = a[i] && b[i] ? strcmp(a[i], b[i]) == 0 : a[i] == b[i];
        else
            same = memcmp(numbers, others, n * c->v->bytes) == 0;
        if (c->v->type == NC_STRING)
            j->lib.nc_free_string(n, others);
        if (!same)
            status = refuse(j, c->file, c->v->name,
                            "differs from that of the first file", err);
    }
    cs_free(others);
    return status;
}

/* Writes 0, 1, ... as the coordinate of the joined chains. */
static cs_status number_chains(const join *j, const variable *v, int var,
                               size_t chains, cs_error *err)
{
    long long *at = cs_alloc(chains, sizeof *at);
    if (!at)
        return cs_fail(err, CS_MEMORY, "out of memory for the chains");
    for (size_t i = 0; i < chains; i++)
        at[i] = (long long)i;
    cs_status status =
        check(j, 0, v->name, j->lib.nc_put_var_longlong(j->out, var, at), err);
    cs_free(at);
    return status;
}

/* Copies the numbers of a variable from all files. */
static cs_status copy_numbers(const join *j, const variable *first, int var,
                              const size_t *length, cs_error *err)
{
    size_t draws = first->draw_at >= 0 ? length[first->draw_at] : 0;
    bool chains = first->chain_at >= 0;
    if (j->n > 1 && first->n_dims == 1 && chains &&
        strcmp(first->name, "chain") == 0)
        return number_chains(j, first, var, length[0], err);
    copy c = {.v = first, .var = var};
    cs_status status = read_part(j, 0, first, draws, put_block, &c, err);
    size_t before = chains ? first->length[first->chain_at] : 0;
    for (size_t f = 1; f < j->n && status == CS_OK; f++) {
        variable v;
        status = read_other(j, f, first, &v, err);
        copy more = {&v, var, before, f};
        comparison same = {first, &v, f};
        if (status == CS_OK)
            status =
                read_part(j, f, &v, draws, chains ? put_block : compare_block,
                          chains ? (void *)&more : (void *)&same, err);
        before += status == CS_OK && chains ? v.length[v.chain_at] : 0;
    }
    return status;
}

/* ---- definitions ---- */

/* Computes the length of a dimension in the new file. The files may have
 * different numbers of chains and draws. */
static cs_status join_length(const join *j, const char *name, size_t *length,
                             cs_error *err)
{
    for (size_t f = 0; f < j->n; f++) {
        int id;
        size_t n = 0;
        int code = j->lib.nc_inq_dimid(j->in[f], name, &id);
        if (code == NC_NOERR)
            code = j->lib.nc_inq_dimlen(j->in[f], id, &n);
        if (code)
            return check(j, f, name, code, err);
        if (f == 0)
            *length = n;
        else if (strcmp(name, "chain") == 0)
            *length += n;
        else if (strcmp(name, "draw") == 0)
            *length = n < *length ? n : *length;
        else if (n != *length)
            return refuse(j, f, name,
                          "has another length than in the first file", err);
    }
    return CS_OK;
}

/* Finds a dimension of the new file, or defines it. A group also sees the
 * dimensions of the file. */
static cs_status define_dim(const join *j, const char *name, int *id,
                            size_t *length, cs_error *err)
{
    size_t found = 0;
    cs_status status = join_length(j, name, length, err);
    if (status == CS_OK && j->lib.nc_inq_dimid(j->out, name, id) == NC_NOERR &&
        j->lib.nc_inq_dimlen(j->out, *id, &found) == NC_NOERR &&
        found == *length)
        return CS_OK;
    return status ? status
                  : check(j, 0, name,
                          j->lib.nc_def_dim(j->out, name, *length, id), err);
}

static cs_status define_dims(const join *j, cs_error *err)
{
    static int id[GROUP_DIMS];
    int n = 0, made, code = j->lib.nc_inq_dimids(j->in[0], &n, NULL, 0);
    if (code == NC_NOERR && n > GROUP_DIMS)
        return refuse(j, 0, "", "has more than 4096 dimensions", err);
    if (code == NC_NOERR)
        code = j->lib.nc_inq_dimids(j->in[0], &n, id, 0);
    cs_status status = check(j, 0, "", code, err);
    for (int d = 0; d < n && status == CS_OK; d++) {
        char name[NC_MAX_NAME + 1];
        size_t length;
        status = check(j, 0, "", j->lib.nc_inq_dim(j->in[0], id[d], name, NULL),
                       err);
        if (status == CS_OK)
            status = define_dim(j, name, &made, &length, err);
    }
    return status;
}

/* Copies the attributes of a variable or, for NC_GLOBAL, of the group. */
static int copy_attributes(const join *j, int var, int n, int to)
{
    int code = NC_NOERR;
    for (int i = 0; i < n && code == NC_NOERR; i++) {
        char name[NC_MAX_NAME + 1];
        code = j->lib.nc_inq_attname(j->in[0], var, i, name);
        if (code == NC_NOERR)
            code = j->lib.nc_copy_att(j->in[0], var, name, j->out, to);
    }
    return code;
}

/* Defines an enumeration, such as the boolean of h5py, in the group. */
static int define_enum(const join *j, const variable *v, nc_type *type)
{
    char name[NC_MAX_NAME + 1], member[NC_MAX_NAME + 1];
    size_t n;
    nc_type base;
    long long value;
    int class, code = j->lib.nc_inq_user_type(j->in[0], v->type, name, NULL,
                                              &base, &n, &class);
    if (code == NC_NOERR)
        code = j->lib.nc_def_enum(j->out, base, name, type);
    if (code == NC_ENAMEINUSE) /* an earlier variable has it */
        return j->lib.nc_inq_typeid(j->out, name, type);
    for (int i = 0; i < (int)n && code == NC_NOERR; i++) {
        code = j->lib.nc_inq_enum_member(j->in[0], v->type, i, member, &value);
        if (code == NC_NOERR)
            code = j->lib.nc_insert_enum(j->out, *type, member, &value);
    }
    return code;
}

static cs_status define_variable(const join *j, const variable *v,
                                 size_t *length, int *var, cs_error *err)
{
    int dim[DIMS], shuffle = 0, deflate = 0, level = 0, code = NC_NOERR;
    nc_type type = v->type;
    for (int d = 0; d < v->n_dims; d++) {
        cs_status status = define_dim(j, v->dim[d], &dim[d], &length[d], err);
        if (status)
            return status;
    }
    if (type > NC_MAX_ATOMIC_TYPE)
        code = define_enum(j, v, &type);
    if (code == NC_NOERR)
        code = j->lib.nc_def_var(j->out, v->name, type, v->n_dims, dim, var);
    if (code == NC_NOERR && v->n_dims && type != NC_STRING &&
        j->lib.nc_inq_var_deflate(j->in[0], v->id, &shuffle, &deflate,
                                  &level) == NC_NOERR &&
        deflate)
        code = j->lib.nc_def_var_deflate(j->out, *var, shuffle, 1, level);
    if (code == NC_NOERR)
        code = copy_attributes(j, v->id, v->attributes, *var);
    return check(j, 0, v->name, code, err);
}

static cs_status copy_variable(const join *j, int id, cs_error *err)
{
    variable v;
    size_t length[DIMS], n = strlen(j->done->left);
    int var;
    cs_status status = read_variable(j, 0, id, &v, err);
    if (status == CS_OK && !v.number) {
        snprintf(j->done->left + n, sizeof j->done->left - n, "%s%.80s/%.100s",
                 n ? ", " : "", j->group, v.name);
        return CS_OK;
    }
    if (status == CS_OK)
        status = define_variable(j, &v, length, &var, err);
    return status ? status : copy_numbers(j, &v, var, length, err);
}

/* ---- groups and files ---- */

/* Copies the group j->in to j->out. */
static cs_status copy_group(const join *j, cs_error *err)
{
    int n = 0, attributes = 0;
    cs_status status = define_dims(j, err);
    int code = status ? NC_NOERR : j->lib.nc_inq_natts(j->in[0], &attributes);
    if (status == CS_OK && code == NC_NOERR)
        code = copy_attributes(j, NC_GLOBAL, attributes, NC_GLOBAL);
    if (code == NC_NOERR)
        code = j->lib.nc_inq_nvars(j->in[0], &n);
    int *id = cs_alloc((size_t)n + 1, sizeof *id);
    if (status == CS_OK && !id)
        status = cs_fail(err, CS_MEMORY, "out of memory for the variables");
    if (status == CS_OK && code == NC_NOERR)
        code = j->lib.nc_inq_varids(j->in[0], &n, id);
    if (status == CS_OK)
        status = check(j, 0, "", code, err);
    for (int i = 0; i < n && status == CS_OK; i++)
        status = copy_variable(j, id[i], err);
    cs_free(id);
    return status;
}

/* Counts the chains and draws of the group posterior. */
static cs_status count_draws(const join *j, cs_error *err)
{
    int id;
    size_t chains = 0, draws = 0, one;
    cs_status status = join_length(j, "chain", &chains, err);
    if (status == CS_OK)
        status = join_length(j, "draw", &draws, err);
    for (size_t f = 0; f < j->n && status == CS_OK; f++)
        if (j->lib.nc_inq_dimid(j->in[f], "draw", &id) == NC_NOERR &&
            j->lib.nc_inq_dimlen(j->in[f], id, &one) == NC_NOERR &&
            one > j->done->most)
            j->done->most = one;
    j->done->chains = chains;
    j->done->draws = draws;
    return status;
}

static cs_status copy_tree(join *j, size_t depth, cs_error *err);

/* Copies the group `id` of the first file, which is in the current group. */
static cs_status copy_named(join *j, int id, size_t depth, cs_error *err)
{
    char name[NC_MAX_NAME + 1], path[PATH];
    const char *group = j->group;
    const int out = j->out;
    int in[FILES];
    size_t n = strlen(j->done->groups);
    cs_status status =
        check(j, 0, "a group", j->lib.nc_inq_grpname(id, name), err);
    if (status)
        return status;
    if (depth > DEPTH || ++j->groups > GROUPS)
        return refuse(j, 0, name,
                      depth > DEPTH ? "is in more than 16 groups"
                                    : "is one of more than 1024 groups",
                      err);
    snprintf(path, sizeof path, "%s%s%s", group, *group ? "/" : "", name);
    memcpy(in, j->in, sizeof in);
    j->group = path;
    for (size_t f = 0; f < j->n && status == CS_OK; f++)
        if (j->lib.nc_inq_ncid(in[f], name, &j->in[f]) != NC_NOERR)
            status =
                refuse(j, f, "", "is missing, but the first file has it", err);
    if (status == CS_OK)
        status = check(j, 0, "", j->lib.nc_def_grp(out, name, &j->out), err);
    snprintf(j->done->groups + n, sizeof j->done->groups - n, "%s%.60s",
             n ? ", " : "", path);
    if (status == CS_OK)
        status = copy_tree(j, depth, err);
    memcpy(j->in, in, sizeof in);
    j->out = out;
    j->group = group;
    return status;
}

/* Copies the current group and the groups in it. `depth` is the number of
 * groups in its path. */
static cs_status copy_tree(join *j, size_t depth, cs_error *err)
{
    int n = 0, others = 0;
    cs_status status =
        check(j, 0, "", j->lib.nc_inq_grps(j->in[0], &n, NULL), err);
    for (size_t f = 1; f < j->n && status == CS_OK; f++)
        if (j->lib.nc_inq_grps(j->in[f], &others, NULL) != NC_NOERR ||
            others != n)
            status =
                refuse(j, f, "", "has other groups than the first file", err);
    int *id = cs_alloc((size_t)n + 1, sizeof *id);
    if (status == CS_OK && !id)
        status = cs_fail(err, CS_MEMORY, "out of memory for the groups");
    if (status == CS_OK)
        status = check(j, 0, "", j->lib.nc_inq_grps(j->in[0], &n, id), err);
    if (status == CS_OK)
        status = copy_group(j, err);
    if (status == CS_OK && strcmp(j->group, "posterior") == 0)
        status = count_draws(j, err);
    for (int i = 0; i < n && status == CS_OK; i++)
        status = copy_named(j, id[i], depth + 1, err);
    cs_free(id);
    return status;
}

static cs_status write_new(join *j, const char *path, cs_error *err)
{
    int file;
    int code = j->lib.nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file);
    if (code)
        return cs_fail(err, CS_IO, "netCDF: %s: %s", path,
                       j->lib.nc_strerror(code));
    for (size_t f = 0; f < j->n; f++)
        j->in[f] = j->from[f].file;
    j->out = file;
    cs_status status = copy_tree(j, 0, err);
    code = j->lib.nc_close(file);
    if (status == CS_OK && code)
        status = cs_fail(err, CS_IO, "netCDF: %s: %s", path,
                         j->lib.nc_strerror(code));
    return status;
}

/* Opens the files. Sets j->done->known to false at the first file without a
 * group posterior. */
static cs_status open_all(join *j, const char *const *path, cs_error *err)
{
    j->done->known = true;
    for (size_t f = 0; f < j->n && j->done->known; f++) {
        int posterior;
        source *s = &j->from[f];
        s->path = path[f];
        cs_status status = cs_netcdf_check_size(path[f], err);
        int fd = status ? -1 : cs_open_read(path[f], &s->size);
        if (fd >= 0)
            close(fd);
        if (status == CS_OK)
            status = check(j, f, "the file",
                           j->lib.nc_open(path[f], NC_NOWRITE, &s->file), err);
        if (status)
            return status;
        j->opened++;
        j->done->known =
            j->lib.nc_inq_ncid(s->file, "posterior", &posterior) == NC_NOERR;
    }
    return CS_OK;
}

static cs_status write_joined(join *j, const char *out, cs_error *err)
{
    cs_replace r;
    cs_status status = cs_file_must_be_new(out, err);
    if (status == CS_OK)
        status = cs_replace_begin(&r, out, err);
    if (status)
        return status;
    if (r.through) {
        status = cs_fail(err, CS_INPUT, "%s is not a regular file", out);
        cs_hint(err, "netCDF needs a regular file");
    } else
        status = write_new(j, r.beside, err);
    if (status == CS_OK)
        return cs_replace_end(&r, true, err);
    cs_replace_end(&r, false, NULL);
    return status;
}

cs_status cs_netcdf_join(const char *const *path, size_t n, const char *out,
                         cs_joined *done, cs_error *err)
{
    *done = (cs_joined){.known = false};
    if (n == 0 || n > FILES)
        return CS_OK;
    join *j = cs_alloc(1, sizeof *j);
    if (!j)
        return cs_fail(err, CS_MEMORY, "out of memory for the files");
    *j = (join){.n = n, .group = "", .done = done};
    cs_status status = cs_netcdf_load(&j->lib, err);
    if (status == CS_OK)
        status = open_all(j, path, err);
    if (status == CS_OK && done->known)
        status = write_joined(j, out, err);
    for (size_t f = 0; f < j->opened; f++)
        j->lib.nc_close(j->from[f].file);
    cs_netcdf_unload(&j->lib);
    cs_free(j);
    return status;
}

#else

cs_status cs_netcdf_join(const char *const *path, size_t n, const char *out,
                         cs_joined *done, cs_error *err)
{
    (void)path, (void)n, (void)out, (void)err;
    *done = (cs_joined){.known = false};
    return CS_OK;
}

#endif
