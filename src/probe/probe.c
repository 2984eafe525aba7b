#include "probe/probe.h"

#include "base/contract.h"

#include <string.h>

CS_CONTRACT bool is_consistent(const cs_probe_type *type)
{
    return type->name && type->create && type->observe && type->report &&
           !type->events == !type->count;
}

uint64_t cs_probe_usual(const cs_probe_type *type, const cs_target *target)
{
    assert(type && target);
    enum { WIDE = 1024, SHARE = 256 };
    size_t dim = target->space.dim;
    return type->whole && dim > WIDE ? dim / SHARE : 1;
}

cs_status cs_probe_init(cs_probe *p, const cs_probe_type *type,
                        const cs_value *given, size_t n_given,
                        cs_target *target, cs_error *err)
{
    assert(p && is_consistent(type) && target);
    assert(given || !n_given);
    cs_value out[CS_PROBE_PARAMS];
    *p = (cs_probe){.type = type, .every = 1, .target = target};
    assert(type->n_params <= CS_PROBE_PARAMS);
    cs_status s = cs_params_resolve(type->name, type->params, type->n_params,
                                    given, n_given, out, err);
    if (s != CS_OK)
        return s;
    for (size_t i = 0; i < type->n_params; i++) {
        p->values[i] = out[i].number;
        p->text[i] = out[i].text;
    }
    s = type->create(p, target, err);
    memset(p->text, 0, sizeof p->text);
    if (s != CS_OK)
        p->type = NULL; /* no probe exists: `create` has freed its data */
    assert(s != CS_OK || (p->every >= 1 && p->words > 0));
    p->settled = !type->settle;
    return s;
}

void cs_probe_settle(cs_probe *p)
{
    assert(p->type);
    if (!p->settled)
        p->type->settle(p);
    p->settled = true;
}

bool cs_probe_settle_part(cs_probe *p)
{
    assert(p->type);
    if (p->settled || !p->type->settle_part)
        cs_probe_settle(p);
    else
        p->settled = p->type->settle_part(p);
    return p->settled;
}

void cs_probe_fini(cs_probe *p)
{
    if (p->type && p->type->destroy)
        p->type->destroy(p);
    *p = (cs_probe){.type = NULL};
}
