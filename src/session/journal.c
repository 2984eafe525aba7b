/* The script is the scenario's own text in a function, then its fields that
 * were set when it was opened, then a `setup` that asks for the changes at
 * their steps. The changes come as the lines of run/journal.c. */
#include "session/journal.h"

#include "base/memory.h"
#include "base/page.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENARIO_MOST = 1 << 20 };

static const char title[] = "-- A run of chainscope";

/* The next word of the line, cut off; NULL at its end. */
static char *word(char **at)
{
    char *from = *at + strspn(*at, " ");
    *at = from + strcspn(from, " ");
    if (**at)
        *(*at)++ = 0;
    return *from ? from : NULL;
}

static void put_list(cs_page *p, char **at)
{
    const char *value = word(at);
    size_t n = value ? strtoul(value, NULL, 10) : 0;
    cs_page_put(p, "{ ");
    for (; n && (value = word(at)); n--)
        cs_page_put(p, "%s, ", value);
    cs_page_put(p, "}");
}

/* "step = 0.3, balance = 0.5": the numbers that follow, under the rows'
 * names. */
static void put_rows(cs_page *p, const cs_param *rows, size_t n, char **at)
{
    for (size_t i = 0; i < n; i++) {
        cs_page_put(p, "%s%s = ", i ? ", " : "", rows[i].name);
        if (rows[i].kind == CS_PARAM_ARRAY) {
            put_list(p, at);
            continue;
        }
        const char *value = word(at);
        const char *number = !value                       ? "0"
                             : strcmp(value, "inf") == 0  ? "math.huge"
                             : strcmp(value, "-inf") == 0 ? "-math.huge"
                                                          : value;
        if (rows[i].kind == CS_PARAM_BOOL)
            number = strtod(number, NULL) != 0 ? "true" : "false";
        cs_page_put(p, "%s", number);
    }
}

/* "TYPE NUMBER ...": false when only a script knows the type. */
static bool put_schedule(cs_page *p, char **at)
{
    const char *name = word(at);
    const cs_schedule_type *type = name ? cs_schedule_find(name) : NULL;
    if (!type)
        return false;
    cs_page_put(p, "cs.schedule.%s { ", type->name);
    put_rows(p, type->params, type->n_params, at);
    cs_page_put(p, " }");
    return true;
}

/* "[; LIST N NUMBER ...] ...", if there are any here. */
static void put_lists(cs_page *p, char **at)
{
    while (**at == ';') {
        word(at);
        const char *name = word(at);
        cs_page_put(p, ", %s = ", name ? name : "");
        put_list(p, at);
    }
}

/* "[, PARAM TYPE NUMBER ...] ...": a schedule replaces the number before. */
static bool put_schedules(cs_page *p, char **at)
{
    while (word(at)) {
        const char *param = word(at);
        cs_page_put(p, ", %s = ", param ? param : "");
        if (!put_schedule(p, at))
            return false;
    }
    return true;
}

/* "TYPE NUMBER ... [; LIST N NUMBER ...] ... [, PARAM TYPE NUMBER ...] ..." */
static bool put_kernel(cs_page *p, char **at)
{
    const char *name = word(at);
    const cs_kernel_type *outer, *type;
    cs_page lists = {0};
    bool around = name && cs_kernel_find_wrapper(name, &outer, &type);
    if (!around)
        type = name ? cs_kernel_find(name) : NULL;
    if (!type)
        return false;
    if (around) {
        cs_page_put(p, "cs.kernel.%s { ", outer->name);
        put_rows(p, outer->params, outer->n_params, at);
        cs_page_put(p, ", kernel = ");
    }
    cs_page_put(p, "cs.kernel.%s { ", type->name);
    put_rows(p, type->params, type->n_params, at);
    put_lists(&lists, at);
    bool good = put_schedules(p, at);
    cs_page_put(p, " }");
    if (around)
        cs_page_put(p, "%s }", lists.text ? lists.text : "");
    p->full |= lists.full;
    cs_free(lists.text);
    return good;
}

static void put_state(cs_page *p, char **at)
{
    const char *chain = word(at), *x;
    cs_page_put(p, "chain(%s):set_state { ", chain ? chain : "1");
    while ((x = word(at)))
        cs_page_put(p, "%s, ", x);
    cs_page_put(p, "}");
}

