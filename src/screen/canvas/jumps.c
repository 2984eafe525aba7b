#include "screen/canvas/jumps.h"

#include <math.h>

cs_jumps cs_jumps_find(const cs_shot *s, size_t arm, size_t chains, size_t n)
{
    cs_jumps j = {0};
    j.bin = cs_shot_array(s, &j.chains, &j.n, "arm/%zu/trace/bins", arm);
    if (j.chains != chains || j.n != n)
        j.bin = NULL;
    return j;
}

cs_jump cs_jump_of(const cs_jumps *j, size_t chain, size_t t)
{
    if (!j->bin || chain >= j->chains || t >= j->n)
        return CS_NO_JUMP;
    const double *bin = j->bin + chain * j->n;
    if (bin[t] < 0)
        return CS_JUMP_UPHILL;
    bool known = t > 0 && !isnan(bin[t]) && !isnan(bin[t - 1]);
    return known && fabs(bin[t]) != fabs(bin[t - 1]) ? CS_JUMP_BIN : CS_NO_JUMP;
}

static const struct look {
    cs_role role;
    unsigned glyph;
} looks[] = {
    [CS_NO_JUMP] = {CS_ROLE_FOCUS, 0x2022},
    [CS_JUMP_BIN] = {CS_ROLE_EVENT, '+'},
    [CS_JUMP_UPHILL] = {CS_ROLE_REJECT, 0x25B2},
};

cs_role cs_jump_role(cs_jump kind)
{
    return looks[kind].role;
}

unsigned cs_jump_glyph(cs_jump kind)
{
    return looks[kind].glyph;
}
