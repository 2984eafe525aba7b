/* A mouse event, with its position in cells. */
#pragma once

typedef enum cs_mouse_kind {
    CS_MOUSE_PRESS,
    CS_MOUSE_DRAG, /* moved while pressed */
    CS_MOUSE_RELEASE,
    CS_MOUSE_WHEEL_UP,
    CS_MOUSE_WHEEL_DOWN
} cs_mouse_kind;

typedef struct cs_mouse {
    cs_mouse_kind kind;
    int x, y; /* cell, from 0 */
} cs_mouse;
