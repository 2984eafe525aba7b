/* The gallery: the scenarios that match all words of the filter, by folder. */
#include "screen/canvas/search.h"
#include "screen/input/keys.h"

#include <stdio.h>
#include <string.h>

/* Writes the tags of row i, each after a number sign. The folder of the row
 * and the names of its target and kernels also count as tags. */
static const char *tags_of(const cs_shot *list, size_t i, char *out,
                           size_t size)
{
    static const char *const where[] = {"tags", "folder", "names"};
    char word[48];
    size_t used = 0;
    *out = 0;
    for (size_t k = 0; k < sizeof where / sizeof *where; k++)
        for (size_t w = 0;
             cs_shot_word(cs_shot_text(list, "%zu/%s", i, where[k]), w, word,
                          sizeof word) &&
             used < size;
             w++)
            used += (size_t)snprintf(out + used, size - used, "#%s ", word);
    return out;
}

/* Returns the file name of row i without its folder. */
static const char *name_of(const cs_shot *list, size_t i)
{
    const char *file = cs_shot_text(list, "%zu/file", i);
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Returns true if row i exists and contains each word of the filter. Only the
 * file name of its path is searched. */
static bool shown(const cs_ui *ui, size_t i)
{
    static const char *const where[] = {"title", "shows",  "source", "folder",
                                        "names", "lesson", "file"};
    enum { N = sizeof where / sizeof *where };
    char tags[600];
    const char *text[N + 1];
    cs_shot list = {.base = ui->gallery.rows, .used = ui->gallery.used};
    if (!ui->gallery.rows || !*cs_shot_text(&list, "%zu/file", i))
        return false;
    for (size_t k = 0; k < N; k++)
        text[k] = cs_shot_text(&list, "%zu/%s", i, where[k]);
    text[N - 1] = name_of(&list, i);
    text[N] = tags_of(&list, i, tags, sizeof tags);
    return cs_search(ui->gallery.filter, text, N + 1);
}

static size_t count_rows(const cs_ui *ui)
{
    cs_shot list = {.base = ui->gallery.rows, .used = ui->gallery.used};
    size_t n = 0;
    while (ui->gallery.rows && *cs_shot_text(&list, "%zu/file", n))
        n++;
    return n;
}

void cs_gallery_move(cs_ui *ui, long by)
{
    size_t n = count_rows(ui), row = ui->row;
    bool back = cs_gallery_is_back(ui);
    ui->gallery.at_back = back && by <= 0;
    if (back)
        row = ui->row = by > 0 ? 0 : ui->row;
    /* the first step down leads from the open run's row to the first row */
    by -= back && by > 0;
    /* skips rows that do not match the filter */
    while (row < n && !shown(ui, row))
        row++;
    for (size_t i = row < n ? row : n; row >= n && i-- > 0;)
        if (shown(ui, i))
            row = i;
    ui->row = row < n ? row : 0;
    long way = by < 0 ? -1 : 1;
    for (long at = (long)ui->row + way; by && at >= 0 && at < (long)n;
         at += way)
        if (shown(ui, (size_t)at)) {
            ui->row = (size_t)at;
            by -= way;
        }
    /* moving up from the first row reaches the row of the open run */
    ui->gallery.at_back |= by < 0;
    const char *file = cs_gallery_file(ui);
    if (strcmp(file, ui->gallery.lesson_of) != 0) {
        cs_lesson_read(file, ui->gallery.lesson, sizeof ui->gallery.lesson);
        snprintf(ui->gallery.lesson_of, sizeof ui->gallery.lesson_of, "%s",
                 file);
    }
}

void cs_gallery_seek(cs_ui *ui)
{
    cs_shot list = {.base = ui->gallery.rows, .used = ui->gallery.used};
    size_t n = *ui->gallery.filter ? count_rows(ui) : 0;
    for (size_t i = 0; i < n; i++) {
        const char *title = cs_shot_text(&list, "%zu/title", i);
        if (cs_search(ui->gallery.filter, &title, 1)) {
            ui->row = i;
            return;
        }
    }
}

bool cs_gallery_is_back(const cs_ui *ui)
{
    return ui->gallery.at_back && *ui->gallery.back && !*ui->gallery.filter;
}

const char *cs_gallery_file(const cs_ui *ui)
{
    cs_shot list = {.base = ui->gallery.rows, .used = ui->gallery.used};
    if (cs_gallery_is_back(ui))
        return "";
    return shown(ui, ui->row) ? cs_shot_text(&list, "%zu/file", ui->row) : "";
}

/* Returns the sign for a scenario's laws: "+" all hold, "x" at least one is
 * broken, " " not checked. */
static char laws_sign(const cs_shot *list, size_t i)
{
    const char *laws = cs_shot_text(list, "%zu/laws", i);
    return !*laws ? ' ' : strcmp(laws, "hold") == 0 ? '+' : 'x';
}

static void draw_row(const cs_area *a, const cs_shot *list, size_t i, int y,
                     bool chosen)
{
    const char *title = cs_shot_text(list, "%zu/title", i);
    const char *error = cs_shot_text(list, "%zu/error", i);
    const char *shows = cs_shot_text(list, "%zu/shows", i);
    int w = a->w >= 80 ? 36 : a->w - 2;
    cs_area line = cs_area_part(a, 0, y, a->w, 1);
    char laws = laws_sign(list, i);
    if (chosen)
        cs_fill(&line, CS_ROLE_CURSOR, ' ');
    cs_print_cut(&line, 1, 0, w, chosen ? CS_ROLE_CURSOR : CS_ROLE_NORMAL,
                 "%c %s", chosen ? '>' : ' ',
                 *title ? title : name_of(list, i));
    cs_print(&line, 2, 0,
             chosen        ? CS_ROLE_CURSOR
             : laws == 'x' ? CS_ROLE_WARN
                           : CS_ROLE_ACCEPT,
             "%c", laws);
    if (a->w >= 80)
        cs_print_cut(&line, 38, 0, a->w - 39,
                     chosen   ? CS_ROLE_CURSOR
                     : *error ? CS_ROLE_ERROR
                              : CS_ROLE_LABEL,
                     "%s", *error ? error : shows);
}

/* Draws the row that returns to the open run. Returns the number of lines
 * used. */
static int draw_back(const cs_area *a, const cs_ui *ui, int top)
{
    bool chosen = cs_gallery_is_back(ui);
    cs_area line = cs_area_part(a, 0, 0, a->w, 1);
    if (!*ui->gallery.back || *ui->gallery.filter)
        return 0;
    if (top == 0 && a->h > 0) {
        if (chosen)
            cs_fill(&line, CS_ROLE_CURSOR, ' ');
        cs_print_cut(&line, 1, 0, a->w - 1,
                     chosen ? CS_ROLE_CURSOR : CS_ROLE_VALUE, "%c back to: %s",
                     chosen ? '>' : ' ', ui->gallery.back);
    }
    return 1;
}

/* Visits all rows, with a heading for each new folder, and draws the visible
 * lines. Returns the line of the chosen row. */
static int draw_rows(const cs_area *a, const cs_ui *ui, int top)
{
    cs_shot list = {.base = ui->gallery.rows, .used = ui->gallery.used};
    const char *folder = "";
    int line = draw_back(a, ui, top), found = 0;
    bool back = cs_gallery_is_back(ui);
    for (size_t i = 0, n = count_rows(ui); i < n; i++) {
        const char *here = cs_shot_text(&list, "%zu/folder", i);
        if (!shown(ui, i))
            continue;
        if (strcmp(here, folder) != 0) {
            line += line > 0;
            if (line >= top && line - top < a->h)
                cs_print_cut(a, 1, line - top, a->w - 1, CS_ROLE_TITLE, "%s",
                             here);
            line++;
        }
        folder = here;
        if (i == ui->row && !back)
            found = line;
        if (line >= top && line - top < a->h)
            draw_row(a, &list, i, line - top, i == ui->row && !back);
        line++;
    }
    return found;
}

/* Returns the number of lines below the horizontal rule. On a tall screen, the
 * lesson takes a third of the lines. */
static int foot_lines(const cs_area *in)
{
    return in->h <= 8 ? 0 : in->h < 24 ? 3 : 3 + in->h / 3;
}

/* If the picture of the chosen scenario fits, draws it on the right. Returns
 * the number of its columns. */
static int draw_picture(const cs_area *in, const cs_ui *ui, int lines)
{
    int x = in->w - CS_PREVIEW_WIDTH - 1, y = in->h - lines + 1;
    cs_area a = cs_area_part(in, x, y, CS_PREVIEW_WIDTH, lines - 3);
    const char *at = ui->gallery.picture;
    if (in->w < 2 * CS_PREVIEW_WIDTH || lines - 3 < CS_PREVIEW_HEIGHT / 2 ||
        !*at)
        return 0;
    for (y = 0; *at && y < a.h; y++) {
        int n = (int)strcspn(at, "\n");
        cs_print_cut(&a, 0, y, a.w, CS_ROLE_NORMAL, "%.*s", n, at);
        at += n + (at[n] == '\n');
    }
    return CS_PREVIEW_WIDTH + 2;
}

/* Draws the result of the laws, the tags, the source, and the end of the file's
 * path. */
static void draw_origin(const cs_area *a, const cs_shot *list, const cs_ui *ui,
                        int y)
{
    char tag[48];
    const char *laws = cs_shot_text(list, "%zu/laws", ui->row);
    char sign = laws_sign(list, ui->row);
    int x = cs_print_cut(a, 0, y, a->w / 2,
                         sign == 'x'   ? CS_ROLE_WARN
                         : sign == '+' ? CS_ROLE_ACCEPT
                                       : CS_ROLE_LABEL,
                         "laws %s;", *laws ? laws : "not checked") +
            1;
    for (size_t i = 0; cs_shot_word(cs_shot_text(list, "%zu/tags", ui->row), i,
                                    tag, sizeof tag) &&
                       x < a->w / 2;
         i++)
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_EVENT, "#%s", tag) + 1;
    const char *source = cs_shot_text(list, "%zu/source", ui->row);
    cs_print_cut(a, x, y, a->w - x, CS_ROLE_LABEL, "%s%s%s", source,
                 *source ? ", " : "", cs_gallery_file(ui));
}

