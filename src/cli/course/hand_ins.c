#define _GNU_SOURCE /* for versionsort */
/* chainscope exercise FILE: the skeleton, the hints and the solution of an
 * exercise, and the marks of hand-ins. */
#include "base/install_paths.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/course/readings.h"
#include "cli/front/front.h"
#include "cli/front/last_line.h"
#include "cli/line/output.h"
#include "files/file.h"
#include "files/replace.h"
#include "io/sealed.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EXIT_UNDECIDED = 3, /* a law or a claim was not decided */
    EXIT_UNLOADED = 4,  /* the hand-in did not load */
    EXIT_LIMIT = 5,     /* the hand-in exceeded a limit of time or memory */
    HAND_IN_MOST = 1 << 20
};
static const size_t hand_in_memory = (size_t)256 << 20;
static const double hand_in_seconds =
    4; /* for loading; the marking of each item
                                           has a limit of its own */
#define FOLDER "scenarios/course/exercises"

typedef struct exercise {
    const cs_args *args;
    char path[1200];
    char name[64];              /* the file name without its ending */
    char digest[CS_SHA256_HEX]; /* of its text, if hand-ins are marked */
} exercise;

/* ---- finding the exercise ------------------------------------------------ */

static int visible(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return e->d_name[0] != '.' && dot && strcmp(dot, ".lua") == 0;
}

static void set_name(exercise *e)
{
    const char *slash = strrchr(e->path, '/');
    snprintf(e->name, sizeof e->name, "%.63s", slash ? slash + 1 : e->path);
    e->name[strcspn(e->name, ".")] = 0;
}

/* Finds the file: a path, or the beginning of the name of an exercise of the
 * course, such as "11". */
static cs_status find(exercise *e, const char *word, cs_error *err)
{
    char folder[900];
    struct dirent **list;
    struct stat info;
    size_t n = strlen(word);
    snprintf(e->path, sizeof e->path, "%s", word);
    bool found = stat(word, &info) == 0 && S_ISREG(info.st_mode);
    int files = -1;
    if (!found && cs_install_path(folder, sizeof folder, FOLDER))
        files = scandir(folder, &list, visible, alphasort);
    for (int i = 0; i < files; i++) {
        const char *name = list[i]->d_name;
        if (!found && n > 0 && strncmp(name, word, n) == 0 &&
            strchr("._", name[n])) {
            snprintf(e->path, sizeof e->path, "%s/%s", folder, name);
            found = true;
        }
        free(list[i]);
    }
    if (files >= 0)
        free(list);
    set_name(e);
    if (found)
        return CS_OK;
    cs_fail(err, CS_IO, "there is no file and no exercise '%s'", word);
    cs_hint(err, "`chainscope exercise` lists the exercises of the course");
    return CS_IO;
}

/* ---- asking the session -------------------------------------------------- */

static bool add_set(char *line, size_t size, const char *name,
                    const char *value)
{
    char set[1200];
    snprintf(set, sizeof set, "%s=%s", name, value);
    return cs_front_add(line, size, set);
}

/* Starts a session with the limits of hand-ins, and asks it. *text is [own:
 * free]. */
