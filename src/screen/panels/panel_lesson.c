/* The lesson: the comment at the head of the scenario's file. */
#include "screen/canvas/large_letters.h"
#include "screen/panels/panel.h"
#include "screen/panels/sentence.h"
#include "screen/parts/tell_course.h"

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

/* ---- a course ------------------------------------------------------------- */

/* lines of a text of one line at the end of a step, with the empty line above */
enum { LAST = 2 };

/* The lines of a step, from line `y` on; lines above 0 are scrolled away. */
typedef struct writer {
    const cs_area *area;
    int y;
    bool tight; /* without empty lines between the texts */
} writer;

/* Writes a text of several lines, and an empty line before it if it is not the
 * first. Writes nothing for an empty text. */
static void put(writer *w, cs_role role, const char *text, unsigned attribute)
{
    const int room = w->area->w - 2;
    w->y += *text && w->y > 0 && !w->tight;
    while (*text && room > 0) {
        char one[512];
        snprintf(one, sizeof one, "%s", text);
        size_t take = cs_text_line(one, room);
        one[take] = 0;
        if (w->y >= 0 && w->y < w->area->h) {
            cs_print(w->area, 1, w->y, role, "%s", one);
            if (attribute)
                cs_attribute(w->area, 0, w->y, w->area->w, attribute);
        }
        w->y++;
        text += take;
        text += *text == ' ';
        if (!take)
            break;
    }
}

/* Writes a text in the largest letters for which it fits in the area above
 * `below` lines: blocks, spaced letters, or usual ones. */
static void put_large(writer *w, const char *text, int below)
{
    static const cs_letters sizes[] = {CS_LETTERS_BLOCKS, CS_LETTERS_SPACED};
    cs_area in = cs_area_part(w->area, 1, 0, w->area->w - 2, w->area->h);
    int top = w->y + (w->y > 0 && !w->tight), room = w->area->h - top - below;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int h = cs_letters_height(&in, text, sizes[i]);
        if (h == 0 || h > room)
            continue;
        cs_letters_print(&in, top, CS_ROLE_NORMAL, text, sizes[i]);
        for (int y = top; y < top + h; y++)
            cs_attribute(w->area, 0, y, w->area->w, CS_BOLD);
        w->y = top + h;
        return;
    }
    put(w, CS_ROLE_NORMAL, text, CS_BOLD);
}

/* Writes the text that matters most at this step. */
static void put_main(writer *w, const char *text, bool big, int below)
{
    if (big)
        put_large(w, text, below);
    else
        put(w, CS_ROLE_NORMAL, text, CS_BOLD);
}

/* Writes the answers of a question, one per line, each with its number. `given`
 * has the numbers of the chosen answers. */
static void put_answers(writer *w, const char *list, const char *given)
{
    for (size_t i = 1; *list; i++) {
        char one[256];
        size_t n = strcspn(list, "\n");
        snprintf(one, sizeof one, "%.*s", (int)n, list);
        /* a question has at most nine answers */
        bool chosen = i <= 9 && strchr(given, (int)('0' + i));
        if (w->y >= 0 && w->y < w->area->h) {
            cs_print(w->area, 1, w->y, CS_ROLE_KEY, "%zu", i);
            cs_print_cut(w->area, 3, w->y, w->area->w - 4,
                         chosen ? CS_ROLE_FOCUS : CS_ROLE_VALUE, "%s%s", one,
                         chosen ? "  <" : "");
        }
        w->y++;
        list += n;
        list += *list == '\n';
    }
}

static void put_question(writer *w, const cs_shot *s, bool big)
{
    static const struct {
        const char *kind, *hint;
    } hints[] = {{"choose", "press the number of an answer"},
                 {"several", "press the numbers of all right answers"},
                 {"number", "type a number, then press enter"},
                 {"order",
                  "type the numbers in order, such as 2 1 3, then press "
                  "enter"},
                 {"place", "type two numbers, then press enter"}};
    const char *kind = cs_shot_text(s, "course/kind");
    const char *answer = cs_shot_text(s, "course/answer");
    const char *list = cs_shot_text(s, "course/choices");
    int below = *answer ? 2 * LAST : LAST; /* the hint; the next key */
    for (const char *at = list; *at; at += *at == '\n') {
        at += strcspn(at, "\n");
        below++;
    }
    put_main(w, cs_shot_text(s, "course/ask"), big, below);
    put_answers(w, list, cs_shot_text(s, "course/chosen"));
    char text[300] = "";
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strcmp(hints[i].kind, kind) == 0)
            snprintf(text, sizeof text, "%s", hints[i].hint);
    if (*answer)
        snprintf(text, sizeof text, "Your answer: %s", answer);
    put(w, *answer ? CS_ROLE_VALUE : CS_ROLE_LABEL, text, 0);
}

