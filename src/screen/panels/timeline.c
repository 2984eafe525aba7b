#include "screen/panels/timeline.h"

#include "run/history/event_list.h"
#include "screen/canvas/plot.h"

#include <math.h>
#include <stdio.h>

enum { WIDE = 160, MOST = CS_CANVAS_MAX };
/* Kinds of events that occur only in the timeline. HELD: a breakpoint held
 * the run. DRAWS: the warm-up of an arm and its tuner ended, and its
 * schedules started to count steps. */
enum { HELD = CS_EVENT_KINDS, DRAWS, KINDS };
/* number of columns before the line, for the longest name of a kind */
enum { BEGIN = 14 };

/* The letter and role of each kind. */
static const struct look {
    char letter;
    cs_role role;
} looks[] = {[CS_EVENT_STOP] = {'X', CS_ROLE_ERROR},
             [CS_EVENT_CHANGE] = {'C', CS_ROLE_EVENT},
             [CS_EVENT_VISIT] = {'V', CS_ROLE_ACCEPT},
             [CS_EVENT_DIVERGENCE] = {'D', CS_ROLE_WARN},
             [CS_EVENT_NAN] = {'N', CS_ROLE_ERROR},
             [CS_EVENT_REJECTIONS] = {'R', CS_ROLE_REJECT},
             [CS_EVENT_JUMP] = {'j', CS_ROLE_VALUE},
             [CS_EVENT_SWAP] = {'s', CS_ROLE_LABEL},
             [HELD] = {'B', CS_ROLE_FOCUS},
             [DRAWS] = {'W', CS_ROLE_FOCUS}};

static const char *word_of(unsigned kind)
{
    return kind == HELD    ? "break"
           : kind == DRAWS ? "warm-up ends"
                           : cs_event_word(kind);
}

const char *cs_timeline_kind(size_t chosen)
{
    return chosen == 0 ? "any" : cs_event_word(chosen - 1);
}

/* The run from step 0 to `end` in n columns. */
typedef struct timeline {
    double end, now, oldest;
    int n;
    double count[KINDS];
    unsigned char shown[MOST]; /* kind + 1 of the event in a column, 0: none */
} timeline;

static int column(const timeline *t, double step)
{
    double at = t->end > 0 ? step / t->end * t->n : 0;
    return at >= 0 && at < t->n ? (int)at : t->n - 1;
}

/* Returns true if kind a is rarer than kind b. A column with both shows the
 * rarer kind. */
static bool is_rarer(const timeline *t, unsigned a, unsigned b)
{
    if (a >= HELD || b >= HELD)
        return a >= HELD && (b < HELD || a < b);
    if (t->count[a] != t->count[b])
        return t->count[a] < t->count[b];
    return a < b;
}

static void put_event(timeline *t, double step, double of)
{
    unsigned kind = of >= 0 && of <= DRAWS ? (unsigned)of : HELD;
    if (!(step >= 0 && step <= t->end))
        return;
    unsigned char *at = &t->shown[column(t, step)];
    if (*at == 0 || is_rarer(t, kind, *at - 1u))
        *at = (unsigned char)(kind + 1);
}

static double warmup_of(const cs_shot *s, size_t arm)
{
    return cs_shot_number(s, 0, "arm/%zu/warm_up", arm);
}

static void read_counts(timeline *t, const cs_shot *s)
{
    size_t r, n;
    const double *count = cs_shot_array(s, &r, &n, "moment/counts");
    for (size_t k = 0; count && k < n && k < CS_EVENT_KINDS; k++)
        t->count[k] = count[k];
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        t->count[DRAWS] += warmup_of(s, i) > 0;
}

static void read_events(timeline *t, const cs_shot *s)
{
    size_t n;
    const cs_row_moment *row =
        CS_SHOT_ROWS(s, cs_row_moment, &n, CS_KEY_MOMENTS);
    for (size_t i = 0; row && i < n; i++)
        put_event(t, row[i].step, row[i].kind);
    const cs_row_event *change =
        CS_SHOT_ROWS(s, cs_row_event, &n, CS_KEY_EVENTS);
    for (size_t i = 0; change && i < n; i++)
        put_event(t, change[i].step, CS_EVENT_CHANGE);
}

static void read_warmups(timeline *t, const cs_shot *s)
{
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if (warmup_of(s, i) > 0)
            put_event(t, warmup_of(s, i), DRAWS);
}

/* Draws the line. Steps that are no longer stored are dots; future steps are a
 * faint line. */
static void draw_line(const cs_area *a, const timeline *t)
{
    for (int x = 0; x < t->n; x++) {
        double from = x * t->end / t->n;
        cs_role role = from <= t->now ? CS_ROLE_LABEL : CS_ROLE_FAINT;
        const struct look *is = t->shown[x] ? &looks[t->shown[x] - 1] : NULL;
        cs_put(a, x, 0, is ? is->role : role,
               is                     ? (unsigned)is->letter
               : from + 1 < t->oldest ? 0xB7u
                                      : 0x2500u);
    }
    int at = column(t, t->now);
    cs_put(a, at, 0, CS_ROLE_CURSOR, 0x2502);
    cs_attribute(a, at, 0, 1, CS_BOLD | CS_REVERSE);
}

