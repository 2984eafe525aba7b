#include "screen/panels/sentence.h"

#include "figure/figure.h"
#include "screen/panels/arm_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdicts ------------------------------------------------------------- */

/* A line of an arm's warnings. */
typedef struct finding {
    cs_arm_verdict verdict;
    const char *line; /* [length] [borrowed]; NULL: none */
    size_t length;
    bool off; /* off the exact distribution */
} finding;

/* Finds warning number i of an arm. After the last warning, returns false. An
 * arm that is off the exact distribution is biased by design if its kernel is
 * not exact. */
static bool find_line(const cs_shot *s, size_t arm, size_t i, finding *out)
{
    char kind[64];
    const char *line = cs_shot_text(s, "arm/%zu/warnings", arm);
    if (!cs_shot_word(cs_shot_text(s, "arm/%zu/warned", arm), i, kind,
                      sizeof kind))
        return false;
    for (; i && *line; i--)
        line += strcspn(line, "\n"), line += *line == '\n';
    const cs_warning *w = cs_warning_find(kind, strlen(kind));
    *out = (finding){w ? w->verdict : CS_VERDICT_GOOD, line,
                     strcspn(line, "\n"), strcmp(kind, "off") == 0};
    if (out->off && cs_shot_number(s, 1, "arm/%zu/exact", arm) == 0)
        out->verdict = CS_VERDICT_BIASED;
    return true;
}

/* Finds the arm's first warning that affects the verdict. Causes are before
 * effects. */
static finding find_first(const cs_shot *s, size_t arm)
{
    finding one;
    for (size_t i = 0; find_line(s, arm, i, &one); i++)
        if (one.verdict != CS_VERDICT_GOOD)
            return one;
    return (finding){.verdict = CS_VERDICT_GOOD};
}

/* Returns the largest R-hat of an arm; NAN: the arm has no diagnosed draws. */
static double rhat_of(const cs_shot *s, size_t arm)
{
    const cs_table_facts t = cs_shot_facts(s);
    return cs_figure_ask(&cs_figure_rhat, &t.facts, cs_figure_of_arm(arm))
        .value;
}

/* Returns true if an arm is known to be wrong, whatever its draws. */
static bool is_one_wrong(const cs_shot *s)
{
    for (size_t i = 0; i < cs_shot_arms(s); i++)
        if (find_first(s, i).verdict == CS_VERDICT_WRONG)
            return true;
    return false;
}

/* Steps of a run that are too few to judge its chains. */
enum { EARLY = 32 };

bool cs_too_early(const cs_shot *s)
{
    return cs_shot_number(s, 0, "run/steps") < EARLY;
}

bool cs_verdict_of(const cs_shot *s, size_t arm, cs_arm_verdict *out)
{
    *out = find_first(s, arm).verdict;
    if (cs_shot_hides(s))
        return false;
    if (cs_too_early(s) && *out != CS_VERDICT_WRONG)
        *out = CS_VERDICT_FEW;
    if (cs_shot_number(s, 1, "arm/%zu/tuned", arm) < 1)
        *out = *out < CS_VERDICT_WARM_UP ? CS_VERDICT_WARM_UP : *out;
    return *out != CS_VERDICT_GOOD || !isnan(rhat_of(s, arm));
}

/* ---- sentences ------------------------------------------------------------ */

/* Writes "`arm`: warning." */
static void write_problem(const cs_shot *s, size_t arm, const finding *f,
                          char *out)
{
    bool dot = f->length && !strchr(".!?", f->line[f->length - 1]);
    snprintf(out, CS_SENTENCE, "`%.40s`: %.*s%s", cs_shot_arm(s, arm),
             (int)f->length, f->line, dot ? "." : "");
}

/* Writes the problem of the chosen arm. If the chosen arm has none, writes the
 * problem of the first arm that has one. Sets *wrong to true if the arm's draws
 * are wrong, biased or miss modes. Returns false if no arm has a problem that
 * more draws cannot solve. */
