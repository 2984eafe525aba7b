/* What a frame holds beside panels: the gallery, the messages, the line that
 * is typed, the line of keys. */
#include "screen/keys.h"

#include <stdio.h>
#include <string.h>

static void gallery_row(const cs_area *a, const cs_shot *list, size_t i, int y,
                        bool chosen)
{
    const char *error = cs_shot_text(list, "%zu/error", i);
    const char *shows = cs_shot_text(list, "%zu/shows", i);
    int w = a->w >= 80 ? 36 : a->w - 2;
    cs_area line = cs_area_part(a, 0, y, a->w, 1);
    if (chosen)
        cs_fill(&line, CS_ROLE_CURSOR, ' ');
    cs_print_cut(&line, 1, 0, w, chosen ? CS_ROLE_CURSOR : CS_ROLE_NORMAL,
                 "%c %s", chosen ? '>' : ' ',
                 cs_shot_text(list, "%zu/title", i));
    if (a->w >= 80)
        cs_print_cut(&line, 38, 0, a->w - 39,
                     chosen   ? CS_ROLE_CURSOR
                     : *error ? CS_ROLE_ERROR
                              : CS_ROLE_LABEL,
                     "%s", *error ? error : shows);
}

/* Walks the rows with a heading where the folder changes; draws those lines
 * that are in sight and returns the line of the chosen row. */
static int gallery_rows(const cs_area *a, const cs_shot *list, size_t chosen,
                        int top)
{
    const char *folder = "";
    int line = 0, found = 0;
    for (size_t i = 0; *cs_shot_text(list, "%zu/file", i); i++, line++) {
        const char *here = cs_shot_text(list, "%zu/folder", i);
        if (strcmp(here, folder) != 0) {
            line += i > 0;
            if (line >= top && line - top < a->h)
                cs_print_cut(a, 1, line - top, a->w - 1, CS_ROLE_TITLE, "%s",
                             here);
            line++;
        }
        folder = here;
        if (i == chosen)
            found = line;
        if (line >= top && line - top < a->h)
            gallery_row(a, list, i, line - top, i == chosen);
    }
    return found;
}

void cs_view_gallery(const cs_area *a, const cs_ui *ui)
{
    cs_role role;
    cs_shot list = {ui->gallery, ui->gallery_used};
    cs_area in = cs_box(a, CS_ROLE_FOCUS, "chainscope: the gallery",
                        "enter opens, ? help, Q leaves");
    const char *said = cs_log_newest(&ui->log, &role);
    if (!ui->gallery) /* still being read */
        return;
    if (!*cs_shot_text(&list, "0/file")) {
        cs_print_wrapped(&in, 1, in.h / 3, CS_ROLE_LABEL,
                         "No scenario was found. :open FILE opens one.");
        return;
    }
    int foot = in.h > 8 ? 4 : 0;
    cs_area body = cs_area_part(&in, 0, 0, in.w, in.h - foot);
    cs_area none = cs_area_part(&in, 0, 0, in.w, 0);
    int at = gallery_rows(&none, &list, ui->row, 0);
    gallery_rows(&body, &list, ui->row, at >= body.h ? at + 1 - body.h : 0);
    if (!foot)
        return;
    cs_area rest = cs_area_part(&in, 1, in.h - 3, in.w - 2, 3);
    for (int x = 0; x < in.w; x++)
        cs_put(&in, x, in.h - 4, CS_ROLE_BORDER, 0x2500);
    cs_print_cut(&rest, 0, 0, rest.w, CS_ROLE_VALUE, "%s",
                 cs_shot_text(&list, "%zu/shows", ui->row));
    const char *source = cs_shot_text(&list, "%zu/source", ui->row);
    cs_print_cut(&rest, 0, 1, rest.w, CS_ROLE_LABEL, "%s%s%s", source,
                 *source ? ", " : "", cs_shot_text(&list, "%zu/file", ui->row));
    cs_print_cut(&rest, 0, 2, rest.w, role, "%s", said);
}

