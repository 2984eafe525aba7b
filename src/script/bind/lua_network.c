/* Networks in scripts: creation, training on images or on the draws of an arm,
 * classification and reconstruction. */

#include "base/memory.h"
#include "io/resample.h"
#include "learn/images.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/views/view.h"
#include "script/bind/lua_run.h"
#include "script/bind/luaopen.h"
#include "script/state/path.h"
#include "script/state/state.h"
#include "script/state/value.h"
#include "stat/weighted.h"

#include <math.h>
#include <string.h>

static const char meta[] = "chainscope.network";

/* Memory that one call allocates. The garbage collector frees it, even after
 * errors. */
typedef struct holder {
    cs_images images;
    double *draws; /* [own] */
} holder;

static const char holder_meta[] = "chainscope.network.holder";

/* ---- rows ---------------------------------------------------------------- */

enum { UNITS, SEED, FILE_, NEW_ROWS };
static const cs_param new_rows[NEW_ROWS] = {
    [UNITS] = {.name = "units",
               .kind = CS_PARAM_ARRAY,
               .help = "inputs, units of each hidden layer, outputs"},
    [SEED] = {.name = "seed",
              .kind = CS_PARAM_INT,
              CS_PARAM_RANGE(0, 1e9, 1),
              .help = "seed of the network's initial weights"},
    [FILE_] = {.name = "file",
               .kind = CS_PARAM_TEXT,
               .flags = CS_PARAM_PATH,
               .help = "path of a saved network (text, optionally gzipped), "
                       "which is loaded instead of creating a new network"},
};

static const char *const corruptions[] = {"not", "noise", "square", NULL};

enum {
    IMAGES,
    LABELS,
    FIRST,
    COUNT,
    LAST,
    CHAIN,
    BINARY,
    LOOK_ROWS,
    EPOCHS = LOOK_ROWS,
    BATCH,
    RATE,
    ORDER_SEED,
    TRAIN_ROWS,
    CORRUPTION = LOOK_ROWS,
    CLEAN,
    NOISE_SEED,
    REPEAT_ROWS
};

#define LOOK                                                                   \
    [IMAGES] = {.name = "images",                                              \
                .kind = CS_PARAM_TEXT,                                         \
                .flags = CS_PARAM_PATH,                                        \
                .help = "path of an IDX file of images; without it, the "      \
                        "images are the draws of the arm"},                    \
    [LABELS] = {.name = "labels",                                              \
                .kind = CS_PARAM_TEXT,                                         \
                .flags = CS_PARAM_PATH,                                        \
                .help = "path of an IDX file of the labels of the images"},    \
    [FIRST] = {.name = "first",                                                \
               .kind = CS_PARAM_INT,                                           \
               .min = 1,                                                       \
               .max = 1e9,                                                     \
               .def = 1,                                                       \
               .help = "index of the first image"},                            \
    [COUNT] = {.name = "count",                                                \
               .kind = CS_PARAM_INT,                                           \
               .min = 0,                                                       \
               .max = 1e9,                                                     \
               .def = 0,                                                       \
               .help = "number of images; 0: all"},                            \
    [LAST] = {.name = "last",                                                  \
              .kind = CS_PARAM_INT,                                            \
              .min = 0,                                                        \
              .max = 1e9,                                                      \
              .def = 0,                                                        \
              .help = "for an arm: number of draws per chain, counted from "   \
                      "the end; 0: all draws"},                                \
    [CHAIN] = {.name = "chain",                                                \
               .kind = CS_PARAM_INT,                                           \
               .min = 0,                                                       \
               .max = 1e9,                                                     \
               .def = 0,                                                       \
               .help = "for an arm: index of the chain whose draws are "       \
                       "used; 0: all chains"},                                 \
    [BINARY] = {.name = "binary",                                              \
                .kind = CS_PARAM_BOOL,                                         \
                .min = 0,                                                      \
                .max = 1,                                                      \
                .def = 0,                                                      \
                .help = "true: round each pixel to black or white, "           \
                        "whichever is nearer"}