static void put_mark(writer *w, const cs_shot *s)
{
    const char *mark = cs_shot_text(s, "course/mark");
    const char *answer = cs_shot_text(s, "course/answer");
    const char *truth = cs_shot_text(s, "course/truth");
    char text[400];
    put(w, CS_ROLE_LABEL, cs_question_end(cs_shot_text(s, "course/ask"), 0), 0);
    if (strcmp(mark, "open") == 0)
        snprintf(text, sizeof text,
                 "With this seed, the run does not decide it.");
    else if (*answer)
        snprintf(text, sizeof text, "Your answer: %s. %s.", answer,
                 strcmp(mark, "right") == 0 ? "Right" : "Wrong");
    else
        snprintf(text, sizeof text, "No answer was given.");
    put(w, strcmp(mark, "right") == 0 ? CS_ROLE_VALUE : CS_ROLE_WARN, text, 0);
    put(w, CS_ROLE_NORMAL, cs_shot_text(s, "course/because"), 0);
    snprintf(text, sizeof text, "Measured: %s", truth);
    if (!strstr(cs_shot_text(s, "course/text"), truth))
        put(w, CS_ROLE_VALUE, text, 0);
}

/* Writes a bar for the count of answer i in a vote, and returns true; returns
 * false if there is no such count. */
static bool put_bar(writer *w, const cs_shot *s, const char *key, size_t i,
                    const char *name, unsigned code)
{
    enum { NAME = 16, NUMBERS = 12 };
    double count, sum;
    if (!cs_class_votes(s, key, i, &count, &sum))
        return false;
    int room = w->area->w - NAME - NUMBERS - 3, at = NAME + 2;
    if (w->y >= 0 && w->y < w->area->h && room > 0) {
        cs_print_cut(w->area, 1, w->y, NAME, CS_ROLE_VALUE, "%s", name);
        for (int x = 0; sum > 0 && x < (int)(room * count / sum + 0.5); x++)
            cs_put(w->area, at++, w->y, CS_ROLE_VALUE, code);
        cs_print(w->area, at + 1, w->y, CS_ROLE_LABEL, "%.0f, %.0f %%", count,
                 sum > 0 ? 100 * count / sum : 0);
    }
    w->y++;
    return true;
}

/* Writes the votes of a class as bars: for each answer the first and, in a
 * lighter shade, the second vote. */
static void put_votes(writer *w, const cs_shot *s)
{
    char one[256];
    w->y += *cs_shot_text(s, "course/votes") && !w->tight;
    for (size_t i = 0;
         cs_line_at(cs_shot_text(s, "course/choices"), i, one, sizeof one) &&
         put_bar(w, s, "votes", i, one, 0x2588);
         i++)
        put_bar(w, s, "votes_second", i, "  second vote", 0x2592);
}

/* ---- a game ---------------------------------------------------------------- */

/* Writes the texts of a list, one per line. */
static void put_list(writer *w, cs_role role, const char *list)
{
    char one[512];
    for (size_t i = 0; cs_line_at(list, i, one, sizeof one); i++)
        put(w, role, one, 0);
}

/* Writes the arms in one line, each with its digit. */
static void put_arms(writer *w, const cs_shot *s)
{
    const char *marked = cs_shot_text(s, "course/chosen");
    const char *list = cs_shot_text(s, "course/choices");
    char one[64];
    w->y += !w->tight;
    for (int i = 0, x = 1; cs_line_at(list, (size_t)i, one, sizeof one) &&
                           w->y >= 0 && w->y < w->area->h;
         i++) {
        bool chosen = marked[0] == '1' + i;
        x = cs_print(w->area, x, w->y, CS_ROLE_KEY, "%d", i + 1) + 1;
        x = cs_print(w->area, x, w->y, chosen ? CS_ROLE_FOCUS : CS_ROLE_VALUE,
                     "%s%s", one, chosen ? " <" : "") +
            3;
    }
    w->y++;
}