/* "? help" keeps its place at the end; the others come as they fit. */
void cs_view_keys(const cs_area *a, const cs_ui *ui)
{
    const cs_action *act;
    int x = 1, room = a->w;
    for (size_t i = 0; (act = cs_action_at(i)); i++)
        if (strcmp(act->name, "help") == 0 && a->w >= 8) {
            room = a->w - 8;
            cs_print(a, room + 1, 0, CS_ROLE_KEY, "%s", act->label);
            cs_print(a, room + 3, 0, CS_ROLE_LABEL, "%s", act->word);
        }
    for (size_t i = 0; (act = cs_action_at(i)); i++) {
        int width = (int)(strlen(act->label) + strlen(act->word)) + 1;
        if (!*act->word || !(act->views & 1u << ui->view) ||
            strcmp(act->name, "help") == 0 || x + width > room)
            continue;
        x = cs_print(a, x, 0, CS_ROLE_KEY, "%s", act->label);
        x = cs_print(a, x + 1, 0, CS_ROLE_LABEL, "%s", act->word) + 2;
    }
}

static void blank(const cs_area *a)
{
    cs_fill(a, CS_ROLE_NORMAL, ' ');
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++)
            a->canvas
                ->cell[(size_t)(a->y + y) * (size_t)a->canvas->width +
                       (size_t)(a->x + x)]
                .attributes = 0;
}

/* The messages stand over the lower half, so that the run stays in sight. */
void cs_view_log(const cs_area *a, const cs_ui *ui)
{
    int h = a->h >= 18 ? a->h / 2 : a->h, foot = ui->prompt.mark ? 2 : 0;
    cs_area part = cs_area_part(a, 0, a->h - h, a->w, h - foot);
    blank(&part);
    cs_area in = cs_box(&part, CS_ROLE_FOCUS, "messages",
                        ui->prompt.mark ? "" : "up down scroll, q closes");
    cs_log_draw(&ui->log, &in, ui->row);
}

/* Completions in columns above the hint; what does not fit is counted. */
static void draw_offers(const cs_area *a, const cs_prompt *p)
{
    int width = 0;
    for (size_t i = 0; i < p->n_offers; i++) {
        int w = cs_text_width(p->offer[i]) + 2;
        width = w > width ? w : width;
    }
    width = width < a->w ? width : a->w;
    size_t columns = width > 0 ? (size_t)(a->w / width) : 1, n = p->n_offers;
    size_t rows = (n + columns - 1) / columns, most = (size_t)(a->h / 2);
    rows = rows < most ? rows : most;
    cs_area box = cs_area_part(a, 0, a->h - (int)rows, a->w, (int)rows);
    blank(&box);
    for (size_t i = 0; i < n && i < rows * columns; i++)
        cs_print_cut(&box, (int)(i % columns) * width + 1, (int)(i / columns),
                     width - 1, CS_ROLE_FOCUS, "%s", p->offer[i]);
    if (n > rows * columns && rows)
        cs_print_right(&box, (int)rows - 1, CS_ROLE_LABEL, " %zu more",
                       n - rows * columns);
}

/* The line that is typed takes the last line of every view, what is known of
 * it the one above. */
void cs_view_prompt(const cs_area *a, const cs_ui *ui, const cs_shot *s)
{
    char hint[600];
    const cs_prompt *p = &ui->prompt;
    int from = p->cursor >= a->w ? p->cursor - a->w + 1 : 0;
    cs_area line = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_area above = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_area rest = cs_area_part(a, 0, 0, a->w, a->h - 2);
    blank(&line);
    cs_print(&line, -from, 0, CS_ROLE_NORMAL, "%s", p->text);
    a->canvas->cursor_x = p->cursor - from;
    a->canvas->cursor_y = a->h - 1;
    if (a->h < 4)
        return;
    cs_prompt_hint(ui, s, hint, sizeof hint);
    blank(&above);
    cs_print_cut(&above, 1, 0, a->w - 2, CS_ROLE_LABEL, "%s", hint);
    draw_offers(&rest, p);
}
