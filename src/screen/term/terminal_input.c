/* Keys and mouse events from curses. */
#include "screen/term/terminal_parts.h"

#include "screen/term/key_codes.h"

#include <string.h>
#include <term.h>
#include <unistd.h>

bool cs_terminal_has_mouse(void)
{
    const char *key = tigetstr("kmous");
    return key && key != (const char *)-1;
}

void cs_terminal_write_now(const char *bytes)
{
    ssize_t ignored = write(STDOUT_FILENO, bytes, strlen(bytes));
    (void)ignored;
}

void cs_terminal_listen(cs_terminal *t, bool mouse)
{
    if (mouse == t->mouse || !cs_terminal_has_mouse())
        return;
    t->mouse = mouse;
    /* report each press immediately, without waiting for clicks */
    mouseinterval(0);
    mousemask(mouse ? ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION : 0, NULL);
    cs_terminal_write_now(mouse ? CS_MOUSE_MOVES : CS_MOUSE_OFF);
}

bool cs_terminal_mouse(cs_terminal *t, cs_mouse *out)
{
    static const struct {
        mmask_t bit;
        cs_mouse_kind kind;
    } table[] = {{BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED |
                      BUTTON1_TRIPLE_CLICKED,
                  CS_MOUSE_PRESS},
                 {BUTTON1_RELEASED, CS_MOUSE_RELEASE},
                 {BUTTON4_PRESSED, CS_MOUSE_WHEEL_UP},
                 {BUTTON5_PRESSED, CS_MOUSE_WHEEL_DOWN},
                 {REPORT_MOUSE_POSITION, CS_MOUSE_DRAG}};
    MEVENT event;
    if (!t->mouse || getmouse(&event) != OK)
        return false;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (event.bstate & table[i].bit) {
            *out = (cs_mouse){table[i].kind, event.x, event.y};
            return true;
        }
    return false;
}

unsigned cs_terminal_key(cs_terminal *t)
{
    static const struct {
        int curses;
        unsigned ours;
    } table[] = {{KEY_UP, CS_KEY_UP},
                 {KEY_DOWN, CS_KEY_DOWN},
                 {KEY_LEFT, CS_KEY_LEFT},
                 {KEY_RIGHT, CS_KEY_RIGHT},
                 {KEY_HOME, CS_KEY_HOME},
                 {KEY_END, CS_KEY_END},
                 {KEY_PPAGE, CS_KEY_PAGE_UP},
                 {KEY_NPAGE, CS_KEY_PAGE_DOWN},
                 {KEY_BTAB, CS_KEY_BACK_TAB},
                 {KEY_SLEFT, CS_KEY_SHIFT_LEFT},
                 {KEY_SRIGHT, CS_KEY_SHIFT_RIGHT},
                 {KEY_SR, CS_KEY_SHIFT_UP},
                 {KEY_SF, CS_KEY_SHIFT_DOWN},
                 {KEY_BACKSPACE, 127},
                 {KEY_DC, 4},
                 {KEY_ENTER, '\r'},
                 {KEY_MOUSE, CS_KEY_MOUSE},
                 {KEY_RESIZE, CS_KEY_NONE}};
    (void)t;
    wint_t code = 0;
    int got = get_wch(&code);
    if (got == ERR)
        return 0;
    if (got == OK)
        return code == '\n' ? '\r' : code;
    if ((int)code >= KEY_F(1) && (int)code <= KEY_F(CS_F_KEYS))
        return CS_KEY_F1 + (code - KEY_F(1));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].curses == (int)code)
            return table[i].ours;
    return CS_KEY_NONE; /* a key that is not used */
}
