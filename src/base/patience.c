#include "base/patience.h"

#include <assert.h>
#include <stddef.h>

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