/* Draws the description of the chosen scenario, its lesson if it fits, its
 * source, and the newest message. */
static void draw_foot(const cs_area *in, const cs_ui *ui, int lines)
{
    cs_role role;
    cs_shot list = {.base = ui->gallery.rows, .used = ui->gallery.used};
    const char *said = cs_ui_event(ui, &role);
    cs_area rest = cs_area_part(in, 1, in->h - lines, in->w - 2, lines);
    for (int x = 0; x < in->w; x++)
        cs_put(in, x, in->h - lines - 1, CS_ROLE_BORDER, 0x2500);
    if (*cs_gallery_file(ui)) {
        const char *error = cs_shot_text(&list, "%zu/error", ui->row);
        cs_print_cut(
            &rest, 0, 0, rest.w, *error ? CS_ROLE_ERROR : CS_ROLE_VALUE, "%s",
            *error ? error : cs_shot_text(&list, "%zu/shows", ui->row));
        int w = draw_picture(in, ui, lines);
        cs_area lesson =
            cs_area_part(in, 0, in->h - lines + 1,
                         in->w - w < 100 ? in->w - w : 100, lines - 3);
        if (lines > 3)
            cs_draw_lesson(&lesson, ui->gallery.lesson, 0);
        draw_origin(&rest, &list, ui, lines - 2);
    } else if (cs_gallery_is_back(ui)) {
        cs_print_cut(&rest, 0, 0, rest.w, CS_ROLE_VALUE,
                     "Enter returns to this run. If it was not paused, it goes "
                     "on meanwhile.");
    }
    cs_print_cut(&rest, 0, lines - 1, rest.w, role, "%s", said);
}

void cs_view_gallery(const cs_area *a, cs_ui *ui)
{
    char title[200];
    snprintf(title, sizeof title, "chainscope: the gallery%s%s",
             *ui->gallery.filter ? " /" : "", ui->gallery.filter);
    cs_area in = cs_box(a, CS_ROLE_FOCUS, title,
                        "enter opens, / finds, ? help, Q quits");
    if (!ui->gallery.rows) /* the list is still being read */
        return;
    cs_gallery_move(ui, 0);
    if (!*cs_gallery_file(ui) && !cs_gallery_is_back(ui)) {
        cs_print_wrapped(
            &in, 1, in.h / 3, CS_ROLE_LABEL,
            *ui->gallery.filter
                ? "No scenario has all of these words. Esc shows all."
                : "No scenarios were found. Type :open FILE to open one.");
        return;
    }
    int foot = foot_lines(&in);
    cs_area body = cs_area_part(&in, 0, 0, in.w, in.h - foot - (foot > 0));
    cs_area none = cs_area_part(&in, 0, 0, in.w, 0);
    int at = draw_rows(&none, ui, 0);
    draw_rows(&body, ui, at >= body.h ? at + 1 - body.h : 0);
    if (foot)
        draw_foot(&in, ui, foot);
}