static const cs_param look_rows[LOOK_ROWS] = {LOOK};
static const cs_param train_rows[TRAIN_ROWS] = {
    LOOK,
    [EPOCHS] = {.name = "epochs",
                .kind = CS_PARAM_INT,
                CS_PARAM_RANGE(1, 1e6, 10),
                .help = "passes over the images"},
    [BATCH] = {.name = "batch",
               .kind = CS_PARAM_INT,
               CS_PARAM_RANGE(1, 4096, 64),
               .help = "images per step"},
    [RATE] = {.name = "rate",
              .kind = CS_PARAM_REAL,
              CS_PARAM_RANGE(1e-9, 10, 1e-3),
              .help = "learning rate",
              .ref = "Kingma and Ba, Adam, 2015"},
    [ORDER_SEED] = {.name = "seed",
                    .kind = CS_PARAM_INT,
                    CS_PARAM_RANGE(0, 1e9, 1),
                    .help = "seed of the order of images"},
};
static const cs_param repeat_rows[REPEAT_ROWS] = {
    LOOK,
    [CORRUPTION] = {.name = "corruption",
                    .kind = CS_PARAM_CHOICE,
                    .max = CS_CORRUPTIONS - 1,
                    .choices = corruptions,
                    .help = "corruption of the input images. noise: normal "
                            "noise with standard deviation 0.1; square: a "
                            "square with side 5 to 10 that is set to 0"},
    [CLEAN] = {.name = "clean",
               .kind = CS_PARAM_BOOL,
               .max = 1,
               .help = "true: compare the outputs with the original images "
                       "instead of the corrupted images"},
    [NOISE_SEED] = {.name = "seed",
                    .kind = CS_PARAM_INT,
                    .max = 1e9,
                    .def = 1,
                    .help = "seed of the corruption"},
};

/* ---- arguments ----------------------------------------------------------- */

static int collect(lua_State *L)
{
    cs_network_free(luaL_checkudata(L, 1, meta));
    return 0;
}

static int drop(lua_State *L)
{
    holder *h = luaL_checkudata(L, 1, holder_meta);
    cs_images_free(&h->images);
    cs_free(h->draws);
    h->draws = NULL;
    return 0;
}

static holder *hold(lua_State *L)
{
    holder *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (holder){0};
    luaL_setmetatable(L, holder_meta);
    return h;
}

/* Reads the fields of the table at `index` in the order of the parameters.
 * Pushes a value that owns the strings. */
static void resolve(lua_State *L, int index, const char *what,
                    const cs_param *rows, size_t n, cs_value *out)
{
    size_t given;
    cs_error err = {0};
    luaL_checktype(L, index, LUA_TTABLE);
    cs_value *values = cs_script_values(L, index, NULL, &given);
    cs_script_resolve_paths(L, rows, n, values, given);
    if (cs_params_resolve(what, rows, n, values, given, out, &err))
        cs_script_raise(L, &err);
}

/* Resamples the rows x[n][pixels] in place. Before the call the rows have the
 * weights w; after the call they have equal weights. Returns false if out of
 * memory, or if a log weight is not a number. */
static bool even_out(const cs_run *run, double *x, const double *w, size_t n,
                     size_t pixels)
{
    double u = cs_resample_uniform(cs_run_seed(run), cs_run_steps(run), 0);
    double *all = cs_alloc(n * pixels, sizeof *all);
    size_t *from = cs_alloc(n, sizeof *from);
    bool good = all && from && cs_resample_systematic(w, n, u, n, from);
    if (good)
        memcpy(all, x, n * pixels * sizeof *x);
    for (size_t i = 0; good && i < n; i++)
        memcpy(x + i * pixels, all + from[i] * pixels, pixels * sizeof *x);
    cs_free(all);
    cs_free(from);
    return good;
}

