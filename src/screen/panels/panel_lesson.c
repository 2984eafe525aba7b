/* The lesson: the comment at the head of the scenario's file. */
#include "screen/panels/panel.h"

#include <stdio.h>
#include <string.h>

/* Draws the text of a lesson from line `top` on. Returns the number of lines of
 * the text at this width. */
static int draw_text(const cs_area *a, const char *text, int top)
{
    int line = 0, room = a->w - 2;
    while (*text && room > 0) {
        size_t n = strcspn(text, "\n");
        cs_role role = *text == ' ' ? CS_ROLE_VALUE : CS_ROLE_NORMAL;
        const char *end = text + n;
        do {
            char one[512];
            snprintf(one, sizeof one, "%.*s", (int)(end - text), text);
            size_t take = cs_text_line(one, room);
            one[take] = 0;
            if (line >= top && line - top < a->h)
                cs_print(a, 1, line - top, role, "%s", one);
            line++;
            text += take;
            while (text < end && *text == ' ' && take)
                text++;
            if (!take)
                text = end;
        } while (text < end);
        text += *text == '\n';
    }
    return line;
}

void cs_draw_lesson(const cs_area *a, const char *text, size_t scroll)
{
    cs_area none = cs_area_part(a, 0, 0, a->w, 0);
    int lines = draw_text(&none, text, 0);
    int most = lines > a->h ? lines - a->h : 0;
    int top = scroll < (size_t)most ? (int)scroll : most;
    draw_text(a, text, top);
    if (top + a->h < lines)
        cs_print(a, a->w - 1, a->h - 1, CS_ROLE_LABEL, "v");
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    const char *text = cs_shot_text(s, "run/lesson");
    if (*text)
        cs_draw_lesson(a, text, at->scroll);
    else
        cs_panel_empty(a, s, "This scenario has no lesson.",
                       "Write one as a comment at the head of its file.");
}

const cs_panel_type cs_panel_lesson = {
    .name = "lesson",
    .title = "lesson",
    .help = "The comment at the top of the scenario's file, which describes "
            "the subject, the results to look for and changes to try. Page up "
            "and page down scroll.",
    .text = true,
    .no_arm = true,
    .draw = draw,
};