static cs_status ask(const char *line, char **text, cs_error *err)
{
    cs_client *c;
    const cs_front_options options = {.memory = hand_in_memory,
                                      .seconds = hand_in_seconds};
    *text = NULL;
    cs_status status = cs_front_create(&c, &options, err);
    if (status)
        return status;
    status = cs_front_hear(c, line, text, err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status;
}

/* Prints a part of the exercise, to the file of -o or to stdout. `more` is
 * "NAME=VALUE" or NULL. */
static cs_status print_part(const exercise *e, const char *part,
                            const char *more, cs_error *err)
{
    char line[2600];
    char *text;
    const char *file = cs_args_value(e->args, "output");
    snprintf(line, sizeof line, "exercise %s", part);
    bool fits = cs_front_add(line, sizeof line, e->path) &&
                (!more || cs_front_add(line, sizeof line, more));
    if (!fits)
        return cs_fail(err, CS_INPUT, "the name of the file is too long");
    cs_status status = ask(line, &text, err);
    if (!status && file)
        status = cs_file_create(file, text, strlen(text), err);
    else if (!status)
        cs_text_write(text, strlen(text), stdout);
    free(text);
    return status;
}

/* ---- digests ------------------------------------------------------------- */

typedef struct mark {
    char sha256[CS_SHA256_HEX];
    uint64_t seed; /* below 2^53 */
} mark;

/* Computes the digest of a file, and the seed from the digest of the file
 * followed by the salt. */
static cs_status digest(const char *file, const char *salt, mark *m,
                        cs_error *err)
{
    uint8_t bytes[CS_SHA256_BYTES];
    cs_page p = {0};
    cs_status status = cs_reading_digest(file, m->sha256, err);
    if (status)
        return status;
    cs_page_put(&p, "%s%s", m->sha256, salt ? salt : "");
    if (!p.full)
        cs_sha256(p.text, p.used, bytes);
    cs_free(p.text);
    m->seed = 0;
    for (int i = 0; i < 8; i++)
        m->seed = m->seed << 8 | bytes[i];
    m->seed >>= 11;
    return CS_OK;
}

/* ---- hints and solutions ------------------------------------------------- */

static cs_status hint(const exercise *e, cs_error *err)
{
    char number[40], what[40], sha256[CS_SHA256_HEX];
    cs_status status = cs_reading_digest(e->path, sha256, err);
    if (status)
        return status;
    size_t k = cs_reading_of(sha256).hints + 1;
    snprintf(number, sizeof number, "number=%zu", k);
    snprintf(what, sizeof what, "hint %zu", k);
    status = print_part(e, "hint", number, err);
    return status ? status : cs_reading_add(sha256, e->name, what, err);
}

static cs_status solution(const exercise *e, cs_error *err)
{
    char sha256[CS_SHA256_HEX];
    cs_status status = cs_reading_digest(e->path, sha256, err);
    if (status == CS_OK)
        status = print_part(e, "solution", NULL, err);
    return status ? status : cs_reading_add(sha256, e->name, "solution", err);
}

/* ---- sealing ------------------------------------------------------------- */

/* Appends "\1NAME\n" and the text of a hand-in. The name is the file name
 * without its ending. */
static cs_status add_sealed(const char *file, cs_page *p, cs_error *err)
{
    unsigned char *text;
    size_t size;
    cs_status status = cs_file_read(file, HAND_IN_MOST, &text, &size, err);
    if (status)
        return status;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    cs_page_put(p, "\1%.*s\n%s", (int)strcspn(name, "."), name, (char *)text);
    cs_free(text);
    return CS_OK;
}

static cs_status seal(const exercise *e, const char *out, cs_error *err)
{
    cs_page p = {0};
    unsigned char *key = NULL;
    size_t size = 0;
    cs_status status = cs_file_read(e->path, HAND_IN_MOST, &key, &size, err);
    for (size_t i = 1; !status && i < e->args->n_words; i++)
        status = add_sealed(e->args->word[i], &p, err);
    if (!status && (p.full || !p.text))
        status = cs_fail(err, CS_INPUT, "there is nothing to seal");
    if (!status) {
        cs_sealed_apply(key, size, (unsigned char *)p.text, p.used);
        status = cs_file_replace(out, p.text, p.used, err);
    }
    cs_free(key);
    cs_free(p.text);
    return status;
}

/* ---- marking ------------------------------------------------------------- */

static bool write_line(const exercise *e, const char *file, const mark *m,
                       const char *form, char *line, size_t size)
{
    char number[32];
    cs_reading read = {0};
    if (strcmp(form, "text") == 0)
        read = cs_reading_of(e->digest);
    snprintf(line, size, "exercise mark");
    const char *judges = cs_args_value(e->args, "judges");
    bool fits = cs_front_add(line, size, e->path) &&
                add_set(line, size, "file", file) &&
                (!judges || add_set(line, size, "judges", judges)) &&
                add_set(line, size, "mine", file) &&
                add_set(line, size, "name", e->name) &&
                add_set(line, size, "sha256", m->sha256) &&
                add_set(line, size, "form", form);
    snprintf(number, sizeof number, "%llu", (unsigned long long)m->seed);
    fits = fits && add_set(line, size, "seed", number);
    snprintf(number, sizeof number, "%zu", read.hints);
    fits = fits && add_set(line, size, "hints", number);
    return fits && add_set(line, size, "read", read.solution ? "1" : "0");
}

/* Returns the exit code that belongs to the status at the end of the answer. */
static int code_of(const char *status)
{
    static const struct {
        const char *status;
        int code;
    } row[] = {{"right", CS_EXIT_OK},
               {"not decided", EXIT_UNDECIDED},
               {"not loaded", EXIT_UNLOADED}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(status, row[i].status) == 0)
            return row[i].code;
    return CS_EXIT_FAILED;
}

/* Returns true if the hand-in exceeded a limit, false if the exercise has an
 * error or the user has ended the command. */
static bool is_limit(cs_status status, const cs_error *err)
{
    return status == CS_MEMORY || status == CS_ENDED ||
           strstr(err->what, "ran for too long");
}

/* Prints the result of a hand-in that exceeded a limit. */
static void print_failure(const exercise *e, const char *file, const char *form,
                          const cs_error *err)
{
    cs_page p = {0};
    if (strcmp(form, "jsonl") == 0) {
        cs_page_put(&p, "{\"exercise\": ");
        cs_page_quoted(&p, e->name);
        cs_page_put(&p, ", \"version\": 1, \"file\": ");
        cs_page_quoted(&p, file);
        cs_page_put(&p, ", \"status\": \"limit\", \"points\": 0, \"of\": 10, "
                        "\"say\": ");
        cs_page_quoted(&p, err->what);
        cs_page_put(&p, "}\n");
    } else if (strcmp(form, "csv") == 0) {
        cs_page_put(&p, "%s,0,limit\n", file);
    } else {
        cs_page_put(&p, "%s: %s: no points: %s\n", e->name, file, err->what);
    }
    if (!p.full)
        cs_text_write(p.text, p.used, stdout);
    cs_free(p.text);
}

/* Marks a hand-in, prints the report and returns the exit code. */
static int mark_one(const exercise *e, const char *file, const char *form)
{
    char line[6000];
    char *text;
    cs_error err;
    mark m;
    if (digest(file, cs_args_value(e->args, "salt"), &m, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (!write_line(e, file, &m, form, line, sizeof line)) {
        cs_fail(&err, CS_INPUT, "the name '%.200s' is too long", file);
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_status status = ask(line, &text, &err);
    if (status) {
        free(text);
        if (!is_limit(status, &err)) {
            int code = cs_complain(&err);
            return status == CS_STOPPED ? code : CS_EXIT_USAGE;
        }
        print_failure(e, file, form, &err);
        return EXIT_LIMIT;
    }
    int code = code_of(cs_last_line(text));
    cs_text_write(text, strlen(text), stdout);
    fflush(stdout);
    free(text);
    return code;
}

static cs_status choose_form(const cs_args *args, const char **form,
                             cs_error *err)
{
    const char *given = cs_args_value(args, "format");
    bool csv = cs_args_value(args, "csv") != NULL;
    *form = given ? given : csv ? "csv" : "text";
    if (csv && strcmp(*form, "csv") != 0)
        return cs_fail(err, CS_INPUT,
                       "--csv and --format %s cannot be combined", *form);
    if (strcmp(*form, "text") == 0 || strcmp(*form, "jsonl") == 0 ||
        strcmp(*form, "csv") == 0)
        return CS_OK;
    cs_fail(err, CS_INPUT, "unknown format '%s'", *form);
    cs_hint(err, "use text, jsonl or csv");
    return CS_INPUT;
}

/* Marks all hand-ins. The exit code is that of the worst: a limit, a file that
 * did not load, a wrong one, an undecided one. */
static int mark_all(exercise *e, const char *first)
{
    static const int rank[] = {
        [CS_EXIT_OK] = 0,    [EXIT_UNDECIDED] = 1, [CS_EXIT_FAILED] = 2,
        [EXIT_UNLOADED] = 3, [EXIT_LIMIT] = 4,     [CS_EXIT_USAGE] = 5};
    cs_error err;
    const char *form;
    mark own;
    if (choose_form(e->args, &form, &err) ||
        digest(e->path, NULL, &own, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    memcpy(e->digest, own.sha256, sizeof e->digest);
    if (strcmp(form, "csv") == 0)
        printf("file,points,status\n");
    int worst = CS_EXIT_OK;
    for (size_t i = 0; i < e->args->n_words; i++) {
        int code = mark_one(e, i ? e->args->word[i] : first, form);
        if (code > EXIT_LIMIT) /* ended by a signal */
            return code;
        worst = rank[code] > rank[worst] ? code : worst;
    }
    return worst;
}

/* ---- the command --------------------------------------------------------- */

/* Prints the exercise of a file, after a line with its week if that differs from
 * *week. */
static cs_status list_one(cs_client *c, const char *folder, const char *name,
                          long *week, cs_error *err)
{
    char path[1200], line[2600] = "exercise title", *text = NULL, *end;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!cs_front_add(line, sizeof line, path))
        return cs_fail(err, CS_INPUT, "the name of the file is too long");
    cs_status status = cs_front_hear(c, line, &text, err);
    if (status == CS_OK) {
        char title[200];
        long now = strtol(text, &end, 10);
        cs_text_clean(end + (*end == '\t'), title, sizeof title);
        if (now != *week)
            printf("%sweek %ld\n", *week ? "\n" : "", now);
        *week = now;
        printf("  %-18.*s %s\n", (int)strcspn(name, "."), name, title);
    }
    free(text);
    return status;
}

/* Lists the exercises of the course by week, with their titles. */
static int list(void)
{
    char folder[900];
    struct dirent **files;
    cs_client *c;
    cs_error err;
    const cs_front_options options = {.memory = hand_in_memory,
                                      .seconds = hand_in_seconds};
    long week = 0;
    int n = -1;
    cs_status status = cs_front_create(&c, &options, &err);
    if (status)
        return cs_complain(&err);
    if (cs_install_path(folder, sizeof folder, FOLDER))
        n = scandir(folder, &files, visible, versionsort);
    for (int i = 0; i < n; i++) {
        if (status == CS_OK)
            status = list_one(c, folder, files[i]->d_name, &week, &err);
        free(files[i]);
    }
    if (n >= 0)
        free(files);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return cs_flush(status ? cs_complain(&err) : CS_EXIT_OK);
}

static int obey(const cs_args *args)
{
    exercise e = {.args = args};
    cs_error err;
    if (!args->n_words)
        return list();
    if (find(&e, args->word[0], &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    const char *first = cs_args_value(args, "mark");
    const char *sealed = cs_args_value(args, "seal");
    if (first)
        return mark_all(&e, first);
    cs_status status = sealed                        ? seal(&e, sealed, &err)
                       : cs_args_value(args, "hint") ? hint(&e, &err)
                       : cs_args_value(args, "text")
                           ? print_part(&e, "text", NULL, &err)
                       : cs_args_value(args, "solution")
                           ? solution(&e, &err)
                           : print_part(&e, "skeleton", NULL, &err);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"text", NULL, "print the task"},
    {"hint", NULL, "print the next hint; it is recorded and costs a point"},
    {"solution", NULL, "print the solution; it is recorded and costs all"},
    {"mark", "FILE", "mark a hand-in, and those after the exercise"},
    {"format", "NAME",
     "format of the marks: text, jsonl (a line per hand-in), or csv with "
     "file, points and status"},
    {"csv", NULL, "the same as --format csv"},
    {"salt", "TEXT", "changes the seeds, which depend on hand-in and salt"},
    {"output", "FILE", "write the skeleton to a new file (-o)"},
    {"judges", "DIR", "for lecturers: mark also by hidden judges of DIR"},
    {"seal", "FILE", "for authors: seal the solution and wrong hand-ins"},
};

const cs_subcommand cs_subcommand_exercise = {
    .name = "exercise",
    .args = "[EXERCISE] [HAND-IN ...]",
    .help = "print, solve and mark the exercises of the course",
    .more =
        "EXERCISE is a scenario with the field `exercise`, or an exercise of\n"
        "the course by the beginning of its name, such as 11. Without it, all "
        "are\n"
        "listed by week, with titles. Without options, the skeleton is "
        "printed:\n"
        "  chainscope exercise 11 -o mine.lua\n"
        "  chainscope exercise 11 --mark mine.lua\n"
        "  chainscope exercise 11 --format csv --salt autumn --mark a.lua "
        "b.lua\n"
        "A hand-in runs in the sandbox of scenarios, with 256 MiB.\n"
        "Exit codes of --mark: 0 right; 1 wrong or nearly right; 3 not "
        "decided;\n"
        "4 the hand-in did not load; 5 it exceeded a limit of time or memory;\n"
        "2 the command line is wrong. With several hand-ins, the worst code.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = CS_ARGS_WORDS,
    .main = obey,
};
