/* Tables of principal components in scripts. The components are computed from
 * images, or from rows with two or more classes. Only the training rows
 * determine the directions. Held-out rows are projected on these directions. */
#include "base/memory.h"
#include "learn/images.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/value.h"
#include "stat/principal.h"

#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.principal";

enum {
    IMAGES,
    LABELS,
    HELD_OUT_IMAGES,
    HELD_OUT_LABELS,
    TABLE,
    HELD_OUT_TABLE,
    CLASSES,
    COMPONENTS,
    MOST,
    N_ROWS
};

#define FILE_OF(field, text)                                                   \
    {                                                                          \
        .name = field, .kind = CS_PARAM_TEXT, .flags = CS_PARAM_PATH,          \
        .help = text                                                           \
    }

static const cs_param rows[N_ROWS] = {
    [IMAGES] = FILE_OF("images", "an IDX file of images, plain or gzipped: "
                                 "each pixel is a column, 0 to 1"),
    [LABELS] = FILE_OF("labels", "an IDX file of the labels of the images"),
    [HELD_OUT_IMAGES] = FILE_OF("held_out_images", "held-out images"),
    [HELD_OUT_LABELS] =
        FILE_OF("held_out_labels", "labels of the held-out images"),
    [TABLE] = {.name = "table",
               .kind = CS_PARAM_ARRAY,
               .help = "instead of images, rows of numbers whose last number "
                       "is the class: a list of lists"},
    [HELD_OUT_TABLE] = {.name = "held_out_table",
                        .kind = CS_PARAM_ARRAY,
                        .help = "held-out rows"},
    [CLASSES] = {.name = "classes",
                 .kind = CS_PARAM_ARRAY,
                 .flags = CS_PARAM_REQUIRED,
                 .help =
                     "the classes that are used, for example {3, 5}; the first "
                     "becomes class 0, the second class 1, and so on"},
    [COMPONENTS] = {.name = "components",
                    .kind = CS_PARAM_INT,
                    CS_PARAM_RANGE(1, CS_PRINCIPAL_COLUMNS, 50),
                    .help = "number of directions of largest variance"},
    [MOST] = {.name = "most",
              .kind = CS_PARAM_INT,
              CS_PARAM_RANGE(2, 4294967295.0, 4294967295.0),
              .help = "maximum number of training rows in the chosen classes "
                      "(all held-out rows are used)"},
};

enum { CLASSES_MOST = 256 };

/* A set of training or held-out rows: images, or the rows of a matrix whose
 * last column is the class. */
typedef struct set {
    const char *name; /* name in error messages */
    cs_images images;
    const double *x; /* [n][cols + 1] borrowed from Lua; NULL: images */
    size_t cols;
    size_t n;   /* number of rows used */
    size_t *at; /* [n] indices of the rows used [own] */
    double *y;  /* [n] classes of the rows used, from 0 [own] */
} set;

/* Memory that one call allocates. The garbage collector frees it, even after
 * errors. */
typedef struct holder {
    set learn, held_out;
    cs_principal found;
    double *row, *score; /* row[cols], score[components] [own] */
} holder;

static void free_set(set *s)
{
    cs_images_free(&s->images);
    cs_free(s->at);
    cs_free(s->y);
    s->at = NULL;
    s->y = NULL;
}

static int collect(lua_State *L)
{
    holder *h = luaL_checkudata(L, 1, meta);
    free_set(&h->learn);
    free_set(&h->held_out);
    cs_principal_free(&h->found);
    cs_free(h->row);
    cs_free(h->score);
    h->row = h->score = NULL;
    return 0;
}

static holder *hold(lua_State *L)
{
    holder *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (holder){0};
    luaL_setmetatable(L, meta);
    return h;
}

/* ---- rows ---------------------------------------------------------------- */

static size_t all_rows(const set *s, const cs_value *table)
{
    return s->x ? table->rows : s->images.n;
}

static double label_of(const set *s, size_t i)
{
    return s->x ? s->x[i * (s->cols + 1) + s->cols]
                : (double)s->images.label[i];
}

/* Copies row number i of the rows used to x[cols]. */
static void take_row(const void *self, size_t i, double *x)
{
    const set *s = self;
    if (s->x) {
        memcpy(x, s->x + s->at[i] * (s->cols + 1), s->cols * sizeof *x);
        return;
    }
    const unsigned char *level = s->images.level + s->at[i] * s->cols;
    for (size_t j = 0; j < s->cols; j++)
        x[j] = level[j] / 255.0;
}

/* Returns the index of a label among the classes, or the number of classes if
 * the label is not a class. */
static size_t class_of(const cs_value *list, double label)
{
    size_t k = 0, classes = list->rows * list->cols;
    while (k < classes && list->array[k] != label)
        k++;
    return k;
}

static void check_row(lua_State *L, const set *s, size_t i)
{
    for (size_t j = 0; s->x && j < s->cols; j++)
        if (!isfinite(s->x[i * (s->cols + 1) + j]))
            cs_script_fail(L,
                           "'%s' has a number that is not finite in row %d: "
                           "leave such rows out",
                           s->name, (int)i + 1);
}

/* Selects at most `most` rows that belong to the classes. */
static void choose_rows(lua_State *L, set *s, const cs_value *v,
                        const cs_value *table, size_t most)
{
    size_t all = all_rows(s, table),
           classes = v[CLASSES].rows * v[CLASSES].cols;
    size_t count[CLASSES_MOST] = {0};
    s->at = cs_alloc(all, sizeof *s->at);
    s->y = cs_alloc(all, sizeof *s->y);
    if (!s->at || !s->y)
        luaL_error(L, "out of memory for the chosen rows");
    for (size_t i = 0; i < all && s->n < most; i++) {
        size_t k = class_of(&v[CLASSES], label_of(s, i));
        if (k == classes)
            continue;
        check_row(L, s, i);
        s->at[s->n] = i;
        s->y[s->n++] = (double)k;
        count[k]++;
    }
    for (size_t k = 0; k < classes; k++)
        if (!count[k])
            cs_script_fail(L,
                           "'%s' has no row of class %.14g: give classes that "
                           "occur in the labels",
                           s->name, v[CLASSES].array[k]);
}