static bool write_worst(const cs_shot *s, const cs_selection *at, char *out,
                        bool *wrong)
{
    size_t arm = at->arm;
    finding worst = find_first(s, arm);
    for (size_t i = 0; i < cs_shot_arms(s) && worst.verdict < CS_VERDICT_BIASED;
         i++) {
        finding f = find_first(s, i);
        if (f.verdict >= CS_VERDICT_BIASED) {
            worst = f;
            arm = i;
        }
    }
    if (worst.verdict < CS_VERDICT_BIASED || !worst.length)
        return false;
    write_problem(s, arm, &worst, out);
    *wrong = worst.off || worst.verdict == CS_VERDICT_WRONG ||
             worst.verdict == CS_VERDICT_MODES;
    return true;
}

/* Returns the end of a list of names, "`a`, `b` and `c`", and counts them. */
static char *end_of_names(char *at, size_t *n)
{
    for (*n = 0; *at == '`';) {
        char *end = strchr(at + 1, '`');
        if (!end)
            return at;
        ++*n;
        at = end + 1;
        size_t gap = strncmp(at, ", `", 3) == 0      ? 2
                     : strncmp(at, " and `", 6) == 0 ? 5
                                                     : 0;
        if (gap == 0)
            break;
        at += gap;
    }
    return at;
}

/* Replaces lists of more than three names by the number of arms. */
static void count_names(char *text)
{
    enum { MOST = 3 };
    for (char *at = text; (at = strchr(at, '`'));) {
        char words[32];
        size_t n;
        char *end = end_of_names(at, &n);
        if (n <= MOST) {
            at = n ? end : at + 1;
            continue;
        }
        size_t length = (size_t)snprintf(words, sizeof words, "%zu arms", n);
        memmove(at + length, end, strlen(end) + 1);
        memcpy(at, words, length);
    }
}

/* Writes the first clause of the comparison of the arms. */
static bool write_race(const cs_shot *s, const cs_selection *at, char *out)
{
    char text[1000] = "";
    cs_racers arms;
    if (cs_shot_arms(s) < 2)
        return false;
    const cs_figure_look look = cs_panel_look(at);
    cs_race_line_up(s, &look, &arms);
    if (!cs_race_has(&arms, CS_RACE_ESS))
        return false;
    cs_race_say(&arms, text, sizeof text);
    char *end = strstr(text, "; ");
    if (end)
        *end = 0;
    count_names(text);
    snprintf(out, CS_SENTENCE, "%.*s%s", CS_SENTENCE - 2, text,
             *text && text[strlen(text) - 1] != '.' ? "." : "");
    return *text;
}

/* Writes that an arm has too few draws, or that its draws are good. */
static bool write_draws(const cs_shot *s, size_t arm, char *out)
{
    const finding f = find_first(s, arm);
    const cs_arm_row row = cs_arm_row_of(s, arm, CS_UNIT_USUAL);
    char distance[80] = "", size[64] = "";
    if (f.length) {
        write_problem(s, arm, &f, out);
        return true;
    }
    if (isnan(row.r_hat))
        return false;
    if (isfinite(row.ess))
        snprintf(size, sizeof size, ", %s effective draws",
                 cs_count(floor(row.ess)).text);
    if (isfinite(row.distance) && isfinite(row.floor))
        snprintf(distance, sizeof distance,
                 "; distance from exact %.3f where independent draws have "
                 "%.3f",
                 row.distance, row.floor);
    snprintf(out, CS_SENTENCE, "`%.40s` is good: R-hat %.3f%s%s.",
             cs_shot_arm(s, arm), row.r_hat, size, distance);
    return true;
}

/* Writes that nothing is known, and the finding that the scenario shows. */
static void write_nothing(const cs_shot *s, cs_run_sentences *out)
{
    double steps = cs_shot_number(s, 0, "run/steps");
    if (steps > 0 && cs_too_early(s))
        snprintf(out->text[0], CS_SENTENCE,
                 "It is too early to judge: %.0f step%s so far.", steps,
                 steps > 1 ? "s" : "");
    else
        snprintf(out->text[0], CS_SENTENCE, "Nothing is known yet: %s.",
                 steps > 0          ? "there are no draws to judge"
                 : cs_shot_plays(s) ? "enter runs 50 steps"
                 : *cs_shot_text(s, "course/step")
                     ? "enter makes the next step of the lesson"
                     : "space runs, . makes one step");
    snprintf(out->text[1], CS_SENTENCE, "%s", cs_shot_text(s, "run/shows"));
}

