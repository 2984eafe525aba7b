/* Which of two figures is the better one. */
#pragma once

typedef enum cs_merit {
    CS_MERIT_NONE, /* it says nothing of who is better */
    CS_MERIT_MORE, /* the larger the better */
    CS_MERIT_LESS
} cs_merit;