/* Reads the stored draws of an arm. The run is at stack index `index`, the
 * arm's number at `index` + 1. If `only` is not 0, reads only chain number
 * `only` (from 1). If `last` is not 0, reads only the last `last` draws of each
 * chain. Weighted draws are resampled; all chains then have the same weight. */
static void take_draws(lua_State *L, int index, size_t last, size_t only,
                       holder *h)
{
    cs_run *run = cs_script_to_run(L, index);
    size_t arm = cs_script_check_arm(L, run, index + 1), total = 0, done = 0;
    size_t pixels = cs_target_shown(cs_run_target(run));
    size_t cols = 1 + pixels + cs_run_aux(run, arm);
    size_t chains = cs_run_arm(run, arm).chains, most = 0;
    size_t from = only ? only - 1 : 0, to = only ? only : chains;
    uint64_t every;
    cs_error err = {0};
    if (to > chains)
        cs_script_fail(L, "'chain' is %d, but the arm has %d chains", (int)only,
                       (int)chains);
    for (size_t c = from; c < to; c++) {
        size_t n = cs_run_draws(run, arm, c, NULL, &every);
        most = n > most ? n : most;
        total += last && last < n ? last : n;
    }
    if (!total)
        cs_script_fail(L, "the arm has no draws yet: run it first");
    h->draws =
        cs_alloc(most * (cols + 1) + total * (pixels + 1), sizeof *h->draws);
    double *x = h->draws ? h->draws + most * cols : NULL;
    double *log_w = x ? x + total * pixels : NULL,
           *w = log_w ? log_w + most : NULL;
    bool good = x != NULL;
    for (size_t c = from; x && c < to; c++) {
        size_t n = cs_run_weighed_draws(run, arm, c, h->draws, log_w, &every);
        size_t skip = last && last < n ? n - last : 0;
        for (size_t i = skip; i < n; i++)
            memcpy(x + (done + i - skip) * pixels, h->draws + i * cols + 1,
                   pixels * sizeof *x);
        if (n)
            good &= cs_weights_of_chains(log_w + skip, 1, n - skip, w + done);
        done += n - skip;
    }
    if (good && cs_run_weighs(run, arm))
        good = even_out(run, x, w, total, pixels);
    cs_status s = good ? cs_images_from(&h->images, x, total, pixels, &err)
                       : cs_fail(&err, CS_MEMORY,
                                 "out of memory for images, or a log weight is "
                                 "not a number");
    cs_free(h->draws);
    h->draws = NULL;
    if (s)
        cs_script_raise(L, &err);
}

/* Reads the images that the parameters LOOK select. If the parameters name a
 * file, reads that file; otherwise takes the draws of an arm of the run at
 * stack index `run`. Pushes the owner of the images. */
static cs_images *look(lua_State *L, const cs_value *v, int run)
{
    holder *h = hold(L);
    const cs_images_wanted wanted = {
        .images = v[IMAGES].text,
        .labels = v[LABELS].given ? v[LABELS].text : NULL,
        .first = (size_t)v[FIRST].number - 1,
        .count = (size_t)v[COUNT].number,
        .binary = v[BINARY].number != 0,
    };
    cs_error err = {0};
    if (!v[IMAGES].given && lua_isnoneornil(L, run))
        cs_script_fail(L, "there are no images: give 'images' (an IDX file), "
                          "or an arm with draws");
    if (!v[IMAGES].given && (v[LABELS].given || v[BINARY].number != 0 ||
                             wanted.first || wanted.count))
        cs_script_fail(L, "'labels', 'first', 'count' and 'binary' apply to "
                          "images in a file, not to draws of an arm");
    if (v[IMAGES].given && (v[LAST].given || v[CHAIN].given))
        cs_script_fail(L, "'last' and 'chain' apply to draws of an arm: for "
                          "images in a file give 'first' and 'count'");
    if (!v[IMAGES].given)
        take_draws(L, run, (size_t)v[LAST].number, (size_t)v[CHAIN].number, h);
    else if (cs_images_read(&h->images, &wanted, &err))
        cs_script_raise(L, &err);
    return &h->images;
}

