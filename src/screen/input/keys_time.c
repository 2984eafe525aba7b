#include "screen/input/key_acts.h"

#include "screen/panels/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_ended(const cs_key_press *p)
{
    const cs_shot *s = p->shot;
    return strcmp(cs_shot_text(s, "run/state"), "done") == 0 &&
           !*cs_shot_text(s, "run/watched") && !p->ui->lost;
}

/* Returns true if a key has zoomed the preview of the next step. */
static bool has_preview(const cs_slots *slots)
{
    return slots->zoom && slots->alone &&
           strcmp(slots->of[slots->alone - 1].type->name, "proposal") == 0;
}

void cs_key_run(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->beyond = !p->typed && has_ended(p);
    if (!ui->beyond) {
        bool paused = strcmp(cs_shot_text(p->shot, "run/state"), "paused") == 0;
        if (paused && has_preview(&ui->slots))
            cs_key_leave_zoom(ui); /* a preview needs a paused run */
        cs_say(p, "toggle");
        return;
    }
    snprintf(ui->ask, sizeof ui->ask,
             "The budget ended at step %s. Run on? y or enter: yes; any other "
             "key: no",
             cs_count(cs_shot_number(p->shot, 0, "run/steps")).text);
}

void cs_key_answer(const cs_key_press *p)
{
    if ((p->key == 'y' || p->key == '\r') && has_ended(p))
        cs_say(p, "toggle");
}

void cs_key_newest(const cs_key_press *p)
{
    cs_say(p, "rewind to %.0f", cs_shot_number(p->shot, 0, "run/end"));
}

/* Moves by 1 % of the run, within the stored steps. The move is sent
 * relative to the session's current step, because keys may be pressed faster
 * than snapshots arrive. */
void cs_key_scrub(const cs_key_press *p)
{
    double now = cs_shot_number(p->shot, 0, "run/steps");
    double end = cs_shot_number(p->shot, now, "run/end");
    double oldest = cs_shot_number(p->shot, 0, "run/oldest");
    double by = fmax(1, round(end / 100));
    if (p->key == ']')
        cs_say(p, "rewind +%.0f", by);
    else
        cs_say(p, "rewind -%.0f", fmax(0, fmin(by, now - oldest)));
}

/* Moves to the next or previous event of the chosen kind in the displayed
 * arm. */
void cs_key_event(const cs_key_press *p)
{
    cs_say(p, "event %s %s %s", p->key == '{' ? "previous" : "next",
           cs_timeline_kind(p->ui->kind),
           cs_shot_arm(p->shot, p->ui->look.arm));
}

void cs_key_kind(const cs_key_press *p)
{
    size_t *at = &p->ui->kind;
    *at = cs_timeline_kind(*at + 1) ? *at + 1 : 0;
}

void cs_key_speed(const cs_key_press *p)
{
    double now = cs_shot_number(p->shot, 0, "run/speed");
    if (!(now > 0))
        now = fmax(cs_shot_number(p->shot, 0, "run/rate"), 64);
    double next = p->key == '=' ? 0 : p->key == '+' ? now * 2 : now / 2;
    cs_say(p, "speed %.6g", next > 0 && next < 1 ? 1 : next);
}

void cs_key_undo(const cs_key_press *p)
{
    const char *line = cs_undo_back(p->ui);
    if (line)
        cs_say(p, "%s", line);
}

void cs_key_redo(const cs_key_press *p)
{
    const char *line = cs_undo_again(p->ui);
    if (line)
        cs_say(p, "%s", line);
}
