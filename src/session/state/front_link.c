#include "session/state/front_link.h"

#include <unistd.h>

void cs_front_poke(const cs_front_link *l)
{
    const uint64_t one = 1;
    if (write(l->wake, &one, sizeof one) < 0)
        return; /* the counter of the eventfd is full, so the front has been
                 * woken already */
}
