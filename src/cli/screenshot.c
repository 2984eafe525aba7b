/* chainscope shot FILE: writes one frame of the screen as a picture. */
#include "cli/front/front.h"
#include "cli/front/link.h"
#include "cli/front/look_options.h"
#include "cli/line/draw_words.h"
#include "cli/line/stop.h"
#include "console/line.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "screen/canvas/canvas_export.h"
#include "screen/headless.h"
#include "screen/state/preferences.h"

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
    cs_fail(err, CS_INPUT, "--size must be COLUMNSxLINES, not '%s'", size);
    cs_hint(err, "give a size such as 120x40, between 20x5 and %dx%d",
            CS_CANVAS_MAX, CS_CANVAS_MAX);
    return CS_INPUT;
}

/* Returns the colour depth: the terminal's depth, or, for a file, the depth
 * that every terminal supports. The terminal database is not queried for a
 * single picture. */
static cs_tier tier_of(const cs_look *look, bool terminal)
{
    const cs_terminal_facts f = cs_terminal_facts_make(256, true);
    const char *asked = cs_shot_text(&look->preferences, CS_PREFERENCE_COLOUR);
    cs_tier tier = cs_tier_choose(&f, asked);
    bool more = !terminal && tier == CS_TIER_TRUE && strcmp(asked, "true") != 0;
    return more ? CS_TIER_256 : tier;
}

/* Returns the format: ANSI if the terminal has colours, otherwise plain
 * text. */
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
    return cs_glyphs_choose(
        &any, cs_shot_text(&look->preferences, CS_PREFERENCE_GLYPHS));
}

/* Returns the output file; NULL means stdout. */
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
    bool good = out && cs_canvas_export(canvas, as, tier, out);
    if (out && fclose(out) != 0)
        good = false;
    cs_status status = CS_OK;
    if (!good)
        status = cs_fail(err, CS_MEMORY, "out of memory for the picture");
    else if (path)
        status = cs_file_replace(path, text, size, err);
    else if (fwrite(text, 1, size, stdout) < size)
        status = cs_fail(err, CS_IO, "stdout cannot be written: %s",
                         strerror(errno));
    free(text);
    return status;
}

/* Makes the requested steps, then presses the requested keys, then runs the
 * script. */
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
    cs_headless_spec spec = {.preferences = &look.preferences,
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
                         "before the picture was taken; repeat the command");
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
    {"size", "WxH", "columns x lines (120x40)"},
    {"steps", "N",
     "number of steps before the picture (1000; 0 with --load, --replay or "
     "--at)"},
    CS_FRONT_GO_OPTIONS,
    {"keys", "KEYS",
     "keys to press after these steps, for example z:set a.step 2<enter><tab>"},
    {"script", "FILE",
     "file of keys to press after these steps, line by line; lines that start "
     "with : ; or / are entered"},
    {"output", "FILE",
     "(-o) a .txt, .ans or .svg file (stdout, in colour on a terminal)"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_DRAWS_OPTION,
    CS_LOOK_OPTIONS,
};

const cs_subcommand cs_subcommand_shot = {
    .name = "shot",
    .args = "[FILE] [-o FILE.svg] ...",
    .help = "write one frame of the screen as text, ANSI or SVG",
    .more = "Without FILE the gallery is shown. Named keys: <enter> <esc> "
            "<tab> <backtab>\n<space> <lt> <backspace> <up> <down> <left> "
            "<right> <home> <end> <pgup> <pgdn>\n<f1>. After each key the "
            "program waits for the screen, or for at most 10 s of\nprocessor "
            "time if the run continues. In a recording (:record) each key "
            "takes\n0.1 s, and <wait 5> takes 5 s.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = CS_ARGS_WORDS,
    .main = shot,
    .draws = CS_TAKES_OPEN,
};
