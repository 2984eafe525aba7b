#include "base/patience.h"

#include <assert.h>
#include <stdatomic.h>

static _Thread_local struct {
    cs_patience_ask *over;
    void *self;
} waiting;

void cs_patience_set(cs_patience_ask *over, void *self)
{
    assert(over || !self);
    waiting.over = over;
    waiting.self = self;
}

bool cs_patience_over(void)
{
    return waiting.over && waiting.over(waiting.self);
}

static atomic_bool ended; /* signal handlers set it, and have no argument */

void cs_patience_end(void)
{
    atomic_store(&ended, true);
}

void cs_patience_renew(void)
{
    atomic_store(&ended, false);
}

bool cs_patience_ended(void)
{
    return atomic_load(&ended);
}
