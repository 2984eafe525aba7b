/* chainscope describe NAME: prints everything that the registries contain about
 * a name. With --tape, prints the operations that the target of a scenario
 * computes. */
#include "base/text.h"
#include "check/check.h"
#include "cli/catalogue/catalogue.h"
#include "cli/front/front.h"
#include "io/lesson.h"
#include "kernels/auxiliary/scheme.h"
#include "screen/canvas/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 512, WIDTH = 79 };

static const char *text(const char *s)
{
    return s ? s : "";
}

static void show_range(const cs_param *p)
{
    if (p->kind == CS_PARAM_CHOICE) {
        printf("one of");
        for (size_t i = 0; p->choices && p->choices[i]; i++)
            printf(" %s", p->choices[i]);
    } else if (p->kind == CS_PARAM_ARRAY) {
        if (p->max > 0)
            printf("1 to %g ", p->max);
        printf("numbers");
    } else if (p->kind == CS_PARAM_TEXT) {
        printf("a string");
    } else if (p->kind == CS_PARAM_BOOL) {
        printf("true or false");
    } else {
        printf("%s", p->kind == CS_PARAM_INT ? "integer, " : "");
        if (fabs(p->min) < HUGE_VAL && fabs(p->max) < HUGE_VAL)
            printf("%g to %g", p->min, p->max);
        else if (fabs(p->min) < HUGE_VAL)
            printf("at least %g", p->min);
        else if (fabs(p->max) < HUGE_VAL)
            printf("at most %g", p->max);
        else
            printf("any");
    }
    if (p->unit && p->unit[0])
        printf(", in %s", p->unit);
}

static void show_default(const cs_param *p)
{
    if (p->flags & CS_PARAM_REQUIRED)
        printf("; required");
    else if (p->kind == CS_PARAM_CHOICE)
        printf("; default %s", p->choices[(size_t)p->def]);
    else if (p->kind == CS_PARAM_BOOL)
        printf("; default %s", p->def != 0 ? "true" : "false");
    else if (p->kind < CS_PARAM_ARRAY)
        printf("; default %g", p->def);
}

static void show_wrapped(const char *line)
{
    do {
        size_t n = cs_text_line(line, WIDTH);
        printf("%.*s\n", (int)n, line);
        line += n;
        line += n ? strspn(line, " ") : strlen(line);
    } while (*line);
}

/* Prints the lesson of a scenario, without control characters, since the
 * scenario may be untrusted. */
static void show_lesson(const char *file)
{
    char text[CS_LESSON_BYTES], clean[4 * CS_LESSON_BYTES];
    cs_lesson_read(file ? file : "", text, sizeof text);
    if (*text)
        printf("\n");
    for (char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char end = line[n];
        line[n] = 0;
        cs_text_clean(line, clean, sizeof clean);
        show_wrapped(clean);
        line += n + (end != 0);
    }
}

/* Prints, for each role in algorithm 1 of Yuan and Wang (2026), the object of
 * the kernel that has this role. */
static void show_scheme(const cs_scheme *s)
{
    printf("\nalgorithm 1 of Yuan and Wang 2026\n");
    for (size_t i = 0; i < CS_SCHEME_PARTS; i++) {
        const char *of, *name = cs_scheme_part(s, i, &of);
        printf("  %-14s %s\n", name, of);
    }
}

/* Prints the laws that a kernel must satisfy. The tests and `chainscope check`
 * test them. */
static void show_laws(const cs_kernel_type *type)
{
    printf("\nlaws that the program's own tests apply to this kernel, and "
           "`check` to your target:\n ");
    for (const cs_law *law = cs_arm_laws; law->name; law++)
        if (law->owed(type))
            printf(" %s", law->name);
    printf("\n");
}

