/* The parts of a frame other than panels: the messages, the typed line, the
 * line of keys. */
#include "screen/input/keys.h"

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

/* Draws the messages over the lower half, so that the run remains visible. */
void cs_view_log(const cs_area *a, const cs_ui *ui)
{
    int h = a->h >= 18 ? a->h / 2 : a->h, foot = ui->prompt.mark ? 2 : 0;
    cs_area part = cs_area_part(a, 0, a->h - h, a->w, h - foot);
    blank(&part);
    cs_area in = cs_box(&part, CS_ROLE_FOCUS, "messages",
                        ui->prompt.mark ? "" : "up down scroll, q closes");
    cs_log_draw(&ui->log, &in, ui->row);
}

/* Draws completions in columns above the hint, and the number of completions
 * that do not fit. */
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

/* Draws the typed line in the last line of every view, and its hint in the line
 * above. */
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
    cs_print_cut(&above, 1, 0, a->w - 2, CS_ROLE_LABEL, "%s",
                 *p->note ? p->note : hint);
    draw_offers(&rest, p);
}