static void read_images(lua_State *L, set *s, const cs_value *images,
                        const cs_value *labels)
{
    const cs_images_wanted wanted = {.images = images->text,
                                     .labels = labels->text};
    cs_error err = {0};
    if (!labels->given)
        cs_script_fail(
            L, "'%s' is given without '%s': add the IDX file of the classes",
            images->name, labels->name);
    if (cs_images_read(&s->images, &wanted, &err))
        cs_script_raise(L, &err);
    s->name = images->name;
    s->cols = s->images.rows * s->images.cols;
}

/* Reads a set from the fields that define it; returns false if no field defines
 * a set. */
static bool read_set(lua_State *L, set *s, const cs_value *v,
                     const cs_value *images, const cs_value *labels,
                     const cs_value *table, size_t most)
{
    if (images->given && table->given)
        cs_script_fail(L, "both '%s' and '%s' are given: leave one out",
                       images->name, table->name);
    if (labels->given && !images->given)
        cs_script_fail(L, "'%s' is given without '%s'", labels->name,
                       images->name);
    if (images->given) {
        read_images(L, s, images, labels);
    } else if (table->given) {
        s->x = table->array;
        s->cols = table->cols - 1;
        s->name = table->name;
        if (!s->cols)
            cs_script_fail(L,
                           "'%s' has one column: give numbers and then the "
                           "class in each row",
                           s->name);
    } else {
        return false;
    }
    choose_rows(L, s, v, table, most);
    return true;
}

/* ---- results ------------------------------------------------------------- */

/* Sets field `name` of the table on top of the stack to a list of rows. Each
 * row is a list that consists of the scores and then the class. */
static void set_table(lua_State *L, const char *name, const holder *h,
                      const set *s)
{
    size_t k = h->found.components;
    lua_createtable(L, (int)s->n, 0);
    for (size_t i = 0; i < s->n; i++) {
        take_row(s, i, h->row);
        cs_principal_score(&h->found, h->row, h->score);
        lua_createtable(L, (int)k + 1, 0);
        for (size_t j = 0; j <= k; j++) {
            lua_pushnumber(L, j < k ? h->score[j] : s->y[i]);
            lua_rawseti(L, -2, (lua_Integer)j + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, name);
}

static void check_classes(lua_State *L, const cs_value *list)
{
    size_t n = list->rows * list->cols;
    if (n < 1 || n > CLASSES_MOST)
        cs_script_fail(L, "'classes' has %d entries, but must have 1 to %d",
                       (int)n, CLASSES_MOST);
    for (size_t k = 0; k < n; k++)
        if (class_of(list, list->array[k]) != k)
            cs_script_fail(
                L,
                "'classes' has %.14g twice, or an entry that is not a number",
                list->array[k]);
}

/* principal_components(fields): returns {table =, held_out_table =, variance =,
 * total =}. */
static int principal_components(lua_State *L)
{
    cs_value v[N_ROWS];
    cs_error err = {0};
    size_t given;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    cs_value *values = cs_script_values(L, 1, NULL, &given);
    cs_script_resolve_paths(L, rows, N_ROWS, values, given);
    if (cs_params_resolve("cs.principal_components", rows, N_ROWS, values,
                          given, v, &err))
        return cs_script_raise(L, &err);
    check_classes(L, &v[CLASSES]);
    holder *h = hold(L);
    if (!read_set(L, &h->learn, v, &v[IMAGES], &v[LABELS], &v[TABLE],
                  (size_t)v[MOST].number))
        return cs_script_fail(
            L, "there are no data: give 'images' and 'labels', or 'table'");
    bool more = read_set(L, &h->held_out, v, &v[HELD_OUT_IMAGES],
                         &v[HELD_OUT_LABELS], &v[HELD_OUT_TABLE], SIZE_MAX);
    size_t cols = h->learn.cols, k = (size_t)v[COMPONENTS].number;
    if (more && h->held_out.cols != cols)
        return cs_script_fail(
            L,
            "'%s' has %d columns, but '%s' has %d: give both the same number",
            h->learn.name, (int)cols, h->held_out.name, (int)h->held_out.cols);
    const cs_row_source from = {h->learn.n, cols, take_row, &h->learn};
    if (cs_principal_fit(&h->found, &from, k, &err))
        return cs_script_raise(L, &err);
    h->row = cs_alloc(cols, sizeof *h->row);
    h->score = cs_alloc(k, sizeof *h->score);
    if (!h->row || !h->score)
        return luaL_error(L, "out of memory for principal components");
    lua_newtable(L);
    set_table(L, "table", h, &h->learn);
    if (more)
        set_table(L, "held_out_table", h, &h->held_out);
    cs_script_set_list(L, "variance", h->found.variance, k);
    cs_script_set_number(L, "total", h->found.total);
    return 1;
}

void cs_script_open_principal(lua_State *L)
{
    static const luaL_Reg held[] = {{"__gc", collect}, {NULL, NULL}};
    cs_script_class(L, meta, "rows", held);
    cs_script_set_function(L, "principal_components", principal_components);
    cs_script_push_rows(L, rows, N_ROWS);
    lua_setfield(L, -2, "principal_rows");
}
