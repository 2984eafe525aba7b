#include "screen/parts/tell_course.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool cs_tells_course(const cs_shot *s)
{
    return *cs_shot_text(s, "course/step");
}

static bool asks(const cs_shot *s)
{
    return *cs_shot_text(s, "course/ask") && !*cs_shot_text(s, "course/mark");
}

bool cs_line_at(const char *text, size_t i, char *out, size_t size)
{
    for (; i && *text; i--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
    return *text;
}

static void tell_answers(const cs_shot *s, cs_page *p)
{
    const char *kind = cs_shot_text(s, "course/kind");
    const char *list = cs_shot_text(s, "course/choices");
    char one[256];
    if (*cs_shot_text(s, "course/answer"))
        return;
    for (size_t i = 0; cs_line_at(list, i, one, sizeof one); i++)
        cs_page_put(p, "%zu: %s.\n", i + 1, one);
    if (strcmp(kind, "order") == 0)
        cs_page_put(p, "Answer with the numbers or the names in order.\n");
    else if (strcmp(kind, "place") == 0)
        cs_page_put(p, "Answer with two numbers: %s.\n",
                    cs_shot_text(s, "course/place"));
    else if (strcmp(kind, "several") == 0)
        cs_page_put(p, "Answer with the numbers of all right answers, or with "
                       "none.\n");
    else if (strcmp(kind, "choose") == 0)
        cs_page_put(p, "Answer with the number of one answer.\n");
    else
        cs_page_put(p, "Answer with a number, such as 0.5.\n");
}

static void tell_mark(const cs_shot *s, cs_page *p)
{
    const char *mark = cs_shot_text(s, "course/mark");
    const char *because = cs_shot_text(s, "course/because");
    if (strcmp(mark, "right") == 0)
        cs_page_put(p, "Your answer is right.\n");
    else if (strcmp(mark, "wrong") == 0)
        cs_page_put(p, "Your answer is wrong.%s%s\n", *because ? " " : "",
                    because);
    else if (strcmp(mark, "open") == 0)
        cs_page_put(p, "With this seed, the run does not decide the "
                       "question.\n");
    const char *truth = cs_shot_text(s, "course/truth");
    if (*mark && !strstr(cs_shot_text(s, "course/text"), truth))
        cs_page_put(p, "Measured: %s.\n", truth);
}

/* Appends a sentence, with a full stop if it ends without a sign. */
static void put_sentence(cs_page *p, const char *text)
{
    size_t n = strlen(text);
    if (n)
        cs_page_put(p, "%s%s\n", text, strchr(".!?:", text[n - 1]) ? "" : ".");
}

bool cs_class_votes(const cs_shot *s, const char *key, size_t i, double *count,
                    double *sum)
{
    char *end;
    size_t n = 0;
    *count = *sum = 0;
    for (const char *at = cs_shot_text(s, "course/%s", key);; at = end, n++) {
        double x = strtod(at, &end);
        if (end == at)
            break;
        *sum += x;
        *count = n == i ? x : *count;
    }
    bool second = strcmp(key, "votes") != 0;
    double voters = strtod(
        cs_shot_text(s, second ? "course/voters_second" : "course/voters"),
        NULL);
    if (voters > 0) /* a voter may choose several answers */
        *sum = voters;
    return n > i;
}

/* Appends a vote of the class: "Class: yes 12 (63 %), no 7 (37 %)." */
static void tell_votes(const cs_shot *s, const char *head, const char *key,
                       cs_page *p)
{
    const char *list = cs_shot_text(s, "course/choices");
    char one[256];
    double count, sum;
    for (size_t i = 0; cs_line_at(list, i, one, sizeof one) &&
                       cs_class_votes(s, key, i, &count, &sum);
         i++)
        cs_page_put(p, "%s%s %.0f (%.0f %%)", i ? ", " : head, one, count,
                    sum > 0 ? 100 * count / sum : 0);
    if (cs_class_votes(s, key, 0, &count, &sum))
        cs_page_put(p, ".\n");
}

void cs_tell_answer(const cs_shot *s, cs_page *p)
{
    const char *answer = cs_shot_text(s, "course/answer");
    if (*answer)
        cs_page_put(p, "Your answer: %s.\n", answer);
}

/* Appends the sentence and the open question, unless the question has an answer
 * and an earlier step has asked it. */
static void tell_question(const cs_shot *s, cs_page *p)
{
    bool now = strcmp(cs_shot_text(s, "course/asked"),
                      cs_shot_text(s, "course/step")) == 0;
    put_sentence(p, cs_shot_text(s, "course/text"));
    if (!now && *cs_shot_text(s, "course/answer"))
        return;
    cs_page_put(p, "Question: %s\n", cs_shot_text(s, "course/ask"));
    tell_answers(s, p);
    cs_tell_answer(s, p);
}

static void tell_end(const cs_shot *s, cs_page *p)
{
    double got = 0, of = 0;
    if (sscanf(cs_shot_text(s, "course/points"), "%lf %lf", &got, &of) == 2)
        cs_page_put(p, "The lesson is over: %.0f of %.0f points.\n", got, of);
}

static void tell_game(const cs_shot *s, cs_page *p)
{
    char one[512];
    for (size_t i = 0;
         cs_line_at(cs_shot_text(s, "course/text"), i, one, sizeof one); i++)
        put_sentence(p, one);
    if (cs_shot_plays(s))
        cs_page_put(p, "An empty line runs 50 steps. a, b, c or d names the "
                       "broken arm, check a tests an arm for 30 points, and "
                       "game say quit shows the answer.\n");
}

void cs_tell_course(const cs_shot *s, cs_page *p)
{
    if (cs_shot_is_game(s)) {
        tell_game(s, p);
        return;
    }
    if (*cs_shot_text(s, "course/over")) {
        tell_end(s, p);
        return;
    }
    cs_page_put(p, "Lesson step %s of %s.\n", cs_shot_text(s, "course/step"),
                cs_shot_text(s, "course/of"));
    put_sentence(p, cs_shot_text(s, "course/broken"));
    if (*cs_shot_text(s, "course/point/word"))
        cs_page_put(p, "Pointed at: %s%s%s.\n",
                    cs_shot_text(s, "course/point/word"),
                    *cs_shot_text(s, "course/point/arm") ? ", arm " : "",
                    cs_shot_text(s, "course/point/arm"));
    if (asks(s)) {
        tell_question(s, p);
    } else {
        cs_tell_answer(s, p);
        tell_mark(s, p);
        tell_votes(s, "Class: ", "votes", p);
        tell_votes(s, "Class, second vote: ", "votes_second", p);
        put_sentence(p, cs_shot_text(s, "course/text"));
    }
}

/* Returns true if the line is an answer: it begins with a digit or a sign, or it
 * is or begins with one of the answers. */
static bool is_answer(const cs_shot *s, const char *line)
{
    const char *list = cs_shot_text(s, "course/choices");
    char one[256];
    if (strchr("0123456789+-.", *line) || strcmp(line, "none") == 0)
        return true;
    for (size_t i = 0; cs_line_at(list, i, one, sizeof one); i++) {
        size_t n = strlen(one);
        if (strncasecmp(line, one, n) == 0 &&
            (!line[n] || strchr(" ,", line[n])))
            return true;
    }
    return false;
}

/* Returns true if the line is a move of the game, not a command or a panel. */
static bool is_move(const char *line)
{
    static const char *const words[] = {"check", "mark"};
    size_t n = strcspn(line, " ");
    bool move = line[strspn(line, "0123456789")] == 0 ||
                (n == 1 && !line[1] && strchr("abcd", line[0]));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        move |= strlen(words[i]) == n && strncmp(line, words[i], n) == 0;
    return move;
}

bool cs_course_line(const cs_shot *s, const char *line, char *out, size_t size)
{
    if (!cs_tells_course(s))
        return false;
    if (cs_shot_is_game(s)) {
        snprintf(out, size, "game say %s", *line ? line : "1");
        return cs_shot_plays(s) ? is_move(line) : !*line;
    }
    if (!*line || strcmp(line, "next") == 0)
        snprintf(out, size, "course next");
    else if (strcmp(line, "back") == 0)
        snprintf(out, size, "course back");
    else if (asks(s) ? is_answer(s, line) : strchr("0123456789", *line) != NULL)
        snprintf(out, size, "answer %s", line);
    else
        return false;
    return true;
}