/* Writes the open game: what a right answer scores now, the question and the
 * keys; or how the game has ended. */
static void put_game(writer *w, const cs_shot *s)
{
    const char *marked = cs_shot_text(s, "course/chosen");
    char text[120];
    put_list(w, CS_ROLE_NORMAL, cs_shot_text(s, "course/text"));
    if (!cs_shot_plays(s)) {
        put(w, CS_ROLE_LABEL, "R: another game   G: the gallery", 0);
        return;
    }
    put(w, CS_ROLE_NORMAL, cs_shot_text(s, "course/ask"), CS_BOLD);
    put_arms(w, s);
    put(w, CS_ROLE_LABEL, "enter: 50 steps", 0);
    snprintf(text, sizeof text,
             *marked ? "%s: name this arm   t: test it" : "1 to 4: mark an arm",
             marked);
    put(w, CS_ROLE_LABEL, text, 0);
}

static void put_step(writer *w, const cs_shot *s, bool big)
{
    double got = 0, of = 0;
    char text[80];
    if (cs_shot_is_game(s)) {
        put_game(w, s);
        return;
    }
    bool marked = *cs_shot_text(s, "course/mark");
    bool asks = !marked && *cs_shot_text(s, "course/ask");
    put(w, CS_ROLE_ERROR, cs_shot_text(s, "course/broken"), 0);
    if (marked)
        put_mark(w, s);
    if (marked)
        put_votes(w, s);
    put_main(w, cs_shot_text(s, "course/text"), big && !asks, LAST);
    if (asks)
        put_question(w, s, big);
    if (!*cs_shot_text(s, "course/over") &&
        (!cs_shot_asks(s) || *cs_shot_text(s, "course/answer")))
        put(w, CS_ROLE_LABEL, "press enter to continue", 0);
    if (*cs_shot_text(s, "course/over") &&
        sscanf(cs_shot_text(s, "course/points"), "%lf %lf", &got, &of) == 2) {
        snprintf(text, sizeof text,
                 "The lesson is over: %.0f of %.0f points. G: other lessons",
                 got, of);
        put(w, CS_ROLE_VALUE, text, 0);
    }
}

/* Draws a step, without empty lines if it is too long for the area. */
static void draw_step(const cs_area *a, const cs_shot *s, size_t scroll,
                      bool big)
{
    cs_area none = cs_area_part(a, 0, 0, a->w, 0);
    writer length = {&none, 0, false};
    put_step(&length, s, big);
    writer w = {a, -(int)(scroll < 1000 ? scroll : 1000), length.y > a->h};
    put_step(&w, s, big);
    if (w.y > a->h)
        cs_print(a, a->w - 1, a->h - 1, CS_ROLE_LABEL, "v");
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    (void)at;
    if (cs_shot_is_game(s))
        snprintf(out, size, "%s", cs_shot_plays(s) ? "game" : "game over");
    else if (*cs_shot_text(s, "course/step"))
        snprintf(out, size, "step %s of %s", cs_shot_text(s, "course/step"),
                 cs_shot_text(s, "course/of"));
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    const char *text = cs_shot_text(s, "run/lesson");
    if (*cs_shot_text(s, "course/step"))
        draw_step(a, s, at->scroll, at->big);
    else if (*text)
        cs_draw_lesson(a, text, at->scroll);
    else
        cs_panel_empty(a, s, "This scenario has no lesson.",
                       "Write one as a comment at the head of its file.");
}

const cs_panel_type cs_panel_lesson = {
    .name = "lesson",
    .title = "lesson",
    .help = "The comment at the top of the scenario's file, which describes "
            "the subject, the results to look for and changes to try. In a "
            "scenario with a course, the present step of the lesson, with its "
            "question. Page up and page down scroll.",
    .text = true,
    .no_arm = true,
    .caption = caption,
    .draw = draw,
};
