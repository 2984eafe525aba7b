/* The direction in which a figure improves. */
#pragma once

typedef enum cs_merit {
    CS_MERIT_NONE, /* neither direction is better */
    CS_MERIT_MORE, /* larger is better */
    CS_MERIT_LESS
} cs_merit;
