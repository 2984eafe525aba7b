/* Publishes the warnings of arms, and the scenarios that explain these
 * warnings. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/summary/off_law.h"
#include "run/summary/warned.h"
#include "run/views/view.h"
#include "session/publish/publish.h"
#include "session/state/session_state.h"
#include "warn/kinds.h"

#include <stdio.h>

static void put_text(const cs_page *p, const char *key, size_t arm, cs_flat *f)
{
    cs_flat_text(f, p->text ? p->text : "", "arm/%zu/%s", arm, key);
    cs_free(p->text);
}

/* Publishes the acceptance rates that suit a kernel with a step size. */
static void put_good_acceptance(const cs_run *r, size_t i, cs_flat *f)
{
    const cs_kernel *kernel = cs_run_arm(r, i).kernel;
    const cs_kernel_type *type = kernel->type;
    if (!(type->flags & CS_KERNEL_ACCEPTS) || cs_kernel_heat(kernel) != 1 ||
        cs_param_find(type->params, type->n_params, "step") < 0)
        return;
    double *good = cs_flat_array(f, 1, 2, "arm/%zu/acceptance/good", i);
    if (good)
        cs_warn_good_acceptance(
            cs_kernel_acceptance(type, cs_run_target(r)->space.dim), &good[0],
            &good[1]);
}

/* Publishes the warnings of arm i. Also stores, for the command `lesson`, the
 * scenario that explains a warning of the selected arm. */
void cs_session_put_warnings(cs_session *s, size_t i, const cs_flat *reported,
                             cs_flat *f)
{
    cs_run *r = s->open.run;
    cs_page all = {0}, names = {0}, words = {0};
    cs_warnings w = cs_arm_warnings(r, i, reported);
    const char *lesson = cs_warnings_lesson(&w, s->open.file);
    cs_warnings_put(&w, &all, &names);
    cs_warnings_put_facts(&w, &words);
    put_text(&all, "warnings", i, f);
    put_text(&names, "warned", i, f);
    cs_flat_number(f, (double)cs_warnings_worst(&w), "arm/%zu/severity", i);
    if (cs_run_arm(r, i).steps > 0)
        cs_flat_number(f, cs_arm_is_off(r, i, reported), "arm/%zu/off", i);
    put_text(&words, "words", i, f);
    put_good_acceptance(r, i, f);
    cs_flat_text(f, lesson, "arm/%zu/lesson", i);
    if (i == s->look.arm)
        snprintf(s->show.lesson, sizeof s->show.lesson, "%s", lesson);
    cs_warnings_free(&w);
}
