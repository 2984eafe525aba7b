#include "cli/course/class_results.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/cast.h"
#include "files/file.h"
#include "io/course_done.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    QUESTIONS = 512, /* questions of all lessons in a folder */
    MOST = 1 << 26,  /* bytes of a journal */
    CHOICES = 9      /* counts of a vote */
};

/* The answers to a question. Counts of a class are added to the answers of the
 * journals. */
typedef struct question {
    char lesson[CS_COURSE_NAME];
    unsigned step;
    double answered[2], right[2]; /* at the first and at the last vote */
} question;

typedef struct results {
    question list[QUESTIONS];
    size_t n;
    bool students; /* prints a line per student */
    size_t files;  /* files with a lesson */
} results;

static question *find_question(results *r, const char *lesson, unsigned step)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->list[i].step == step && strcmp(r->list[i].lesson, lesson) == 0)
            return &r->list[i];
    if (r->n == QUESTIONS)
        return NULL;
    question *q = &r->list[r->n++];
    *q = (question){.step = step};
    snprintf(q->lesson, sizeof q->lesson, "%s", lesson);
    return q;
}

static int compare(const void *a, const void *b)
{
    const question *x = a, *y = b;
    int order = strcmp(x->lesson, y->lesson);
    return order ? order : (x->step > y->step) - (x->step < y->step);
}

/* Writes a value of a CSV line, in quotes if it needs them. */
static void put_value(const char *text)
{
    char clean[600];
    cs_text_clean(text, clean, sizeof clean);
    if (!strpbrk(clean, ",\"")) {
        printf("%s", clean);
        return;
    }
    putchar('"');
    for (const char *c = clean; *c; c++)
        printf(*c == '"' ? "\"\"" : "%c", *c);
    putchar('"');
}

/* ---- journals ------------------------------------------------------------ */

/* One journal: the name of its lesson, its answers, and its points. */
typedef struct journal {
    char lesson[CS_COURSE_NAME];
    double answers, right;
    double score; /* the points of a game */
    bool is_game;
} journal;

/* Returns the set of the numbers in "1 3"; bit i is number i. */
static unsigned numbers_in(const char *text)
{
    unsigned set = 0;
    for (; *text && strchr("0123456789 ", *text); text++)
        set |= *text == ' ' ? 0 : 1u << (*text - '0');
    return set;
}

/* Adds the counts "12 7" of a vote; `right` is the set of the right answers.
 * With `voters` (0: one answer each) a voter may choose several answers: each
 * answer is chosen or left out, and the share of right ones of these decisions
 * is counted. */
static void add_counts(question *q, int vote, const char *text, unsigned right,
                       double voters)
{
    char *end;
    double sum = 0, good = 0;
    unsigned n = 0;
    for (; n < CHOICES; n++, text = end) {
        double count = strtod(text, &end);
        bool is_right = right >> (n + 1) & 1;
        if (end == text)
            break;
        sum += count;
        good += is_right ? count : fmax(voters - count, 0);
    }
    if (n == 0)
        return;
    q->answered[vote] += voters > 0 ? voters : sum;
    q->right[vote] += voters > 0 ? good / n : good;
}

/* Adds the votes of a class, "class 2 12 7; second 15 4; right 1", or with the
 * numbers of voters if several answers can be right, "class 2 12 7 9; second
 * none; right 1 3; voters 15 none". Without a second vote, the first one is also
 * the last. */
static void add_class(results *r, const journal *j, const char *line)
{
    unsigned step;
    int at = 0;
    char right[24];
    double voters[2] = {0, 0};
    const char *second = strstr(line, "; second ");
    const char *end = strstr(line, "; right ");
    const char *of = strstr(line, "; voters ");
    question *q;
    if (sscanf(line, "class %u %n", &step, &at) != 1 || !at || !second ||
        !end || sscanf(end, "; right %23[^;]", right) != 1 ||
        strcmp(right, "unknown") == 0 ||
        !(q = find_question(r, j->lesson, step)))
        return;
    if (of && sscanf(of, "; voters %lf %lf", &voters[0], &voters[1]) == 1)
        voters[1] = voters[0];
    second += strlen("; second ");
    unsigned set = numbers_in(right);
    add_counts(q, 0, line + at, set, voters[0]);
    add_counts(q, 1, strncmp(second, "none", 4) == 0 ? line + at : second, set,
               voters[1]);
}

/* Adds an answer, "answer 2 1; first 2; right; ...". An answer whose question
 * was not revealed, or was not decided by the run, is not marked. */
static void add_answer(results *r, journal *j, const char *line)
{
    unsigned step;
    bool right = strstr(line, "; right; truth ");
    bool wrong = strstr(line, "; wrong; truth ");
    j->answers++;
    j->right += right;
    question *q = sscanf(line, "answer %u ", &step) == 1 && (right || wrong)
                      ? find_question(r, j->lesson, step)
                      : NULL;
    if (q) {
        q->answered[1]++;
        q->right[1] += right;
    }
}

/* Adds the mark of a first answer, "first 2 wrong". */
static void add_first(results *r, const journal *j, const char *line)
{
    unsigned step;
    char mark[8];
    question *q = sscanf(line, "first %u %7s", &step, mark) == 2
                      ? find_question(r, j->lesson, step)
                      : NULL;
    if (q) {
        q->answered[0]++;
        q->right[0] += strcmp(mark, "right") == 0;
    }
}

