/* The warnings of arms in a snapshot, and the lessons that they lead to. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/summary/warned.h"
#include "run/views/view.h"
#include "session/commands/command.h"
#include "session/state.h"

#include <stdio.h>

/* The scenario that an arm's warnings lead to; of the one that is looked at it is
 * remembered for the command. */
static void put_lesson(cs_session *s, size_t arm, const char *words,
                       const cs_flat *told, cs_flat *f)
{
    cs_flat_entry e;
    bool more = cs_flat_find(told->base, told->used, &e,
                             "arm/%zu/diagnostics/words", arm) &&
                e.text;
    const char *lesson =
        cs_session_lesson_of(words, more ? e.text : "", s->open.file);
    cs_flat_text(f, lesson, "arm/%zu/lesson", arm);
    if (arm == s->look.arm)
        snprintf(s->lesson, sizeof s->lesson, "%s", lesson);
}

/* The warnings of arm i, those of its draws too, and the most severe of them.
 * `broken`: what :check has found, a line or "". `words` [own] is the text of
 * those that the draws do not show. */
static void put_warnings(cs_session *s, size_t i, const cs_flat *told,
                         const char *broken, cs_page *words, cs_flat *f)
{
    cs_page all = {0}, names = {0};
    cs_warnings w = {0};
    if (cs_run_arm(s->open.run, i).steps > 0)
        w = cs_arm_warnings(s->open.run, i, told);
    cs_severity worst = *broken ? CS_SEVERITY_WRONG : cs_warnings_worst(&w);
    cs_page_put(&all, "%s", broken);
    cs_page_put(words, "%s", broken);
    cs_page_put(&names, "%s", *broken ? "check " : "");
    cs_warnings_put_facts(&w, words);
    cs_warnings_put(&w, &all, &names);
    cs_flat_text(f, all.text ? all.text : "", "arm/%zu/warnings", i);
    cs_flat_text(f, names.text ? names.text : "", "arm/%zu/warned", i);
    cs_flat_number(f, (double)worst, "arm/%zu/severity", i);
    cs_warnings_free(&w);
    cs_free(all.text);
    cs_free(names.text);
}

void cs_session_put_warnings(cs_session *s, size_t i, const cs_flat *told,
                             cs_flat *f)
{
    cs_run *r = s->open.run;
    cs_page words = {0};
    char line[200] = "";
    const char *broken = cs_session_mark_of(s, cs_run_arm_name(r, i));
    if (*broken)
        snprintf(line, sizeof line,
                 "check: it has failed the law %s, so that its draws "
                 "are not to be trusted\n",
                 broken);
    put_warnings(s, i, told, line, &words, f);
    if (cs_run_arm(r, i).steps > 0)
        cs_flat_number(f, cs_arm_is_off(r, i, told), "arm/%zu/off", i);
    cs_flat_text(f, words.text ? words.text : "", "arm/%zu/words", i);
    put_lesson(s, i, words.text ? words.text : "", told, f);
    cs_free(words.text);
}
