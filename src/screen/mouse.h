/* What the mouse means: each press is what a key or a command is. */
#ifndef CS_SCREEN_MOUSE_H
#define CS_SCREEN_MOUSE_H

#include "screen/keys.h"

typedef enum cs_mouse_kind {
    CS_MOUSE_PRESS,
    CS_MOUSE_DRAG, /* moved while pressed */
    CS_MOUSE_RELEASE,
    CS_MOUSE_WHEEL_UP,
    CS_MOUSE_WHEEL_DOWN
} cs_mouse_kind;

typedef struct cs_mouse {
    cs_mouse_kind kind;
    int x, y; /* of the cell, from 0 */
} cs_mouse;

/* Does what it means on what the last frame had there; false: nothing. */
bool cs_mouse_act(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                  const cs_mouse *m);

#endif
