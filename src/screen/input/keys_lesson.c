/* Keys of a scenario with a course. */
#include "screen/input/key_acts.h"

#include <string.h>

/* Returns true if a question is open and has no answer yet. */
static bool waits(const cs_shot *s)
{
    return cs_shot_asks(s) && !*cs_shot_text(s, "course/answer");
}

static bool is_kind(const cs_shot *s, const char *kind)
{
    return strcmp(cs_shot_text(s, "course/kind"), kind) == 0;
}

bool cs_key_answer_lesson(const cs_key_press *p)
{
    size_t n = 0;
    bool digit = p->key >= '0' && p->key <= '9';
    bool several = is_kind(p->shot, "several");
    if (!cs_shot_asks(p->shot))
        return false;
    if (!several && !is_kind(p->shot, "choose")) { /* typed: a line */
        if (!digit && (p->key != '-' || !waits(p->shot)))
            return false;
        cs_begin_line(p->ui, ':', "answer %c", (char)p->key);
        return true;
    }
    for (const char *at = cs_shot_text(p->shot, "course/choices"); *at; n++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (p->key < '1' || p->key > '9' || p->key - '0' > n)
        return false;
    cs_say(p, several ? "answer toggle %c" : "answer %c", (char)p->key);
    return true;
}

void cs_key_lesson(const cs_key_press *p)
{
    bool next = p->key == '\r';
    if (next && p->ui->params && !p->typed)
        cs_key_value(p);
    else if (next && waits(p->shot) && !p->typed &&
             !is_kind(p->shot, "choose") && !is_kind(p->shot, "several"))
        cs_begin_line(p->ui, ':', "answer ");
    else
        cs_say(p, next ? "course next" : "course back");
}