/* Returns true if `next` begins with the words of `first` after its arm. */
static bool repeats(const char *first, const char *next)
{
    const char *a = strstr(first, "`: ");
    if (!a)
        return false;
    for (a += 3; *a && *next; a++, next++) {
        a += *a == '`';
        next += *next == '`';
        if (!*a || *a != *next)
            break;
    }
    return strcmp(a, ".") == 0;
}

const char *cs_question_end(const char *question, int columns)
{
    const char *next;
    while (cs_text_width(question) > columns && (next = strstr(question, ". ")))
        question = next + 2;
    return question;
}

/* Writes the open question and its answers. */
static void write_question(const cs_shot *s, cs_run_sentences *out)
{
    const char *answer = cs_shot_text(s, "course/answer");
    const char *list = cs_shot_text(s, "course/choices");
    char *to = out->text[1];
    snprintf(out->text[0], CS_SENTENCE, "%s", cs_shot_text(s, "course/ask"));
    if (*answer) {
        snprintf(to, CS_SENTENCE, "Your answer: %s", answer);
        return;
    }
    for (size_t i = 1, used = 0; *list && used < CS_SENTENCE; i++) {
        size_t n = strcspn(list, "\n");
        used += (size_t)snprintf(to + used, CS_SENTENCE - used, "%s%zu %.*s",
                                 i > 1 ? "   " : "", i, (int)n, list);
        list += n;
        list += *list == '\n';
    }
}

/* Writes the open game: the score or the marked arm, then the finding of the
 * test. */
static void write_game(const cs_shot *s, cs_run_sentences *out)
{
    const char *text = cs_shot_text(s, "course/text");
    const char *marked = cs_shot_text(s, "course/chosen");
    const char *next = strchr(text, '\n');
    size_t arm = (size_t)strtoul(marked, NULL, 10);
    if (arm)
        snprintf(out->text[0], CS_SENTENCE,
                 "`%.40s` is marked: %zu names it as the broken arm, t tests "
                 "it.",
                 cs_shot_arm(s, arm - 1), arm);
    else
        snprintf(out->text[0], CS_SENTENCE, "%s %.*s",
                 cs_shot_text(s, "course/ask"), (int)strcspn(text, "\n"), text);
    snprintf(out->text[1], CS_SENTENCE, "%s", next ? next + 1 : "");
}

/* Writes that the verdicts are covered until the last answer is revealed. */
static void write_covered(cs_run_sentences *out)
{
    snprintf(out->text[0], CS_SENTENCE,
             "The lesson has more questions: verdicts are covered until its "
             "last answer.");
}

void cs_sentences_write(const cs_shot *s, const cs_selection *at,
                        cs_run_sentences *out)
{
    size_t n = 0;
    bool wrong = false;
    *out = (cs_run_sentences){.text = {""}};
    if (cs_shot_arms(s) == 0)
        return;
    if (cs_shot_asks(s)) {
        (cs_shot_is_game(s) ? write_game : write_question)(s, out);
        return;
    }
    if (cs_too_early(s) && !is_one_wrong(s)) {
        write_nothing(s, out);
        return;
    }
    if (cs_shot_hides(s)) {
        write_covered(out);
        return;
    }
    n += write_worst(s, at, out->text[n], &wrong);
    if (wrong) /* nothing else is as important */
        return;
    n += write_race(s, at, out->text[n]);
    if (n < 2)
        n += write_draws(s, at->arm, out->text[n]);
    if (n == 0)
        write_nothing(s, out);
    if (n == 2 && repeats(out->text[0], out->text[1]))
        memcpy(out->text[0], out->text[1], sizeof out->text[0]);
    if (n == 2 && strcmp(out->text[0], out->text[1]) == 0)
        *out->text[1] = 0;
    if (!*out->text[1])
        snprintf(out->text[1], CS_SENTENCE, "%s", cs_shot_text(s, "run/shows"));
}
