#include "cli/course_check.h"

#include "cli/course/lesson_walk.h"
#include "cli/front/front.h"
#include "io/course_done.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 600, STEPS = 400 };

typedef struct walk {
    cs_client *client;
    char name[CS_COURSE_NAME];
    uint64_t seed;
    size_t questions, faults;
    double margin;  /* smallest so far, in standard errors */
    size_t choices; /* questions with one right answer of several */
    long right;     /* its number, if it is the same in all of them; else 0 */
} walk;

static const char *value(walk *w, const char *key, char out[VALUE])
{
    return cs_lesson_value(w->client, key, out, VALUE);
}

static void fault(walk *w, const char *what)
{
    char step[VALUE];
    printf("%s, seed %" PRIu64 ", step %s: %s\n", w->name, w->seed,
           value(w, "step", step), what);
    w->faults++;
}

/* Sends a command; a command that fails is a fault. */
static bool command(walk *w, const char *name, const char *word)
{
    char line[VALUE + 40], text[1200], *reply = NULL;
    cs_error err;
    snprintf(line, sizeof line, "%s %s", name, word);
    cs_status status = cs_front_hear(w->client, line, &reply, &err);
    free(reply);
    if (status) {
        cs_error_format(&err, text, sizeof text);
        fault(w, text);
    }
    return status == CS_OK;
}

/* Answers the open question, if it has no answer. */
static void answer(walk *w)
{
    char got[VALUE], kind[VALUE], list[VALUE], text[VALUE] = "1";
    if (!*value(w, "ask", got) || *value(w, "mark", got) ||
        *value(w, "answer", got))
        return;
    value(w, "kind", kind);
    if (strcmp(kind, "place") == 0)
        snprintf(text, sizeof text, "0 0");
    if (strcmp(kind, "order") == 0)
        for (char *at = strchr(value(w, "choices", list), '\n') ? list : NULL,
                  number = '2';
             at && (at = strchr(at, '\n')); at++, number++) {
            size_t n = strlen(text);
            snprintf(text + n, sizeof text - n, " %c", number);
        }
    command(w, "answer", text);
}

/* Goes back to the question, gives an answer and makes the next step; the mark must then be
 * `mark`. */
static bool again(walk *w, const char *given, const char *mark)
{
    char text[VALUE], now[VALUE];
    if (!command(w, "course", "back") || !command(w, "answer", given) ||
        !command(w, "course", "next"))
        return false;
    if (strcmp(value(w, "mark", now), mark) == 0)
        return true;
    snprintf(text, sizeof text, "the answer %.100s is marked %.40s, not %s",
             given, now, mark);
    fault(w, text);
    return false;
}

/* Gives every wrong answer to a question with choices. If some of them are
 * explained by a sentence, all must be. */
static void try_choices(walk *w, long right)
{
    char text[VALUE], list[VALUE], number[24];
    long n = 1, mute = 0;
    bool explained = false;
    for (const char *at = value(w, "choices", list); (at = strchr(at, '\n'));
         at++)
        n++;
    w->right = w->choices++ ? (w->right == right ? right : 0) : right;
    for (long i = 1; i <= n; i++) {
        snprintf(number, sizeof number, "%ld", i);
        if (i == right)
            continue;
        if (!again(w, number, "wrong"))
            return;
        bool says = *value(w, "because", text);
        mute = says ? mute : i;
        explained |= says;
    }
    if (!mute || !explained)
        return;
    snprintf(text, sizeof text,
             "the wrong answer %ld has no sentence, and another one has", mute);
    fault(w, text);
}

/* Checks a question whose truth the present step has revealed. */
static void check_question(walk *w)
{
    char mark[VALUE], margin[VALUE], right[VALUE], wrong[VALUE], text[VALUE];
    value(w, "mark", mark);
    double errors = strtod(value(w, "margin", margin), NULL);
    w->questions++;
    w->margin = fmin(w->margin, errors);
    if (strcmp(mark, "open") == 0) {
        snprintf(text, sizeof text,
                 "the run does not decide the question: the answers are "
                 "%.3g standard errors apart",
                 errors);
        fault(w, text);
        return;
    }
    value(w, "right", right);
    value(w, "wrong", wrong);
    if (strcmp(value(w, "kind", text), "choose") == 0)
        try_choices(w, strtol(right, NULL, 10));
    else
        again(w, wrong, "wrong");
    if (w->faults == 0)
        again(w, right, "right");
}

/* Checks that a class cannot guess the right answers by their place. */
static void check_places(walk *w)
{
    enum { FEW = 3 };
    char text[VALUE];
    if (w->choices < FEW || !w->right || w->faults)
        return;
    snprintf(text, sizeof text,
             "the right answer is number %ld in all %zu questions: change the "
             "order of the answers",
             w->right, w->choices);
    fault(w, text);
}

static void go(walk *w)
{
    char last[VALUE] = "", step[VALUE], text[VALUE];
    if (!*value(w, "step", step))
        fault(w, "the file has no course");
    for (int i = 0; i < STEPS && w->faults == 0; i++) {
        if (*value(w, "broken", text)) {
            fault(w, text);
            return;
        }
        answer(w);
        if (*value(w, "mark", text) && *value(w, "right", text) &&
            strcmp(value(w, "step", step), last) != 0)
            check_question(w);
        /* the end is left out, since it would be stored as done */
        if (strcmp(value(w, "step", last), value(w, "of", text)) == 0 ||
            !command(w, "course", "next"))
            return;
    }
}

bool cs_course_check(const cs_args *like, const char *path, uint64_t seed)
{
    cs_error err;
    walk w = {.seed = seed, .margin = HUGE_VAL};
    char set[40], margin[48] = "";
    const char *more[] = {set, NULL};
    cs_args args = *like;
    cs_front_options options = {0};
    args.word[0] = path;
    args.n_words = 1;
    cs_course_name(path, w.name, sizeof w.name);
    snprintf(set, sizeof set, "seed=%" PRIu64, seed);
    cs_status status = cs_front_read(&args, &options, &err);
    if (status == CS_OK)
        status = cs_front_create(&w.client, &options, &err);
    if (status == CS_OK) {
        status = cs_front_open(w.client, &args, more, &err);
        if (status == CS_OK)
            go(&w);
        check_places(&w);
        cs_client_close(w.client, 3000);
        cs_client_destroy(w.client);
    }
    if (status) {
        cs_complain(&err);
        return false;
    }
    if (w.margin < HUGE_VAL)
        snprintf(margin, sizeof margin, ", at least %.3g standard errors apart",
                 w.margin);
    if (w.faults == 0)
        printf("%s, seed %" PRIu64 ": %zu questions%s\n", w.name, seed,
               w.questions, margin);
    fflush(stdout);
    return w.faults == 0;
}