/* Draws the number of events of each kind, "V 3  j 12", from the right. Kinds
 * that do not fit are left out. Returns the number of columns used. */
static int counts(const cs_area *a, const timeline *t, int most, bool draw)
{
    int used = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        char text[48];
        const char *word = a->w >= WIDE ? word_of(k) : "";
        snprintf(text, sizeof text, " %s%s%s", word, *word ? " " : "",
                 cs_num(t->count[k]).text);
        int width = 3 + cs_text_width(text);
        if (!(t->count[k] > 0) || used + width > most)
            continue;
        if (draw) {
            int x = a->w - most + used + 2;
            char letter[2] = {looks[k].letter};
            cs_print(a, x, 0, looks[k].role, "%s", letter);
            cs_print(a, x + 1, 0, CS_ROLE_LABEL, "%s", text);
        }
        used += width;
    }
    return used;
}

/* Writes the displayed step if it is not the newest one and, if `whole`, the
 * key that returns to the newest step; otherwise writes the number of breaks.
 * The title has the number of the newest step. */
static void note(const cs_shot *s, const timeline *t, bool whole, char *text,
                 size_t size)
{
    double breaks = cs_shot_number(s, 0, "run/breaks");
    *text = 0;
    if (t->now < t->end)
        snprintf(text, size, "at %s of %s%s", cs_count(t->now).text,
                 cs_count(t->end).text, whole ? "; end: newest step" : "");
    else if (breaks > 0 && whole)
        snprintf(text, size, "%.0f break%s", breaks, breaks > 1 ? "s" : "");
}

/* Divides the row. The line gets at least a third of it: if space is short,
 * the counts are dropped first, then half of the note. Returns the number of
 * columns for the counts. */
static int share_room(const cs_area *a, const cs_shot *s, timeline *t,
                      char *text, size_t size)
{
    int right = 0, room = a->w - BEGIN - 2;
    for (int how = 0; how < 3; how++) {
        note(s, t, how < 2, text, size);
        right = how == 0 && a->w >= WIDE ? counts(a, t, a->w / 3, false) : 0;
        t->n = room - cs_text_width(text) - right;
        if (t->n >= a->w / 3)
            break;
    }
    return right;
}

void cs_timeline_letters(const cs_area *a, const cs_shot *s)
{
    timeline t = {.end = 0};
    int x = 1;
    read_counts(&t, s);
    for (unsigned k = 0; k < KINDS && a->w < WIDE; k++) {
        const char *title = k < HELD ? cs_event_title(k) : word_of(k);
        int width = 2 + cs_text_width(title);
        if (!(t.count[k] > 0) || x + width > a->w)
            continue;
        char letter[2] = {looks[k].letter};
        cs_print(a, x, 0, looks[k].role, "%s", letter);
        x = cs_print(a, x + 2, 0, CS_ROLE_LABEL, "%s", title) + 2;
    }
}

void cs_timeline_draw(const cs_area *a, const cs_shot *s, size_t chosen)
{
    timeline t = {.now = cs_shot_number(s, 0, "run/steps")};
    char text[120];
    t.end = fmax(cs_shot_number(s, 0, "run/end"), t.now);
    t.oldest = cs_shot_number(s, 0, "run/oldest");
    cs_fill(a, CS_ROLE_NORMAL, ' ');
    cs_print(a, 1, 0, CS_ROLE_KEY, "'");
    cs_print_cut(a, 3, 0, BEGIN - 4, CS_ROLE_LABEL, "%s",
                 chosen ? cs_timeline_kind(chosen) : "events");
    if (!(t.end > 0)) {
        cs_print_cut(a, BEGIN, 0, a->w - BEGIN - 1, CS_ROLE_LABEL,
                     cs_shot_plays(s)
                         ? "no step yet: enter runs 50 steps"
                         : "no step yet: space runs, . makes one step");
        return;
    }
    read_counts(&t, s);
    int right = share_room(a, s, &t, text, sizeof text);
    if (t.n < 10 || t.n > MOST)
        return;
    read_events(&t, s);
    read_warmups(&t, s);
    cs_area line = cs_area_part(a, BEGIN, 0, t.n, 1);
    draw_line(&line, &t);
    cs_canvas_note_axis(a->canvas, (cs_x_axis){.x = line.x,
                                               .y = line.y,
                                               .w = t.n,
                                               .to = t.end * (t.n - 1) / t.n,
                                               .steps = true});
    cs_print(a, BEGIN + t.n + 1, 0, CS_ROLE_VALUE, "%s", text);
    counts(a, &t, right, true);
}
