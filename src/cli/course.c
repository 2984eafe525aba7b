/* chainscope course: lists the lessons of the course with what the user has
 * done, opens a lesson, or checks lessons. */
#include "base/install_paths.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/catalogue/scenarios.h"
#include "cli/course/class_results.h"
#include "cli/course_check.h"
#include "cli/front/front.h"
#include "cli/screen.h"
#include "files/file.h"
#include "io/course_done.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LESSONS = 200 };

/* A lesson of the gallery: a scenario with the tag `course`. */
typedef struct lesson {
    const cs_scenario *scenario; /* [borrowed] */
    double week, minutes;        /* tags week-N and minutes-N; 0: none */
} lesson;

static double number_after(const char *tags, const char *head)
{
    const char *at = strstr(tags, head);
    return at ? fmin(strtod(at + strlen(head), NULL), 1e3) : 0;
}

static int compare(const void *a, const void *b)
{
    const lesson *x = a, *y = b;
    if (x->week != y->week)
        return x->week < y->week ? -1 : 1;
    return strcmp(x->scenario->name, y->scenario->name);
}

/* Finds the lessons, in the order of their weeks. Returns their number. */
static size_t find_lessons(lesson out[LESSONS])
{
    const cs_scenario *s;
    size_t n = 0;
    for (size_t i = 0; (s = cs_scenario_at(i)) && n < LESSONS; i++)
        if (strncmp(s->tags, "course ", 7) == 0)
            out[n++] = (lesson){s, number_after(s->tags, "week-"),
                                number_after(s->tags, "minutes-")};
    qsort(out, n, sizeof *out, compare);
    return n;
}

/* Returns true if a word of the user names a lesson: by its name, or by the
 * beginning of its name up to a sign _, such as "11" or "1b". */
static bool is_named(const lesson *l, const char *word)
{
    const char *name = l->scenario->name;
    size_t n = strlen(word);
    return strcmp(name, word) == 0 || strcmp(l->scenario->path, word) == 0 ||
           (n && strncmp(name, word, n) == 0 && name[n] == '_');
}

static const lesson *find_named(const lesson *list, size_t n, const char *word,
                                cs_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (is_named(&list[i], word))
            return &list[i];
    cs_fail(err, CS_UNKNOWN, "unknown lesson '%s'", word);
    cs_hint(err, "`chainscope course` lists the lessons");
    return NULL;
}

static void list_lessons(const lesson *list, size_t n)
{
    static cs_course_done done;
    double week = -1, minutes = 0, got = 0, of = 0;
    size_t passed = 0;
    cs_course_done_read(&done);
    for (size_t i = 0; i < n; i++) {
        const lesson *l = &list[i];
        char result[40] = "";
        for (size_t k = 0; k < done.n; k++)
            if (strcmp(done.lesson[k].name, l->scenario->name) == 0) {
                snprintf(result, sizeof result, "done, %.0f of %.0f points",
                         done.lesson[k].got, done.lesson[k].of);
                got += done.lesson[k].got;
                of += done.lesson[k].of;
                passed++;
            }
        if (l->week != week)
            printf("%sweek %.0f\n", i ? "\n" : "", l->week);
        week = l->week;
        minutes += l->minutes;
        printf("  %-22s %2.0f min  %-40s %s\n", l->scenario->name, l->minutes,
               l->scenario->title, result);
    }
    printf("\n%zu lessons, %.0f minutes; %zu done", n, minutes, passed);
    if (of > 0)
        printf(" with %.0f of %.0f points", got, of);
    printf(". chainscope course NAME opens a lesson.\n"
           "For lecturers: chainscope course --syllabus, chainscope "
           "handout.\n");
}

/* Checks the named lessons, or all. Returns the exit code. */
static int check(const cs_args *args, const lesson *list, size_t n)
{
    cs_error err;
    uint64_t seeds;
    bool good = true;
    if (cs_args_count(args, "seeds", 1, &seeds, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    for (size_t i = 0; i < (args->n_words ? args->n_words : n); i++) {
        const lesson *l =
            args->n_words ? find_named(list, n, args->word[i], &err) : &list[i];
        const char *path = l ? l->scenario->path : args->word[i];
        if (!l && !strstr(path, ".lua"))
            return cs_complain(&err);
        for (uint64_t seed = 1; seed <= (seeds ? seeds : 1); seed++)
            good &= cs_course_check(args, path, seed);
    }
    return good ? CS_EXIT_OK : CS_EXIT_FAILED;
}

/* Prints the page for lecturers. */
static cs_status print_syllabus(cs_error *err)
{
    enum { MOST = 1 << 20 };
    char path[1024];
    unsigned char *text;
    size_t size;
    cs_install_path(path, sizeof path, "assets/doc/syllabus.md");
    cs_status status = cs_file_read(path, MOST, &text, &size, err);
    if (status)
        return status;
    cs_text_write((const char *)text, size, stdout);
    cs_free(text);
    return CS_OK;
}

static int open_lesson(const cs_args *args, const lesson *l)
{
    cs_args named = *args;
    named.word[0] = l->scenario->path;
    named.n_words = 1;
    return cs_args_value(args, "plain") ? cs_plain_main(&named, NULL)
                                        : cs_screen_main(&named, NULL, NULL);
}

static int course(const cs_args *args)
{
    static lesson list[LESSONS];
    cs_error err;
    if (cs_args_value(args, "syllabus"))
        return cs_flush(print_syllabus(&err) ? cs_complain(&err) : CS_EXIT_OK);
    if (args->n_words && strcmp(args->word[0], "results") == 0)
        return cs_flush(cs_class_results(args));
    if (cs_scenarios_list(&err))
        return cs_complain(&err);
    size_t n = find_lessons(list);
    if (cs_args_value(args, "check"))
        return cs_flush(check(args, list, n));
    if (args->n_words == 0) {
        list_lessons(list, n);
        return cs_flush(CS_EXIT_OK);
    }
    if (args->n_words > 1) {
        cs_fail(&err, CS_INPUT, "one lesson is opened at a time");
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    const lesson *l = find_named(list, n, args->word[0], &err);
    return l ? open_lesson(args, l) : cs_complain(&err);
}

static const cs_option options[] = {
    CS_PLAIN_OPTIONS,
    {"check", NULL,
     "go through lessons with right and wrong answers, and test that each "
     "question is decided"},
    {"syllabus", NULL, "print the plan of the course, a page for lecturers"},
    {"students", NULL,
     "with results, print a line per student and lesson instead"},
    {"seeds", "N", "with --check, test the seeds 1 to N (1)"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_course = {
    .name = "course",
    .args = "[LESSON ... | results FOLDER]",
    .help = "list the lessons of the course, or open one",
    .more = "LESSON is the name of a lesson or its number: chainscope course "
            "11. A lesson\n"
            "that was gone through to its end is listed with its points: one "
            "for each\n"
            "answer, and one more for a right answer.\n\n"
            "chainscope course results FOLDER reads the journals and the "
            "recordings of a class,\n"
            "files in FOLDER, and prints for each question how many answered, "
            "and the shares of\n"
            "right answers at the first and at the last vote, as CSV.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = CS_ARGS_WORDS,
    .main = course,
};
