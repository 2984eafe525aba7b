/* Saves a run as a script. The script consists of the scenario's text in a
 * function, the fields that were set when the scenario was opened, and a
 * function `setup` that requests the changes at their steps. The changes are
 * the lines written by run/history/journal_text.c, in which numbers, schedules
 * and kernels are valid Lua. */
#include "session/record/saved_script.h"

#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/replace.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"

#include <string.h>

enum { SCENARIO_MOST = 1 << 20 };

static const char title[] = "-- A run of chainscope";

/* Removes the next word from the line and returns it. At the end of the line,
 * returns NULL. */
static char *word(char **at)
{
    char *from = *at + strspn(*at, " ");
    *at = from + strcspn(from, " ");
    if (**at)
        *(*at)++ = 0;
    return *from ? from : NULL;
}

/* Writes one change as a Lua statement. Returns false if Lua has no statement
 * for the change. */
static bool put_change(cs_page *p, char *line, const char *arm)
{
    const char *kind = word(&line), *name = NULL;
    if (!kind || strcmp(kind, "script") == 0)
        return false;
    cs_page_put(p, "run:arm(%s):", arm);
    if (strcmp(kind, "kernel") == 0)
        cs_page_put(p, "use(%s)", line);
    else if (!(name = word(&line)))
        return false;
    else if (strcmp(kind, "state") == 0)
        cs_page_put(p, "chain(%s):set_state %s", name, line);
    else
        cs_page_put(p, "set(\"%s\", %s)", name, line);
    return true;
}

/* Writes the change of a line "STEP ARM ...". A change at step 0 is made
 * immediately. */
static void put_line(cs_page *p, char *line, size_t *lost)
{
    cs_page said = {0};
    char *at = line;
    if (strncmp(line, "# arm ", 6) == 0)
        cs_page_put(p, "  --%s\n", line + 1);
    const char *step = word(&at), *arm = word(&at);
    if (arm && strcmp(arm, "run") == 0 && strncmp(at, "target.", 7) == 0) {
        cs_page_put(
            p, "  -- step %s: %s; in this file it applies from the start\n",
            step, at);
        ++*lost;
    }
    if (!arm || strcmp(arm, "end") == 0 || strcmp(arm, "run") == 0 ||
        *step == '#')
        return;
    char *rest = at;
    if (!put_change(&said, rest, arm)) {
        cs_page_put(
            p, "  -- step %s, arm %s: changed by a function of the scenario\n",
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

/* Writes the arms that were added. If the scenario is itself a saved run, these
 * arms come after the arms that the scenario adds. */
static void put_arms(cs_page *p, const cs_script_source *s)
{
    bool any = false;
    for (size_t i = 0; i < s->n_set; i++) {
        if (strncmp(s->set[i], "arms#", 5) != 0)
            continue;
        if (!any)
            cs_page_put(p, "scenario.arm_changes = scenario.arm_changes or {}\n"
                           "for _, change in ipairs {\n");
        any = true;
        cs_page_put(p, "  [==[%s]==],\n", strchr(s->set[i], '=') + 1);
    }
    if (any)
        cs_page_put(p, "} do table.insert(scenario.arm_changes, change) end\n");
}

static void put_target(cs_page *p, const cs_script_source *s)
{
    for (size_t i = 0; i < s->n_set; i++)
        if (strncmp(s->set[i], "target.", 7) == 0)
            cs_page_put(p,
                        "scenario.target_changes = scenario.target_changes or "
                        "{}\nscenario.target_changes.%s\n",
                        s->set[i] + 7);
}

/* Writes the fields that were set when the scenario was opened, "seed=7" and
 * others. The warm-up is always written, since otherwise `chainscope run` would
 * apply its default and produce a different run. */
static void put_fields(cs_page *p, const cs_script_source *s)
{
    cs_page_put(p, "scenario.warmup = scenario.warmup or 0\n");
    cs_page_put(p, "scenario.seed = %llu\n",
                (unsigned long long)cs_run_seed(s->run));
    put_arms(p, s);
    put_target(p, s);
    for (size_t i = 0; i < s->n_set; i++) {
        const char *value = strchr(s->set[i], '=') + 1;
        if (strncmp(s->set[i], "chains=", 7) == 0)
            cs_page_put(p, "scenario.chains = %s\n", value);
        else if (strncmp(s->set[i], "warmup=", 7) == 0)
            cs_page_put(p, "scenario.warmup = %s\n", value);
        else if (strncmp(s->set[i], "steps=", 6) == 0)
            cs_page_put(p, "scenario.budget = { steps = %s }\n", value);
        else if (strncmp(s->set[i], "stage=", 6) == 0)
            cs_page_put(p, "scenario.stage = \"%s\"\n", value);
    }
}

static void put_script(cs_page *p, const cs_script_source *s, char *journal,
                       size_t *lost)
{
    const char *text = s->scenario;
    const char *first = *text == '#' ? strchr(text, '\n') : text;
    cs_page_put(p,
                "%s, with the changes made up to step %llu:\n-- it gives the "
                "same draws. First comes the original scenario.\nlocal cs = "
                "require \"chainscope\"\nlocal scenario = (function(...)\n",
                title, (unsigned long long)cs_run_steps(s->run));
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
        return CS_OK; /* the usual case: the file does not exist */
    bool ours = strncmp((char *)old, title, sizeof title - 1) == 0;
    cs_free(old);
    if (ours)
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s already exists and is not a saved run", path);
    cs_hint(err, "choose another name");
    return CS_INPUT;
}

cs_status cs_script_save(const cs_script_source *s, const char *path,
                         size_t *lost, cs_error *err)
{
    char *journal = NULL;
    cs_page p = {0};
    *lost = 0;
    if (!s->scenario)
        return cs_fail(err, CS_UNSUPPORTED, "the scenario's text is not known");
    cs_status status = may_write(path, err);
    if (status == CS_OK)
        status = cs_run_changes_text(s->run, &journal, err);
    if (status)
        return status;
    put_script(&p, s, journal, lost);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the script");
    else if (p.used > SCENARIO_MOST)
        status = cs_fail(err, CS_UNSUPPORTED,
                         "too many changes: the scenario would exceed 1 MiB");
    else
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    cs_free(journal);
    return status;
}