/* One change as a statement; false: it cannot be said in Lua. */
static bool put_change(cs_page *p, char *line, const char *arm)
{
    const char *kind = word(&line), *name;
    if (!kind)
        return false;
    cs_page_put(p, "run:arm(%s):", arm);
    if (strcmp(kind, "state") == 0) {
        put_state(p, &line);
    } else if (strcmp(kind, "kernel") == 0) {
        cs_page_put(p, "use(");
        if (!put_kernel(p, &line))
            return false;
        cs_page_put(p, ")");
    } else if ((name = word(&line)) && strcmp(kind, "value") == 0) {
        const char *value = word(&line);
        cs_page_put(p, "set(\"%s\", %s)", name, value ? value : "0");
    } else if (name && strcmp(kind, "schedule") == 0) {
        cs_page_put(p, "set(\"%s\", ", name);
        if (!put_schedule(p, &line))
            return false;
        cs_page_put(p, ")");
    } else {
        return false;
    }
    return true;
}

/* "STEP ARM ...": at step 0 it is done at once. */
static void put_line(cs_page *p, char *line, size_t *lost)
{
    cs_page said = {0};
    char *at = line;
    if (strncmp(line, "# arm ", 6) == 0)
        cs_page_put(p, "  --%s\n", line + 1);
    const char *step = word(&at), *arm = word(&at);
    if (!arm || strcmp(arm, "end") == 0 || strcmp(arm, "run") == 0 ||
        *step == '#')
        return;
    char *rest = at;
    if (!put_change(&said, rest, arm)) {
        cs_page_put(p,
                    "  -- step %s, arm %s: what a function of the scenario "
                    "made it\n",
                    step, arm);
        ++*lost;
    } else if (strcmp(step, "0") == 0) {
        cs_page_put(p, "  %s\n", said.text);
    } else {
        cs_page_put(p, "  run:at(%s, function() %s end)\n", step, said.text);
    }
    p->full |= said.full;
    cs_free(said.text);
}

/* "seed=7" and the like, set when the scenario was opened. A warm-up that is
 * usual for `chainscope run` would make it another run. */
static void put_fields(cs_page *p, const cs_session *s)
{
    cs_page_put(p, "scenario.warmup = scenario.warmup or 0\n");
    cs_page_put(p, "scenario.seed = %llu\n",
                (unsigned long long)cs_run_seed(s->open.run));
    for (size_t i = 0; i < s->n_set; i++) {
        const char *value = strchr(s->set[i], '=') + 1;
        if (strncmp(s->set[i], "chains=", 7) == 0)
            cs_page_put(p, "scenario.chains = %s\n", value);
        else if (strncmp(s->set[i], "warmup=", 7) == 0)
            cs_page_put(p, "scenario.warmup = %s\n", value);
        else if (strncmp(s->set[i], "steps=", 6) == 0)
            cs_page_put(p, "scenario.budget = { steps = %s }\n", value);
    }
}

static void put_script(cs_page *p, const cs_session *s, const char *scenario,
                       char *journal, size_t *lost)
{
    const char *first = *scenario == '#' ? strchr(scenario, '\n') : scenario;
    cs_page_put(p,
                "%s, with what was changed on its way up to step %llu:\n"
                "-- it gives the same draws. First the scenario as it was.\n"
                "local cs = require \"chainscope\"\n"
                "local scenario = (function(...)\n",
                title, (unsigned long long)cs_run_steps(s->open.run));
    cs_page_put(p, "%s\nend)(...)\n\n", first ? first : "");
    put_fields(p, s);
    cs_page_put(p, "\nlocal setup = scenario.setup\n"
                   "function scenario.setup(run)\n"
                   "  if setup then setup(run) end\n");
    for (char *line = journal, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        put_line(p, line, lost);
    }
    cs_page_put(p, "end\n\nreturn scenario\n");
}

static cs_status may_write(const char *path, cs_error *err)
{
    unsigned char *old;
    size_t size;
    if (cs_file_read(path, SCENARIO_MOST, &old, &size, NULL) != CS_OK)
        return CS_OK; /* most likely it is not there */
    bool ours = strncmp((char *)old, title, sizeof title - 1) == 0;
    cs_free(old);
    if (ours)
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s is there already, and is no saved run", path);
    cs_hint(err, "choose another name");
    return CS_INPUT;
}

cs_status cs_journal_write(const cs_session *s, const char *path, size_t *lost,
                           cs_error *err)
{
    char *journal = NULL;
    cs_page p = {0};
    *lost = 0;
    if (!s->scenario)
        return cs_fail(err, CS_UNSUPPORTED, "the scenario's text is not known");
    cs_status status = may_write(path, err);
    if (status == CS_OK)
        status = cs_run_journal_text(s->open.run, &journal, err);
    if (status)
        return status;
    put_script(&p, s, s->scenario, journal, lost);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "no memory for the script");
    else if (p.used > SCENARIO_MOST)
        status = cs_fail(err, CS_UNSUPPORTED,
                         "too many changes for a scenario of 1 MiB");
    else
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    cs_free(journal);
    return status;
}