/* ---- Lua functions ----------------------------------------------------- */

static cs_status make(cs_network *net, const cs_value *v, cs_error *err)
{
    size_t unit[CS_NETWORK_LAYERS + 1], n = v[UNITS].rows * v[UNITS].cols;
    if (v[FILE_].given)
        return cs_network_read(net, v[FILE_].text, err);
    if (!v[UNITS].given || n > CS_NETWORK_LAYERS + 1) {
        cs_fail(err, CS_INPUT, "the network has neither 'units' nor 'file'");
        cs_hint(err,
                "give units = {784, 64, 10} with up to %d numbers, or a "
                "file",
                CS_NETWORK_LAYERS + 1);
        return CS_INPUT;
    }
    for (size_t k = 0; k < n; k++) {
        double size = v[UNITS].array[k];
        if (!(size >= 1 && size <= CS_NETWORK_UNITS && size == floor(size))) {
            cs_fail(err, CS_RANGE, "network: invalid number of units %.14g",
                    size);
            cs_hint(err, "give whole numbers between 1 and %d",
                    CS_NETWORK_UNITS);
            return CS_RANGE;
        }
        unit[k] = (size_t)size;
    }
    return cs_network_create(net, unit, n, (uint64_t)v[SEED].number, err);
}

/* network_new(fields): returns a network. */
static int network_new(lua_State *L)
{
    cs_value v[NEW_ROWS];
    cs_error err = {0};
    resolve(L, 1, "network", new_rows, NEW_ROWS, v);
    cs_network *net = lua_newuserdatauv(L, sizeof *net, 0);
    *net = (cs_network){0};
    luaL_setmetatable(L, meta);
    if (make(net, v, &err))
        return cs_script_raise(L, &err);
    return 1;
}

/* Returns true while the script's limits allow Lua to continue; otherwise
 * training stops. */
static bool go_on(void *self, double done, double loss)
{
    (void)done;
    (void)loss;
    return !cs_script_is_over(cs_script_of(self));
}

/* network_train(net, fields[, run, arm]): returns the loss of the last
 * epoch. */
static int network_train(lua_State *L)
{
    cs_network *net = luaL_checkudata(L, 1, meta);
    cs_value v[TRAIN_ROWS];
    cs_error err = {0};
    double loss = 0;
    lua_settop(L, 4);
    resolve(L, 2, "train", train_rows, TRAIN_ROWS, v);
    cs_images *images = look(L, v, 3);
    const cs_examples examples = cs_images_examples(images);
    const cs_training how = {
        .loss = images->label ? CS_LOSS_ENTROPY : CS_LOSS_SQUARED,
        .epochs = (size_t)v[EPOCHS].number,
        .batch = (size_t)v[BATCH].number,
        .rate = v[RATE].number,
        .seed = (uint64_t)v[ORDER_SEED].number,
        .go_on = go_on,
        .self = L,
    };
    if (cs_images_fit(images, net, &err) ||
        cs_network_train(net, &examples, &how, &loss, &err))
        return cs_script_raise(L, &err);
    lua_pushnumber(L, loss);
    return 1;
}

/* network_classify(net, fields[, run, arm]): returns the number of images that
 * the network assigns to each class, and the share of images whose class is
 * correct. The share is nil if the images have no labels. */
