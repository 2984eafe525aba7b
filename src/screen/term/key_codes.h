/* Keys as numbers: code points, and numbers above Unicode for keys without a
 * code point. */
#pragma once

/* Numbers above Unicode. */
enum {
    CS_KEY_UP = 0x110000,
    CS_KEY_DOWN,
    CS_KEY_LEFT,
    CS_KEY_RIGHT,
    CS_KEY_HOME,
    CS_KEY_END,
    CS_KEY_PAGE_UP,
    CS_KEY_PAGE_DOWN,
    CS_KEY_BACK_TAB,
    CS_KEY_SHIFT_LEFT,
    CS_KEY_SHIFT_RIGHT,
    CS_KEY_SHIFT_UP,
    CS_KEY_SHIFT_DOWN,
    CS_KEY_F1, /* F2 and so on follow */
    CS_KEY_F12 = CS_KEY_F1 + 11,
    CS_KEY_MOUSE, /* see cs_terminal_mouse */
    CS_KEY_PASTE, /* see cs_terminal_pasted */
    CS_KEY_NONE
};
/* Flag that is added to a code point if the key was pressed with Alt. */
enum { CS_KEY_ALT = 1 << 24 };
enum { CS_F_KEYS = CS_KEY_F12 - CS_KEY_F1 + 1 };
