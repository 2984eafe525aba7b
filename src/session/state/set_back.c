#include "session/state/set_back.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static void drop_oldest(cs_set_back *list)
{
    cs_free(list->step[0].line);
    memmove(list->step, list->step + 1, --list->n * sizeof *list->step);
}

static void clear(cs_set_back *list)
{
    while (list->n)
        cs_free(list->step[--list->n].line);
}

void cs_way_back_clear(cs_way_back *b)
{
    clear(&b->undo);
    clear(&b->redo);
}

void cs_way_back_add(cs_way_back *b, const char *line, const char *said)
{
    cs_set_back *to = b->under_way == &b->undo ? &b->redo : &b->undo;
    cs_set_back_step step = {.line = line ? cs_copy_text(line) : NULL};
    snprintf(step.said, sizeof step.said, "%s", said);
    if (!b->under_way) {
        clear(&b->redo);
        b->changes++;
    }
    if (to->n == CS_UNDOS)
        drop_oldest(to);
    to->step[to->n++] = step;
}