static void show(const cs_catalogue *c, const cs_entry *e)
{
    printf("%s %s: %s\n", c->one, e->name, text(e->title));
    if (e->notes[0])
        printf("  %s\n", e->notes);
    if (e->no_member)
        printf("  cannot be a member of a cycle or a mixture: it %s\n",
               e->no_member);
    else if (e->member)
        printf("  can be a member of a cycle or a mixture\n");
    if (text(e->ref)[0])
        printf("  %s\n", e->ref);
    if (text(e->help)[0])
        printf("\n%s\n", e->help);
    if (strcmp(c->one, "kernel") == 0)
        show_laws(cs_kernel_find(e->name));
    if (e->scheme)
        show_scheme(e->scheme);
    show_lesson(e->file);
    if (e->n_params)
        printf("\nparameters\n");
    for (size_t i = 0; i < e->n_params; i++) {
        const cs_param *p = &e->params[i];
        printf("  %-14s ", p->name);
        show_range(p);
        show_default(p);
        printf("\n");
        if (text(p->help)[0])
            printf("  %-14s %s\n", "", p->help);
        if (text(p->ref)[0])
            printf("  %-14s (%s)\n", "", p->ref);
    }
}

/* Returns the number of columns of the terminal; 0 for a pipe, whose lines may
 * have any length. */
static unsigned columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO) ||
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 0;
    return size.ws_col;
}

/* Sends the command `line` to a session with the scenario args->word[0] and
 * prints the answer. */
static int ask_of_file(const cs_args *args, const char *line)
{
    cs_client *c;
    cs_error err;
    const cs_front_options front = {0};
    if (cs_front_create(&c, &front, &err))
        return cs_complain(&err);
    cs_status status = cs_front_open(c, args, NULL, &err);
    if (status == CS_OK)
        status = cs_front_ask(c, line, NULL, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static int describe_tape(const cs_args *args)
{
    char line[64];
    snprintf(line, sizeof line, "tape %u%s", columns(),
             cs_args_value(args, "all") ? " 0" : "");
    return ask_of_file(args, line);
}

/* Describes the run of a scenario, in addition to the scenario's text. */
static int describe_run(const cs_args *args, const char *file)
{
    cs_args of = *args;
    of.word[0] = file;
    printf("\nschedules\n");
    fflush(stdout);
    return ask_of_file(&of, "schedules");
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int describe(const cs_args *args)
{
    if (cs_args_value(args, "tape"))
        return describe_tape(args);
    static const char *names[NAMES + 1];
    const cs_catalogue *c;
    cs_entry e;
    cs_error err;
    const char *file = NULL;
    size_t found = 0, n = 0;
    if (cs_catalogues_read(NULL, &err))
        return cs_complain(&err);
    for (size_t i = 0; (c = cs_catalogue_at(i)); i++)
        for (size_t k = 0; c->at(k, &e); k++) {
            if (n < NAMES)
                names[n++] = e.name;
            if (strcmp(e.name, args->word[0]) != 0 &&
                (!e.file || strcmp(e.file, args->word[0]) != 0))
                continue;
            if (found++)
                printf("\n");
            show(c, &e);
            file = e.file ? e.file : file;
        }
    if (!found && is_file(args->word[0])) {
        file = args->word[0];
        show_lesson(file);
        found = 1;
    }
    if (found)
        return file ? describe_run(args, file) : CS_EXIT_OK;
    cs_fail(&err, CS_UNKNOWN, "unknown name '%s'", args->word[0]);
    const char *near = cs_text_nearest(args->word[0], names);
    if (near)
        cs_hint(&err, "did you mean '%s'?", near);
    else
        cs_hint(&err, "list the names: chainscope list");
    return cs_complain(&err);
}

static const cs_option options[] = {
    {"tape", NULL,
     "list the operations that the target of a scenario (a file) computes: one "
     "numbered instruction per line, with the share of the time and the "
     "line of Lua"},
    {"all", NULL, "with --tape: list all instructions, not only the first 200"},
};

const cs_subcommand cs_subcommand_describe = {
    .name = "describe",
    .args = "NAME | FILE",
    .help = "describe a kernel, target, schedule, tuner or probe with its "
            "parameters, or a scenario",
    .more = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = describe,
};
