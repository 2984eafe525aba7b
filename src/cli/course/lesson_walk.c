#include "cli/course/lesson_walk.h"

#include "base/flat.h"
#include "cli/front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 600, STEPS = 400 };

const char *cs_lesson_value(cs_client *c, const char *key, char *out,
                            size_t size)
{
    const unsigned char *base;
    size_t used;
    cs_flat_entry e;
    while (cs_client_snapshot(c, &base, &used))
        ;
    bool found = cs_client_last(c, &base, &used) &&
                 cs_flat_find(base, used, &e, "course/%s", key) && e.text;
    snprintf(out, size, "%s", found ? e.text : "");
    return out;
}

/* Makes the next step. A question without an answer is left out by a second
 * request. */
static cs_status next_step(cs_client *c, cs_error *err)
{
    char ask[VALUE], mark[VALUE], broken[VALUE];
    bool asks = *cs_lesson_value(c, "ask", ask, sizeof ask) &&
                !*cs_lesson_value(c, "mark", mark, sizeof mark);
    cs_status status = cs_front_ask(c, "course next", NULL, err);
    if (status && asks)
        status = cs_front_ask(c, "course next", NULL, err);
    if (status == CS_OK && *cs_lesson_value(c, "broken", broken, sizeof broken))
        status = cs_fail(err, CS_INPUT, "%s", broken);
    return status;
}

cs_status cs_lesson_walk(cs_client *c, cs_error *err)
{
    char step[VALUE], of[VALUE];
    for (int i = 0; i < STEPS; i++) {
        cs_lesson_value(c, "step", step, sizeof step);
        if (strcmp(step, cs_lesson_value(c, "of", of, sizeof of)) == 0)
            return CS_OK;
        cs_status status = next_step(c, err);
        if (status)
            return status;
    }
    return CS_OK;
}
