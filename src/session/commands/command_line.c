/* Implements `line`: selects the line in the space of states along which the
 * energy is displayed (state/energy_line.h). */
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static cs_status read_number(const char *word, size_t most, const char *what,
                             size_t *out, cs_error *err)
{
    char *end;
    long k = strtol(word, &end, 10);
    if (end == word || *end || k < 1 || (size_t)k > most) {
        cs_fail(err, CS_RANGE, "'%s' is not a valid %s", word, what);
        if (most)
            cs_hint(err, "give a number between 1 and %zu", most);
        else
            cs_hint(err, "choose another kind of line: the modes of this "
                         "target are not known");
        return CS_RANGE;
    }
    *out = (size_t)k - 1;
    return CS_OK;
}

static cs_status read_pair(char **word, size_t n, size_t most, const char *what,
                           cs_line *to, cs_error *err)
{
    if (n != 3) {
        cs_fail(err, CS_INPUT, "a line needs the numbers of two %ss", what);
        cs_hint(err, "for example `line %ss 1 2`", what);
        return CS_INPUT;
    }
    cs_status status = read_number(word[2], most, what, &to->a, err);
    if (status == CS_OK)
        status = read_number(word[3], most, what, &to->b, err);
    if (status == CS_OK && to->a == to->b)
        status =
            cs_fail(err, CS_INPUT, "both ends are %s %zu", what, to->a + 1);
    return status;
}

/* Parses the name or the number of a coordinate. */
static cs_status read_coordinate(const cs_target *t, const char *word,
                                 size_t *out, cs_error *err)
{
    char name[64];
    for (size_t i = 0; !t->outputs.n && i < t->space.dim; i++) {
        cs_target_coordinate(t, i, name, sizeof name);
        if (strcmp(name, word) == 0) {
            *out = i;
            return CS_OK;
        }
    }
    return read_number(word, t->space.dim, "coordinate", out, err);
}

static cs_status read_range(char **word, size_t n, cs_line *to, cs_error *err)
{
    to->range[0] = to->range[1] = (double)NAN;
    if (n == 1)
        return CS_OK;
    cs_status status = n == 3 ? CS_OK : CS_INPUT;
    for (size_t i = 0; status == CS_OK && i < 2; i++)
        status = cs_command_number(word[2 + i], &to->range[i], err);
    if (status == CS_OK && to->range[1] > to->range[0])
        return CS_OK;
    cs_fail(err, CS_INPUT, "a range must be two numbers, the lower first");
    cs_hint(err, "for example `line %s -10 10`", word[1]);
    return CS_INPUT;
}

cs_status cs_command_line(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run);
    cs_line to = {.of = SIZE_MAX};
    const cs_target *t = cs_run_target(s->open.run);
    cs_status status = CS_OK;
    if (n && strcmp(word[1], "modes") == 0) {
        to.kind = CS_LINE_MODES;
        status = read_pair(word, n, t->exact.modes ? t->exact.n_modes : 0,
                           "mode", &to, err);
    } else if (n && strcmp(word[1], "chains") == 0) {
        to.kind = CS_LINE_CHAINS;
        status = read_pair(word, n, cs_run_arm(s->open.run, s->look.arm).chains,
                           "chain", &to, err);
    } else if (n) {
        to.kind = CS_LINE_COORDINATE;
        status = read_coordinate(t, word[1], &to.a, err);
        if (status == CS_OK)
            status = read_range(word, n, &to, err);
    }
    if (status == CS_OK)
        s->line = to;
    s->show.dirty = true;
    return status;
}
