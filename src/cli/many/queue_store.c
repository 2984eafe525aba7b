#include "cli/many/queue_store.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/replace.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, PLAN_MOST = 1 << 20, RESULT_MOST = 1 << 28 };

/* ---- the plan ---- */

/* Returns true if an option determines the jobs. All other options determine
 * how and where jobs run and how results are printed. */
static bool is_of_plan(const char *option)
{
    static const char *const others[] = {
        "out",     "resume", "force",  "part",   "jobs",
        "workers", "format", "output", "memory", "trust"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(option, others[i]) == 0)
            return false;
    return true;
}

static void put_line(cs_page *p, const char *head, const char *text)
{
    cs_page_put(p, "%s", head);
    for (; *text; text++)
        cs_page_put(p, "%c", *text == '\n' ? ' ' : *text);
    cs_page_put(p, "\n");
}

void cs_store_plan(const cs_args *args, uint64_t digest, size_t jobs,
                   cs_page *p)
{
    cs_page_put(p, "chainscope queue 1\nversion %s\ncommand %s\n", CS_VERSION,
                args->sub->name);
    for (size_t i = 0; i < args->n_words; i++)
        put_line(p, "word ", args->word[i]);
    for (size_t i = 0; i < args->n_set; i++)
        put_line(p, "--set=", args->set[i]);
    for (size_t i = 0; i < args->n_over; i++)
        put_line(p, "--over=", args->over[i]);
    for (size_t i = 0; i < args->sub->n_options; i++) {
        const cs_option *o = &args->sub->options[i];
        if (!args->value[i] || !is_of_plan(o->name))
            continue;
        cs_page_put(p, "--%s", o->name);
        put_line(p, o->arg ? "=" : "", o->arg ? args->value[i] : "");
    }
    cs_page_put(p, "scenarios %016" PRIx64 "\njobs %zu\n", digest, jobs);
}

/* Finds the first line that differs between a and b. Copies the line of a to
 * `was` and the line of b to `is`, without their newlines. */
static void first_difference(const char *a, const char *b, char was[200],
                             char is[200])
{
    for (;;) {
        size_t m = strcspn(a, "\n"), n = strcspn(b, "\n");
        snprintf(was, 200, "%.*s", (int)m, a);
        snprintf(is, 200, "%.*s", (int)n, b);
        if (m != n || strncmp(a, b, n) != 0 || !a[m] || !b[n])
            return;
        a += m + 1;
        b += n + 1;
    }
}

static cs_status same_plan(const char *was, const char *is, const char *place,
                           cs_error *err)
{
    static const char version[] = "version ";
    char a[200], b[200];
    if (strcmp(was, is) == 0)
        return CS_OK;
    first_difference(was, is, a, b);
    if (strncmp(a, version, 8) == 0 && strncmp(b, version, 8) == 0)
        cs_fail(
            err, CS_INPUT,
            "the results are from another version of chainscope: %s, not %s",
            a + 8, b + 8);
    else if (strncmp(a, "scenarios", 9) == 0 && strncmp(b, "scenarios", 9) == 0)
        cs_fail(err, CS_INPUT,
                "the scenario has changed since the results were saved");
    else
        cs_fail(err, CS_INPUT,
                "the results are from another command: '%s' was '%s' when they "
                "were saved",
                *b ? b : "the end", *a ? a : "the end");
    cs_hint(err, "repeat the original options, or use another folder");
    cs_where(err, place, 0);
    return CS_INPUT;
}

static cs_status read_plan(const char *folder, char **text, cs_error *err)
{
    char path[PATH];
    size_t size;
    unsigned char *bytes;
    snprintf(path, PATH, "%s/plan", folder);
    cs_status status = cs_file_read(path, PLAN_MOST, &bytes, &size, err);
    *text = status ? NULL : (char *)bytes;
    return status;
}

static bool has_plan(const char *folder)
{
    char path[PATH];
    return snprintf(path, PATH, "%s/plan", folder) < PATH &&
           access(path, F_OK) == 0;
}

static int is_result(const struct dirent *e)
{
    return strncmp(e->d_name, "job_", 4) == 0 &&
           isdigit((unsigned char)e->d_name[4]);
}

/* Removes the results. A glob pattern is not used, since the folder's name may
 * contain brackets and asterisks. */
