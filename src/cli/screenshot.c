/* chainscope shot FILE: one frame of the screen as a picture. */
#include "cli/front/front.h"
#include "cli/front/link.h"
#include "cli/front/look_options.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "console/line.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "screen/canvas/emit.h"
#include "screen/headless.h"
#include "screen/state/wishes.h"

#include <errno.h>
#include <math.h>
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

/* To a terminal in the colours that it has, to a file in those that all have;
 * what curses would know of the terminal is not asked for one picture. */
static cs_tier tier_of(const cs_look *look, bool terminal)
{
    const cs_terminal_facts f = cs_terminal_facts_make(256, true);
    const char *asked = cs_shot_text(&look->wishes, CS_WISH_COLOUR);
    cs_tier tier = cs_tier_choose(&f, asked);
    bool more = !terminal && tier == CS_TIER_TRUE && strcmp(asked, "true") != 0;
    return more ? CS_TIER_256 : tier;
}

/* In colour to a terminal, where that is wanted; plain to a pipe. */
static cs_medium kind_of(const char *path, cs_tier tier)
{
    cs_medium as;
    if (!path && isatty(STDOUT_FILENO) && tier > CS_TIER_MONO)
        return CS_ANSI;
    return path && cs_medium_of(path, &as) ? as : CS_TEXT;
}

static cs_glyphs glyphs_of(const cs_look *look)
{
    const cs_terminal_facts any = {.utf8 = true};
    return cs_glyphs_choose(&any, cs_shot_text(&look->wishes, CS_WISH_GLYPHS));
}

/* NULL: to stdout. */
static const char *output_of(const cs_args *args)
{
    const char *path = cs_args_value(args, "output");
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

static cs_status check_output(const cs_args *args, cs_error *err)
{
    const char *path = output_of(args);
    if (!path)
        return CS_OK;
    cs_output_kind kind = cs_output_of(path, CS_OUTPUT_FRAME);
    if (kind != CS_OUTPUT_SVG && kind != CS_OUTPUT_ANSI)
        kind = CS_OUTPUT_FRAME;
    return cs_output_allow(path, kind, args->word, args->n_words, err);
}

static cs_status write_frame(const cs_args *args, const cs_canvas *canvas,
                             cs_tier tier, cs_error *err)
{
    const char *path = output_of(args);
    cs_medium as = kind_of(path, tier);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out && cs_emit(canvas, as, tier, out);
    if (out && fclose(out) != 0)
        good = false;
    cs_status status = CS_OK;
    if (!good)
        status = cs_fail(err, CS_MEMORY, "no memory for the picture");
    else if (path)
        status = cs_file_replace(path, text, size, err);
    else if (fwrite(text, 1, size, stdout) < size)
        status = cs_fail(err, CS_IO, "stdout cannot be written: %s",
                         strerror(errno));
    free(text);
    return status;
}

/* The steps, the keys and the script, one after the other. */
static cs_status drive(cs_headless *h, cs_client *c, const cs_args *args,
                       cs_error *err)
{
    uint64_t steps;
    char line[64];
    const cs_canvas *unused;
    const char *keys = cs_args_value(args, "keys");
    const char *script = cs_args_value(args, "script");
    bool stays = args->n_words == 0 || cs_front_is_placed(args);
    cs_status status =
        cs_args_count(args, "steps", stays ? 0 : 1000, &steps, err);
    snprintf(line, sizeof line, "step %llu", (unsigned long long)steps);
    if (status == CS_OK && steps)
        status = cs_front_ask(c, line, NULL, err);
    if (status == CS_OK)
        status = cs_headless_frame(h, INFINITY, &unused, err);
    if (status == CS_OK && keys)
        status = cs_headless_press(h, keys, err);
    return status == CS_OK && script ? cs_headless_script(h, script, err)
                                     : status;
}

static cs_status draw(cs_client *c, const cs_args *args, cs_error *err)
{
    static cs_look look;
    const cs_canvas *frame;
    cs_headless *h = NULL;
    cs_app_link link = cs_link_to(c);
    cs_headless_spec spec = {.wishes = &look.wishes,
                             .gallery = args->n_words == 0};
    cs_status status = read_size(args, &spec.width, &spec.height, err);
    if (status == CS_OK)
        status = cs_look_read(args, &look, err);
    if (status)
        return status;
    spec.tier = tier_of(&look, !cs_args_value(args, "output"));
    spec.glyphs = glyphs_of(&look);
    cs_line_open(false);
    status = cs_headless_create(&h, &link, &cs_link_editor, &spec, err);
    if (status == CS_OK)
        status = drive(h, c, args, err);
    if (status == CS_OK)
        status = cs_headless_frame(h, 0, &frame, err);
    if (status == CS_OK && cs_stop_signal())
        status = cs_fail(err, CS_STOPPED,
                         "before the picture: give the command again");
    if (status == CS_OK)
        status = write_frame(args, frame, spec.tier, err);
    cs_headless_destroy(h);
    cs_line_close();
    return status;
}

static int shot(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    const cs_front_options options = {0};
    if (check_output(args, &err) || cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = args->n_words ? cs_front_go(c, args, NULL, &err) : CS_OK;
    if (status == CS_OK)
        status = cs_front_ask(c, "pictures 1000", NULL, &err);
    if (status == CS_OK)
        status = draw(c, args, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"size", "WxH", "columns and lines, 120x40"},
    {"steps", "N",
     "steps before the picture is taken: 1000, behind these three 0"},
    CS_FRONT_GO_OPTIONS,
    {"keys", "KEYS", "then press these: z:set a.step 2<enter><tab>, say"},
    {"script", "FILE",
     "then those of each line; a line of : ; or / is entered"},
    {"output", "FILE",
     "(-o) .txt, .ans or .svg; else to stdout, in colour to a terminal"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_LOOK_OPTIONS,
};

const cs_subcommand cs_subcommand_shot = {
    .name = "shot",
    .args = "[FILE] [-o FILE.svg] ...",
    .help = "one frame of the screen as text, ANSI or SVG",
    .more = "Without FILE it begins in the gallery. Keys have names: <enter> "
            "<esc> <tab>\n<backtab> <space> <lt> <backspace> <up> <down> "
            "<left> <right> <home> <end>\n<pgup> <pgdn> <f1>. After each the "
            "screen is waited for, and a run that goes\non for 10 s of its "
            "processors at most.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .most_words = 1,
    .main = shot,
};
