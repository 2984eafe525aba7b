/* The table of events: one line per event of the chosen kind, the newest first.
 * Enter goes to the step of the chosen event. */
#include "run/history/event_list.h"
#include "screen/input/keys.h"
#include "screen/panels/timeline.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1024 };

/* The events of the run, the newest first. */
typedef struct events {
    cs_row_moment at[MOST];
    size_t n;
} events;

static int compare(const void *a, const void *b)
{
    const cs_row_moment *x = a, *y = b;
    return (x->step < y->step) - (x->step > y->step);
}

/* Collects the events of the kind number `kind`, from 1; 0: all kinds. */
static void collect(const cs_shot *s, size_t kind, events *out)
{
    size_t n, changes;
    const cs_row_moment *moment =
        CS_SHOT_ROWS(s, cs_row_moment, &n, CS_KEY_MOMENTS);
    const cs_row_event *change =
        CS_SHOT_ROWS(s, cs_row_event, &changes, CS_KEY_EVENTS);
    out->n = 0;
    for (size_t i = 0; moment && i < n && out->n < MOST; i++)
        if (kind == 0 || moment[i].kind == (double)kind - 1)
            out->at[out->n++] = moment[i];
    bool all = kind == 0 || kind - 1 == CS_EVENT_CHANGE;
    for (size_t i = 0; all && change && i < changes && out->n < MOST; i++)
        out->at[out->n++] =
            (cs_row_moment){change[i].step, CS_EVENT_CHANGE, change[i].arm};
    qsort(out->at, out->n, sizeof *out->at, compare);
}

/* Returns the title of an event's kind. */
static const char *title_of(const cs_row_moment *e)
{
    size_t kind = cs_shot_whole(e->kind, CS_EVENT_KINDS);
    return kind < CS_EVENT_KINDS ? cs_event_title((cs_event_kind)kind)
                                 : "stop at a breakpoint";
}

bool cs_events_chosen(const cs_ui *ui, const cs_shot *s, double *step,
                      size_t *arm)
{
    static events list; /* static, since a process has only one screen */
    collect(s, ui->kind, &list);
    if (list.n == 0)
        return false;
    const cs_row_moment *e = &list.at[ui->row < list.n ? ui->row : list.n - 1];
    *step = e->step;
    bool shown = e->arm >= 0 && e->arm < (double)cs_shot_arms(s);
    *arm = shown ? (size_t)e->arm : ui->look.arm;
    return true;
}

void cs_view_events(const cs_area *a, cs_ui *ui, const cs_shot *s)
{
    static events list;
    char title[80];
    collect(s, ui->kind, &list);
    snprintf(title, sizeof title, "%zu event%s, kind: %s", list.n,
             list.n == 1 ? "" : "s", cs_timeline_kind(ui->kind));
    cs_area in = cs_box(a, CS_ROLE_FOCUS, title,
                        "' kind, enter goes to the step, q closes");
    if (ui->row >= list.n)
        ui->row = list.n ? list.n - 1 : 0;
    if (list.n == 0)
        cs_print_cut(&in, 1, 1, in.w - 2, CS_ROLE_LABEL,
                     "No event has been found yet: run more steps.");
    cs_print_cut(&in, 1, 0, in.w - 2, CS_ROLE_LABEL, "%12s  %-28s  %s", "step",
                 "event", "arm");
    size_t lines = in.h > 1 ? (size_t)in.h - 1 : 0;
    size_t first = ui->row < lines ? 0 : ui->row + 1 - lines;
    for (size_t i = first; i < list.n && i - first < lines; i++) {
        const cs_row_moment *e = &list.at[i];
        size_t arm = cs_shot_whole(e->arm, cs_shot_all_arms(s));
        int y = (int)(i - first) + 1;
        cs_print_cut(&in, 1, y, in.w - 2, CS_ROLE_NORMAL, "%12s  %-28s  ",
                     cs_count(e->step).text, title_of(e));
        if (e->arm >= 0)
            cs_print_cut(&in, 45, y, in.w - 46, cs_theme_chain(arm), "%c %s",
                         cs_theme_glyph(arm), cs_shot_arm(s, arm));
        else
            cs_print_cut(&in, 45, y, in.w - 46, CS_ROLE_LABEL, "all arms");
        if (i == ui->row)
            cs_attribute(&in, 0, y, in.w, CS_BOLD | CS_REVERSE);
    }
}
