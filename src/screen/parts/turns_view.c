/* Reads the turns of members from a snapshot. */
#include "screen/parts/turns_view.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns an array [n][shown]; NULL if it is missing or has another shape. */
static const double *states(const cs_shot *s, const char *key, cs_turns_view *t)
{
    size_t rows, cols;
    const double *x = cs_shot_array(s, &rows, &cols, "look/turns/%s", key);
    if (!x || rows != t->n || (t->shown && cols != t->shown))
        return NULL;
    t->shown = cols;
    return x;
}

static void find_conditional(const cs_shot *s, cs_turns_view *t)
{
    size_t n, rows, cols;
    t->conditional =
        CS_SHOT_ROWS(s, cs_row_conditional, &n, CS_KEY_CONDITIONAL);
    t->value = cs_shot_array(s, &rows, &t->n_values, "look/conditional/value");
    t->density = cs_shot_array(s, &rows, &cols, "look/conditional/density");
    if (!t->value || !t->density || cols != t->n_values || t->n_values < 1)
        t->conditional = NULL;
}

bool cs_turns_find(const cs_shot *s, cs_turns_view *t)
{
    size_t rows;
    const cs_row_look *at = cs_shot_look(s);
    *t = (cs_turns_view){.n = 0};
    if (!at)
        return false;
    t->arm = cs_shot_whole(at->arm, CS_SHOT_ARMS);
    t->note = CS_SHOT_ROWS(s, cs_turn_note, &t->n, CS_KEY_TURNS);
    t->before = states(s, "before", t);
    t->after = states(s, "after", t);
    t->proposal = states(s, "proposal", t);
    t->of = cs_shot_whole(cs_shot_number(s, (double)t->n, "look/turns/of"),
                          1 << 30);
    double made = cs_shot_number(s, -1, "look/turns/made");
    t->slow = made >= 0 && strcmp(cs_shot_text(s, "run/state"), "running") == 0;
    t->made = t->slow ? cs_shot_whole(made, t->n) : 0;
    t->moved_by =
        cs_shot_array(s, &rows, &t->dim, "arm/%zu/kernel/moved_by", t->arm);
    find_conditional(s, t);
    if (!t->before || !t->after || !t->proposal)
        t->note = NULL;
    return t->note != NULL;
}

void cs_turn_member(const cs_shot *s, const cs_turns_view *t, size_t i,
                    char *text, size_t size)
{
    size_t k = cs_shot_whole(t->note[i].member, 10000);
    const char *moves =
        cs_shot_text(s, "arm/%zu/kernel/member/%zu/moves", t->arm, k);
    const char *kernel =
        cs_shot_text(s, "arm/%zu/kernel/member/%zu/kernel", t->arm, k);
    char some[81]; /* the list may be longer than a line */
    cs_text_shorten(*moves ? moves : "all", some, sizeof some);
    snprintf(text, size, "%s by %.40s", some, *kernel ? kernel : "a kernel");
}

bool cs_turn_moves(const cs_turns_view *t, const cs_shown_kinds *k, size_t turn,
                   size_t i)
{
    size_t d = i < k->n && k->row[i].coordinate >= 0
                   ? cs_shot_whole(k->row[i].coordinate, t->dim)
                   : t->dim;
    if (turn >= t->n || !t->note || i >= t->shown)
        return false;
    if (t->after[turn * t->shown + i] != t->before[turn * t->shown + i])
        return true;
    return t->moved_by && d < t->dim && t->moved_by[d] == t->note[turn].member;
}