static void remove_results(const char *folder)
{
    char path[PATH];
    struct dirent **found;
    snprintf(path, PATH, "%s/plan", folder);
    unlink(path);
    int n = scandir(folder, &found, is_result, alphasort);
    for (int i = 0; i < n; i++) {
        if (snprintf(path, PATH, "%s/%s", folder, found[i]->d_name) < PATH)
            unlink(path);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
}

/* Writes the plan. If several parts start at the same time, all of them may
 * find no plan. The first plan that is written is then used by all parts. */
static cs_status put_plan(const char *folder, const char *plan, cs_error *err)
{
    char path[PATH];
    if (snprintf(path, PATH, "%s/plan", folder) >= PATH - 32)
        return cs_fail(err, CS_INPUT, "the name of the folder is too long");
    return cs_file_first(path, plan, strlen(plan), err);
}

cs_status cs_store_open(const char *folder, const char *plan, bool resume,
                        bool force, cs_error *err)
{
    char *old;
    cs_status status = cs_folder_make(folder, err);
    if (status)
        return status;
    if (force)
        remove_results(folder);
    bool begun = has_plan(folder);
    if (!begun)
        status = put_plan(folder, plan, err);
    if (status)
        return status;
    if (begun && !resume) {
        cs_fail(err, CS_INPUT, "%s already contains results", folder);
        cs_hint(err,
                "continue with --resume, or remove the results with --force");
        return CS_INPUT;
    }
    status = read_plan(folder, &old, err);
    if (status == CS_OK)
        status = same_plan(old, plan, folder, err);
    cs_free(old);
    return status;
}

/* ---- results ---- */

static bool path_of(const char *folder, size_t i, char path[PATH])
{
    return snprintf(path, PATH, "%s/job_%06zu", folder, i + 1) < PATH;
}

cs_status cs_store_write(const char *folder, const char *plan, size_t i,
                         size_t n, const char *name, const cs_result *r,
                         cs_error *err)
{
    char path[PATH];
    path_of(folder, i, path);
    return cs_result_write(path, plan, i, n, name, r, err);
}

cs_status cs_store_read(const char *folder, const char *plan, size_t i,
                        size_t n, cs_result *r, cs_error *err)
{
    char path[PATH];
    path_of(folder, i, path);
    return cs_result_read(path, plan, i, n, r, err);
}

/* ---- merging parts ---- */

typedef struct parts {
    char **folder; /* [n] folders of the parts [own] */
    size_t n;
    char *plan; /* the plan of the first part [own] */
    size_t jobs;
} parts;

static void parts_fini(parts *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->folder[i]);
    free(p->folder);
    cs_free(p->plan);
}

static void add_folder(parts *p, const char *folder)
{
    char **more = realloc(p->folder, (p->n + 1) * sizeof *more);
    char *copy = strdup(folder);
    if (more)
        p->folder = more;
    if (more && copy)
        p->folder[p->n++] = copy;
    else
        free(copy);
}