static int network_classify(lua_State *L)
{
    cs_network *net = luaL_checkudata(L, 1, meta);
    cs_value v[LOOK_ROWS];
    cs_error err = {0};
    size_t right, classes = net->unit[net->layers];
    lua_settop(L, 4);
    resolve(L, 2, "classify", look_rows, LOOK_ROWS, v);
    cs_images *images = look(L, v, 3);
    size_t *count = lua_newuserdatauv(L, classes * sizeof *count, 0);
    bool labelled = images->label;
    if (net->unit[0] != images->rows * images->cols || labelled) {
        if (cs_images_fit(images, net, &err))
            return cs_script_raise(L, &err);
    }
    if (cs_images_classify(images, net, count, &right, &err))
        return cs_script_raise(L, &err);
    lua_createtable(L, (int)classes, 0);
    for (size_t k = 0; k < classes; k++) {
        lua_pushinteger(L, (lua_Integer)count[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    if (!labelled)
        return 1;
    lua_pushnumber(L, (double)right / (double)images->n);
    return 2;
}

/* network_reconstruct(net, fields[, run, arm]): returns {mse=, psnr=, ssim=,
 * lift=}. */
static int network_reconstruct(lua_State *L)
{
    cs_network *net = luaL_checkudata(L, 1, meta);
    cs_value v[REPEAT_ROWS];
    cs_error err = {0};
    cs_likeness like;
    lua_settop(L, 4);
    resolve(L, 2, "reconstruct", repeat_rows, REPEAT_ROWS, v);
    cs_images *images = look(L, v, 3);
    if (cs_images_fit(images, net, &err) ||
        cs_images_reconstruct(images, net, (cs_corruption)v[CORRUPTION].number,
                              v[CLEAN].number != 0,
                              (uint64_t)v[NOISE_SEED].number, &like, &err))
        return cs_script_raise(L, &err);
    const struct {
        const char *name;
        double x;
    } field[] = {{"mse", like.mse},
                 {"psnr", like.psnr},
                 {"ssim", like.ssim},
                 {"lift", like.lift}};
    lua_newtable(L);
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        cs_script_set_number(L, field[i].name, field[i].x);
    return 1;
}

/* network_text(net, digits): returns the network as text; `digits` is the
 * number of digits per weight. */
static int network_text(lua_State *L)
{
    const cs_network *net = luaL_checkudata(L, 1, meta);
    lua_Integer digits = luaL_optinteger(L, 2, 9);
    holder *h = hold(L); /* owns the text while Lua copies it */
    cs_error err = {0};
    char *text;
    luaL_argcheck(L, digits >= 1 && digits <= 9, 2, "must be between 1 and 9");
    if (cs_network_text(net, (int)digits, &text, &err))
        return cs_script_raise(L, &err);
    h->images.level = (unsigned char *)text;
    lua_pushstring(L, text);
    return 1;
}

static int network_units(lua_State *L)
{
    const cs_network *net = luaL_checkudata(L, 1, meta);
    lua_newtable(L);
    for (size_t k = 0; k <= net->layers; k++) {
        lua_pushinteger(L, (lua_Integer)net->unit[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

void cs_script_open_network(lua_State *L)
{
    static const luaL_Reg network[] = {{"__gc", collect}, {NULL, NULL}};
    static const luaL_Reg held[] = {{"__gc", drop}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"network_new", network_new},
        {"network_train", network_train},
        {"network_classify", network_classify},
        {"network_reconstruct", network_reconstruct},
        {"network_text", network_text},
        {"network_units", network_units},
        {NULL, NULL}};
    static const struct {
        const char *name;
        const cs_param *rows;
        size_t n;
    } tables[] = {{"new", new_rows, NEW_ROWS},
                  {"train", train_rows, TRAIN_ROWS},
                  {"classify", look_rows, LOOK_ROWS},
                  {"reconstruct", repeat_rows, REPEAT_ROWS}};
    cs_script_class(L, meta, "network", network);
    cs_script_class(L, holder_meta, "images", held);
    luaL_setfuncs(L, functions, 0);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        cs_script_push_rows(L, tables[i].rows, tables[i].n);
        lua_setfield(L, -2, tables[i].name);
    }
    lua_setfield(L, -2, "network_rows");
}
