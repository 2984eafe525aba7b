/* chainscope shot FILE: one frame of the screen as a picture. */
#include "base/text.h"
#include "cli/host.h"
#include "cli/subcommand.h"
#include "screen/emit.h"
#include "screen/ui.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cs_status read_size(const cs_args *args, int *w, int *h, cs_error *err)
{
    const char *size = cs_args_value(args, "size");
    char end;
    *w = 120;
    *h = 40;
    if (!size || (sscanf(size, "%4dx%4d%c", w, h, &end) == 2 && *w >= 20 &&
                  *h >= 5 && *w <= CS_CANVAS_MAX && *h <= CS_CANVAS_MAX))
        return CS_OK;
    cs_fail(err, CS_INPUT, "--size %s is no size", size);
    cs_hint(err, "write --size 120x40, from 20x5 to %dx%d", CS_CANVAS_MAX,
            CS_CANVAS_MAX);
    return CS_INPUT;
}

/* Whether the run stands still, and nothing exact and no report is on its way. */
static bool is_complete(const unsigned char *base, size_t used)
{
    cs_flat_entry e;
    bool still = cs_flat_find(base, used, &e, "run/state") && e.text &&
                 strcmp(e.text, "running") != 0;
    return still && cs_flat_find(base, used, &e, "run/settled") && e.data &&
           e.data[0] == 1 && cs_flat_find(base, used, &e, "run/reported") &&
           e.data && e.data[0] == 1;
}

/* The newest snapshot once that is so. */
static cs_status advance(cs_client *c, const cs_args *args,
                         const unsigned char **base, size_t *used,
                         cs_error *err)
{
    uint64_t steps;
    char line[64], why[160];
    cs_status status = cs_args_count(args, "steps", 1000, &steps, err);
    snprintf(line, sizeof line, "step %llu", (unsigned long long)steps);
    if (status == CS_OK)
        status = cs_front_ask(c, "pictures 1000", NULL, err);
    if (status == CS_OK)
        status = cs_front_ask(c, line, NULL, err);
    while (status == CS_OK) {
        bool lives = cs_client_alive(c, why, sizeof why);
        if (cs_client_snapshot(c, base, used)) {
            if (is_complete(*base, *used))
                return CS_OK;
        } else if (!lives) {
            return cs_fail(err, CS_IO, "%s", why);
        }
        cs_client_wait(c, 200);
    }
    return status;
}

static bool is_colour_wanted(void)
{
    const char *no = getenv("NO_COLOR");
    return !no || !*no;
}

/* In colour to a terminal, where that is wanted; plain to a pipe. */
static cs_medium kind_of(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path && isatty(STDOUT_FILENO) && is_colour_wanted())
        return CS_ANSI;
    if (dot && strcmp(dot, ".svg") == 0)
        return CS_SVG;
    return dot && strcmp(dot, ".ans") == 0 ? CS_ANSI : CS_TEXT;
}

/* To a terminal in the colours that it has, to a file in those that all have. */
static cs_tier tier_of(cs_medium as, const char *path)
{
    const char *more = getenv("COLORTERM");
    bool all =
        more && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0);
    if (!is_colour_wanted())
        return CS_TIER_MONO;
    return as == CS_ANSI && !path && all ? CS_TIER_TRUE : CS_TIER_256;
}

static cs_status draw(const cs_args *args, const unsigned char *base,
                      size_t used, cs_error *err)
{
    int w, h;
    static cs_ui ui;
    cs_canvas canvas;
    const char *path = cs_args_value(args, "output");
    cs_status status = read_size(args, &w, &h, err);
    if (status == CS_OK)
        status = cs_canvas_init(&canvas, w, h, CS_BRAILLE, err);
    if (status)
        return status;
    cs_ui_init(&ui);
    cs_screen_frame(&ui, base, used, &canvas);
    cs_tier tier = tier_of(kind_of(path), path);
    bool file = path && strcmp(path, "-") != 0;
    FILE *out = file ? fopen(path, "w") : stdout;
    bool good = out && cs_emit(&canvas, kind_of(path), tier, out);
    if (out && file && fclose(out) != 0)
        good = false;
    cs_canvas_fini(&canvas);
    if (good)
        return CS_OK;
    return cs_fail(err, CS_IO, "%s cannot be written: %s", path ? path : "-",
                   strerror(errno));
}

static int shot(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    const unsigned char *base;
    size_t used;
    const cs_front_options options = {0};
    if (cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = cs_front_open(c, args, NULL, &err);
    if (status == CS_OK)
        status = advance(c, args, &base, &used, &err);
    if (status == CS_OK)
        status = draw(args, base, used, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"size", "WxH", "columns and lines, 120x40"},
    {"steps", "N", "steps before the picture is taken, 1000"},
    {"output", "FILE",
     "(-o) .txt, .ans or .svg; else to stdout, in colour to a terminal"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
};

const cs_subcommand cs_subcommand_shot = {
    .name = "shot",
    .args = "FILE [-o FILE.svg] ...",
    .help = "one frame of the screen as text, ANSI or SVG",
    .more = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = shot,
};
