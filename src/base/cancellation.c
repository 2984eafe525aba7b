#include "base/cancellation.h"

#include <assert.h>
#include <stdatomic.h>

static _Thread_local struct {
    cs_cancellation_test *over;
    void *self;
} waiting;

void cs_cancellation_set(cs_cancellation_test *over, void *self)
{
    assert(over || !self);
    waiting.over = over;
    waiting.self = self;
}

bool cs_cancelled(void)
{
    return waiting.over && waiting.over(waiting.self);
}

static atomic_bool ended; /* global, because signal handlers, which set it, have
                           * no argument */

void cs_cancellation_request(void)
{
    atomic_store(&ended, true);
}

void cs_cancellation_reset(void)
{
    atomic_store(&ended, false);
}

bool cs_cancellation_requested(void)
{
    return atomic_load(&ended);
}