/* Finds the folders that contain a plan: `folder` itself, or its subfolders. */
static size_t find_in(parts *p, const char *folder)
{
    char path[PATH];
    struct dirent **found;
    size_t before = p->n;
    if (has_plan(folder)) {
        add_folder(p, folder);
        return 1;
    }
    int n = scandir(folder, &found, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = found[i]->d_name;
        if (*name != '.' &&
            snprintf(path, PATH, "%s/%s", folder, name) < PATH &&
            has_plan(path))
            add_folder(p, path);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    return p->n - before;
}

bool cs_store_is(const char *folder)
{
    parts p = {0};
    bool is = find_in(&p, folder) > 0;
    parts_fini(&p);
    return is;
}

static cs_status find_parts(const cs_args *args, parts *p, cs_error *err)
{
    for (size_t i = 1; i < args->n_words; i++)
        if (find_in(p, args->word[i]) == 0) {
            cs_fail(err, CS_INPUT,
                    "the folder contains no part of a queue of runs");
            cs_where(err, args->word[i], 0);
            return CS_INPUT;
        }
    cs_status status = read_plan(p->folder[0], &p->plan, err);
    for (size_t i = 1; i < p->n && status == CS_OK; i++) {
        char *other;
        status = read_plan(p->folder[i], &other, err);
        if (status == CS_OK)
            status = same_plan(p->plan, other, p->folder[i], err);
        cs_free(other);
    }
    const char *jobs = status ? NULL : strstr(p->plan, "\njobs ");
    p->jobs = jobs ? strtoull(jobs + 6, NULL, 10) : 0;
    if (status == CS_OK && p->jobs == 0) {
        status = cs_fail(err, CS_INPUT, "the plan in the folder has no jobs");
        cs_where(err, p->folder[0], 0);
    }
    return status;
}

/* Checks that the output folder is not one of the input folders. */
static cs_status check_apart(const parts *p, const char *out, cs_error *err)
{
    struct stat to, from;
    if (stat(out, &to) != 0)
        return CS_OK;
    for (size_t i = 0; i < p->n; i++)
        if (stat(p->folder[i], &from) == 0 && from.st_dev == to.st_dev &&
            from.st_ino == to.st_ino) {
            cs_fail(err, CS_INPUT, "--out %s is one of the parts", out);
            cs_hint(err, "give another folder for --out");
            return CS_INPUT;
        }
    return CS_OK;
}

/* Copies the result of job i. Exactly one part must have this result. */
static cs_status take_one(const parts *p, size_t i, const char *out,
                          cs_error *err)
{
    const char *from = NULL;
    char source[PATH], path[PATH];
    cs_status status = CS_OK;
    for (size_t k = 0; k < p->n && status == CS_OK; k++) {
        cs_result r;
        status = cs_store_read(p->folder[k], p->plan, i, p->jobs, &r, err);
        if (status == CS_OK && r.there && from)
            status = cs_fail(err, CS_INPUT, "job %zu is in both %s and %s",
                             i + 1, from, p->folder[k]);
        if (status == CS_OK && r.there)
            from = p->folder[k];
        cs_result_fini(&r);
    }
    if (status)
        return status;
    if (!from) {
        cs_fail(err, CS_INPUT, "job %zu of %zu is missing", i + 1, p->jobs);
        cs_hint(err, "run the part that contains this job, or repeat its "
                     "command with --resume");
        return CS_INPUT;
    }
    unsigned char *bytes;
    size_t size;
    path_of(from, i, source);
    path_of(out, i, path);
    status = cs_file_read(source, RESULT_MOST, &bytes, &size, err);
    if (status == CS_OK) {
        status = cs_file_replace(path, bytes, size, err);
        cs_free(bytes);
    }
    return status;
}

/* Splits a plan, in place, into the words and options of its command line; FILE
 * is the first word. Returns their number. */
static int words_of(char *plan, char *file, char **argv, int most)
{
    int n = 0;
    bool first = true;
    for (char *at = plan, *end; (end = strchr(at, '\n')); at = end + 1) {
        *end = 0;
        if (strncmp(at, "word ", 5) == 0 && n < most) {
            argv[n++] = first ? file : at + 5;
            first = false;
        } else if (strncmp(at, "--", 2) == 0 && n < most) {
            argv[n++] = at;
        }
    }
    return n;
}

/* Checks FILE. It must be the file of the plan. If the plan has no file, it
 * must be the name of the plan's command. */
static cs_status check_word(const parts *p, const char *command,
                            const char *file, cs_error *err)
{
    const char *at = strstr(p->plan, "\nword ");
    char word[PATH];
    snprintf(word, PATH, "%.*s", at ? (int)strcspn(at + 6, "\n") : 0,
             at ? at + 6 : "");
    const char *slash = strrchr(word, '/'), *mine = strrchr(file, '/');
    const char *wanted = !at ? command : slash ? slash + 1 : word;
    if (strcmp(mine ? mine + 1 : file, wanted) == 0)
        return CS_OK;
    cs_fail(err, CS_INPUT, "the parts belong to %s, not to %s", wanted, file);
    cs_hint(err, "use chainscope merge %s PARTS ... --out DIR",
            at ? word : command);
    return CS_INPUT;
}

/* Runs the plan's command on the merged results. */
static int go_on(const parts *p, const cs_args *args, cs_error *err)
{
    enum { MOST = 400 };
    static cs_args next;
    char *argv[MOST + 4], command[64] = "", out[PATH], file[PATH];
    char resume[] = "--resume", trust[] = "--trust";
    sscanf(strstr(p->plan, "\ncommand ") ? strstr(p->plan, "\ncommand ") : "",
           " command %63s", command);
    const cs_subcommand *sub = cs_subcommand_find(command);
    cs_status status =
        sub ? check_word(p, command, args->word[0], err)
            : cs_fail(err, CS_INPUT, "unknown command '%s'", command);
    if (status)
        return cs_complain(err);
    snprintf(out, PATH, "--out=%s", cs_args_value(args, "out"));
    snprintf(file, PATH, "%s", args->word[0]);
    int n = words_of(p->plan, file, argv, MOST);
    argv[n++] = out;
    argv[n++] = resume;
    if (cs_args_value(args, "trust"))
        argv[n++] = trust;
    if (cs_args_read(&next, sub, n, argv, err))
        return cs_complain(err);
    return sub->main(&next);
}

int cs_store_merge(const cs_args *args)
{
    parts p = {0};
    cs_error err;
    const char *out = cs_args_value(args, "out");
    cs_status status = find_parts(args, &p, &err);
    if (status == CS_OK)
        status = check_apart(&p, out, &err);
    if (status == CS_OK)
        status = cs_store_open(out, p.plan, false,
                               cs_args_value(args, "force") != NULL, &err);
    bool begun = status == CS_OK;
    for (size_t i = 0; i < p.jobs && status == CS_OK; i++)
        status = take_one(&p, i, out, &err);
    if (status && begun)
        remove_results(out);
    int code = status ? cs_complain(&err) : go_on(&p, args, &err);
    parts_fini(&p);
    return code;
}
