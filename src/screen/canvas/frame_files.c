#include "screen/canvas/frame_files.h"

#include "files/file.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "screen/canvas/canvas_export.h"
#include "session/client/shell_words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cs_status cs_frame_take(cs_frame *f, const cs_canvas *c, const cs_area *panel,
                        cs_tier tier, cs_error *err)
{
    f->tier = tier;
    f->panel = *panel;
    f->panel.canvas = &f->canvas;
    return cs_canvas_copy(&f->canvas, c, err);
}

void cs_frame_fini(cs_frame *f)
{
    cs_canvas_fini(&f->canvas);
    *f = (cs_frame){0};
}

/* Copies the cells of an area to a separate canvas. */
static cs_status cut_out(cs_canvas *to, const cs_area *a, cs_error *err)
{
    const cs_canvas *c = a->canvas;
    cs_status status = cs_canvas_init(to, a->w, a->h, c->glyphs, err);
    to->theme = c->theme;
    for (int y = 0; status == CS_OK && y < a->h; y++)
        memcpy(to->cell + (size_t)y * (size_t)a->w,
               c->cell + (size_t)(a->y + y) * (size_t)c->width + a->x,
               (size_t)a->w * sizeof *to->cell);
    return status;
}

static const cs_output_kind kinds[] = {[CS_TEXT] = CS_OUTPUT_FRAME,
                                       [CS_ANSI] = CS_OUTPUT_ANSI,
                                       [CS_SVG] = CS_OUTPUT_SVG};

static cs_status write_as(const cs_canvas *c, cs_medium as, cs_tier tier,
                          const char *path, bool force, cs_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out && cs_canvas_export(c, as, tier, out);
    cs_status status = CS_OK;
    if (out && fclose(out) != 0)
        good = false;
    if (!good)
        status = cs_fail(err, CS_MEMORY, "out of memory for the picture");
    else if (force)
        status = cs_output_allow(path, kinds[as], NULL, 0, err);
    if (status == CS_OK && force)
        status = cs_file_replace(path, text, size, err);
    else if (status == CS_OK)
        status = cs_file_create(path, text, size, err);
    free(text);
    if (status == CS_INPUT && !force)
        cs_hint(err, "choose another name, or add force");
    return status;
}

typedef struct preference {
    const char *path;
    bool panel, force;
    cs_medium as;
} preference;

static cs_status read_preference(char **word, size_t n, preference *w,
                                 cs_error *err)
{
    size_t i = n > 0 && strcmp(word[0], "panel") == 0;
    *w = (preference){.panel = i > 0};
    w->force = n > i + 1 && strcmp(word[n - 1], "force") == 0;
    if (n != i + 1 + w->force)
        cs_fail(err, CS_INPUT, n > i ? "too many arguments" : "no file name");
    else if (!cs_medium_of(w->path = word[i], &w->as))
        cs_fail(err, CS_INPUT, "unknown picture format: %s", w->path);
    else
        return CS_OK;
    cs_hint(
        err,
        "write screenshot NAME.svg, NAME.txt or NAME.ans (text with colours)");
    return CS_INPUT;
}

void cs_screenshot_path(const char *path, char *out, size_t size)
{
    char *whole = realpath(path, NULL);
    snprintf(out, size, "%s", whole ? whole : path);
    free(whole);
}

cs_status cs_screenshot_write(const cs_frame *f, const char *words, char *said,
                              size_t size, cs_error *err)
{
    assert(f->canvas.width >= 1);
    preference w;
    cs_canvas part = {0};
    char line[1024], path[1024], *word[CS_WORDS];
    size_t n;
    snprintf(line, sizeof line, "%s", words);
    cs_status status = cs_words_cut(line, word, &n, err);
    if (status == CS_OK)
        status = read_preference(word, n, &w, err);
    if (status)
        return status;
    if (w.panel && f->panel.w < 1)
        return cs_fail(err, CS_INPUT, "the focused panel was not visible");
    if (w.panel)
        status = cut_out(&part, &f->panel, err);
    if (status == CS_OK)
        status = write_as(w.panel ? &part : &f->canvas, w.as, f->tier, w.path,
                          w.force, err);
    cs_canvas_fini(&part);
    if (status)
        return status;
    cs_screenshot_path(w.path, path, sizeof path);
    snprintf(said, size, "screenshot written to %s", path);
    return CS_OK;
}

void cs_screenshot_name(const char *file, double step, const char *ending,
                        char *out, size_t size)
{
    char name[48];
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : file);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                    "0123456789_-.",
                    *c))
            *c = '_';
    const char *begin = *name ? name : "chainscope";
    snprintf(out, size, "%s_%.0f%s", begin, step, ending);
    for (int i = 2; access(out, F_OK) == 0 && i < 1000; i++)
        snprintf(out, size, "%s_%.0f_%d%s", begin, step, i, ending);
}