static void add_line(results *r, journal *j, const char *line)
{
    static const char scenario[] = "# scenario ", course[] = "# course ";
    if (strncmp(line, scenario, sizeof scenario - 1) == 0)
        cs_course_name(line + sizeof scenario - 1, j->lesson, sizeof j->lesson);
    if (strncmp(line, course, sizeof course - 1) != 0)
        return;
    line += sizeof course - 1;
    if (strncmp(line, "answer ", 7) == 0)
        add_answer(r, j, line);
    else if (strncmp(line, "first ", 6) == 0)
        add_first(r, j, line);
    else if (strncmp(line, "class ", 6) == 0)
        add_class(r, j, line);
    else if (sscanf(line, "score %lf", &j->score) == 1)
        j->is_game = true;
}

/* Adds a journal; `name` is the student. */
static void add_journal(results *r, const char *name, char *text)
{
    journal j = {.lesson = ""};
    if (!strstr(text, "# course "))
        return;
    r->files++;
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = 0;
        add_line(r, &j, line);
    }
    if (!r->students)
        return;
    put_value(name);
    printf(",");
    put_value(j.lesson);
    printf(",%.0f,%.0f,%.0f\n", j.answers, j.right,
           j.is_game ? j.score : j.answers + j.right);
}

/* ---- files --------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* Reads a recording's journal; *out remains NULL if it has none, such as a
 * recording of the gallery. */
static cs_status read_cast(char *text, size_t size, const char *path,
                           char **out, cs_error *err)
{
    cs_cast c;
    bool has_run = false;
    cs_status status = cs_cast_read(&c, text, size, path, err);
    if (status)
        return status;
    for (size_t i = 0; i < c.n; i++)
        has_run |= c.event[i].code == 'J';
    if (has_run)
        status = cs_cast_journal(&c, NULL, out, err);
    if (status)
        cs_where(err, path, 0);
    cs_cast_fini(&c);
    return status;
}

/* Adds a file of a student. Skips files without the journal of a lesson. */
static cs_status add_file(results *r, const char *path, const char *student,
                          cs_error *err)
{
    char *recorded = NULL;
    unsigned char *text;
    size_t size;
    bool is_cast = ends_with(path, ".cast");
    cs_status status = cs_file_read(path, MOST, &text, &size, err);
    if (status)
        return status;
    char *lines = (char *)text;
    if (is_cast) {
        status = read_cast(lines, size, path, &recorded, err);
        lines = recorded;
    }
    if (status == CS_OK && lines)
        add_journal(r, student, lines);
    cs_free(recorded);
    cs_free(text);
    return status;
}

/* Adds the file `name` of a folder, or the file journal.txt of the folder with
 * this name. The student is the name without the ending of a file. */
static cs_status add_entry(results *r, const char *folder, const char *name,
                           cs_error *err)
{
    char path[2048], student[256];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(student, sizeof student, "%s", name);
    if (*name == '.' || stat(path, &info) != 0)
        return CS_OK;
    char *dot = S_ISDIR(info.st_mode) ? NULL : strrchr(student, '.');
    if (dot && dot > student)
        *dot = 0;
    if (S_ISDIR(info.st_mode))
        snprintf(path, sizeof path, "%s/%s/journal.txt", folder, name);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode)
               ? add_file(r, path, student, err)
               : CS_OK;
}

/* Adds the entries of a folder. */
static cs_status add_folder(results *r, const char *folder, cs_error *err)
{
    struct dirent **list;
    cs_status status = CS_OK;
    int n = scandir(folder, &list, NULL, alphasort);
    if (n < 0) {
        cs_fail(err, CS_IO, "the folder '%s' cannot be read", folder);
        cs_hint(err, "give a folder with the journals of a class");
        return CS_IO;
    }
    for (int i = 0; i < n; i++) {
        if (status == CS_OK)
            status = add_entry(r, folder, list[i]->d_name, err);
        free(list[i]);
    }
    free(list);
    return status;
}

static void put_share(const question *q, int vote)
{
    if (q->answered[vote] > 0)
        printf(",%.0f,%.3f", q->answered[vote],
               q->right[vote] / q->answered[vote]);
    else
        printf(",0,");
}

int cs_class_results(const cs_args *args)
{
    static results r;
    cs_error err;
    r.students = cs_args_value(args, "students");
    if (args->n_words != 2) {
        cs_fail(&err, CS_INPUT, "course results needs one folder");
        cs_hint(&err, "chainscope course results FOLDER");
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    printf(r.students ? "student,lesson,answers,right,points\n"
                      : "lesson,step,first_votes,first_right,last_votes,"
                        "last_right\n");
    cs_status status = add_folder(&r, args->word[1], &err);
    if (status == CS_OK && r.files == 0) {
        status = cs_fail(&err, CS_INPUT, "no journal of a lesson is in '%s'",
                         args->word[1]);
        cs_hint(&err, "`:journal` prints the journal; V makes a recording");
    }
    if (status)
        return cs_complain(&err);
    qsort(r.list, r.n, sizeof *r.list, compare);
    for (size_t i = 0; i < r.n && !r.students; i++) {
        put_value(r.list[i].lesson);
        printf(",%u", r.list[i].step);
        put_share(&r.list[i], 0);
        put_share(&r.list[i], 1);
        printf("\n");
    }
    return CS_EXIT_OK;
}
