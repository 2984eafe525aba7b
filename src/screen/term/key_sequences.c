#include "screen/term/key_sequences.h"

#include "screen/term/key_codes.h"

/* Modifiers, as terminals number them. */
enum {
    SHIFT = 1,
    ALT = 2,
    CTRL = 4,
    META = 32,
    CAPS_LOCK = 64,
    NUM_LOCK = 128,
    /* super and hyper: keys pressed with these have no meaning */
    UNUSED = 8 | 16
};

enum { ESCAPE = 27, DELETE = 4, BACKSPACE = 127 };

typedef struct named {
    unsigned number, key;
} named;

#define FIND(table, number) find(table, sizeof(table) / sizeof *(table), number)

/* Returns the key with this number, or 0. */
static unsigned find(const named *table, size_t n, unsigned number)
{
    for (size_t i = 0; i < n; i++)
        if (table[i].number == number)
            return table[i].key;
    return 0;
}

/* Finds the key that replaces a key pressed with modifiers: a key code for
 * this combination, or another key with the same effect in a typed line.
 * Returns 0 if no key replaces it. */
static unsigned paired(unsigned key, unsigned modifiers)
{
    static const struct {
        unsigned key, modifiers, result;
    } table[] = {
        {CS_KEY_UP, SHIFT, CS_KEY_SHIFT_UP},
        {CS_KEY_DOWN, SHIFT, CS_KEY_SHIFT_DOWN},
        {CS_KEY_LEFT, SHIFT, CS_KEY_SHIFT_LEFT},
        {CS_KEY_RIGHT, SHIFT, CS_KEY_SHIFT_RIGHT},
        {'\t', SHIFT, CS_KEY_BACK_TAB},
        {CS_KEY_BACK_TAB, SHIFT, CS_KEY_BACK_TAB},
        /* by words */
        {CS_KEY_LEFT, CTRL, CS_KEY_ALT | 'b'},
        {CS_KEY_LEFT, ALT, CS_KEY_ALT | 'b'},
        {CS_KEY_RIGHT, CTRL, CS_KEY_ALT | 'f'},
        {CS_KEY_RIGHT, ALT, CS_KEY_ALT | 'f'},
        {DELETE, CTRL, CS_KEY_ALT | 'd'},
        {BACKSPACE, CTRL, CS_KEY_ALT | BACKSPACE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].key == key && table[i].modifiers == modifiers)
            return table[i].result;
    return 0;
}

/* Applies modifiers to a character. If there is no character with these
 * modifiers, returns 0. */
static unsigned modified(unsigned key, unsigned modifiers)
{
    bool small = key >= 'a' && key <= 'z';
    bool letter = small || (key > '@' && key <= '_');
    if (modifiers & CTRL) {
        if (!letter)
            return 0;
        key &= 0x1F;
    } else if (small && (modifiers & (SHIFT | CAPS_LOCK))) {
        key -= 'a' - 'A';
    }
    return modifiers & ALT ? CS_KEY_ALT | key : key;
}

/* Writes a key with modifiers. Caps lock affects only letters. */
static bool put(unsigned key, unsigned modifiers, cs_key_input *out)
{
    if (modifiers & META)
        modifiers = (modifiers & ~(unsigned)META) | ALT;
    unsigned held = modifiers & (SHIFT | ALT | CTRL);
    unsigned other = paired(key, held);
    if (modifiers & UNUSED || key == 0 || key == CS_KEY_NONE)
        return false;
    if (other || held == 0)
        key = other ? other : modified(key, modifiers);
    else
        key = key < CS_KEY_UP ? modified(key, modifiers) : 0;
    *out = (cs_key_input){.key = key};
    return key != 0;
}

/* Returns the modifiers in a parameter, which is the sum of their numbers
 * plus 1. */
static unsigned modifiers_of(const cs_sequence *s, size_t i)
{
    unsigned sum = i < s->n ? s->param[i][0] : 0;
    return (sum ? (sum - 1) & 0xFF : 0) | (s->alt ? ALT : 0);
}

/* True if kitty reports that the key was released. */
static bool released(const cs_sequence *s)
{
    return s->n > 1 && s->param[1][1] == 3;
}

bool cs_character_input(unsigned code, bool alt, cs_key_input *out)
{
    bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code == 0 || code > 0x10FFFF || surrogate)
        return false;
    *out = (cs_key_input){.key = alt ? CS_KEY_ALT | code : code};
    return true;
}

/* ---- letters ------------------------------------------------------------- */

/* Keys whose sequences end with these letters after CSI and SS3. */
static const named letters[] = {
    {'A', CS_KEY_UP},     {'B', CS_KEY_DOWN},     {'C', CS_KEY_RIGHT},
    {'D', CS_KEY_LEFT},   {'F', CS_KEY_END},      {'H', CS_KEY_HOME},
    {'P', CS_KEY_F1},     {'Q', CS_KEY_F1 + 1},   {'R', CS_KEY_F1 + 2},
    {'S', CS_KEY_F1 + 3}, {'Z', CS_KEY_BACK_TAB},
};
/* rxvt: arrows with Shift after CSI, with Ctrl after SS3. */
static const named rxvt[] = {{'a', CS_KEY_UP},
                             {'b', CS_KEY_DOWN},
                             {'c', CS_KEY_RIGHT},
                             {'d', CS_KEY_LEFT}};

/* Keys of the keypad after SS3; p to y are the digits. */
static const named keypad[] = {{'M', '\r'}, {'X', '='}, {'j', '*'}, {'k', '+'},
                               {'l', ','},  {'m', '-'}, {'n', '.'}, {'o', '/'}};

bool cs_ss3_input(const cs_sequence *s, unsigned char final, cs_key_input *out)
{
    /* ESC O 5 P and ESC O 1 ; 5 P are both in use */
    unsigned modifiers = modifiers_of(s, s->n > 1), key = FIND(letters, final);
    if (key && final != 'Z')
        return put(key, modifiers, out);
    if ((key = FIND(rxvt, final)))
        return put(key, modifiers | CTRL, out);
    if (final >= 'p' && final <= 'y')
        return put('0' + final - 'p', modifiers, out);
    return put(FIND(keypad, final), modifiers, out);
}

bool cs_console_input(const cs_sequence *s, unsigned char final,
                      cs_key_input *out)
{
    bool known = final >= 'A' && final <= 'E';
    return known && put(CS_KEY_F1 + final - 'A', s->alt ? ALT : 0, out);
}

/* ---- numbers ------------------------------------------------------------- */

static const named numbers[] = {
    {1, CS_KEY_HOME},     {3, DELETE},           {4, CS_KEY_END},
    {5, CS_KEY_PAGE_UP},  {6, CS_KEY_PAGE_DOWN}, {7, CS_KEY_HOME},
    {8, CS_KEY_END},      {11, CS_KEY_F1},       {12, CS_KEY_F1 + 1},
    {13, CS_KEY_F1 + 2},  {14, CS_KEY_F1 + 3},   {15, CS_KEY_F1 + 4},
    {17, CS_KEY_F1 + 5},  {18, CS_KEY_F1 + 6},   {19, CS_KEY_F1 + 7},
    {20, CS_KEY_F1 + 8},  {21, CS_KEY_F1 + 9},   {23, CS_KEY_F1 + 10},
    {24, CS_KEY_F1 + 11},
};

/* Keys of the keypad in kitty's protocol. From 57399 on, the digits. */
enum { KITTY_DIGIT = 57399 };
static const named kitty[] = {
    {57409, '.'},
    {57410, '/'},
    {57411, '*'},
    {57412, '-'},
    {57413, '+'},
    {57414, '\r'},
    {57415, '='},
    {57416, ','},
    {57417, CS_KEY_LEFT},
    {57418, CS_KEY_RIGHT},
    {57419, CS_KEY_UP},
    {57420, CS_KEY_DOWN},
    {57421, CS_KEY_PAGE_UP},
    {57422, CS_KEY_PAGE_DOWN},
    {57423, CS_KEY_HOME},
    {57424, CS_KEY_END},
    {57426, DELETE},
};

/* Writes the key of CSI code u, or of CSI 27 ; modifiers ; code ~. */
static bool put_code(unsigned code, unsigned modifiers, cs_key_input *out)
{
    unsigned key = FIND(kitty, code);
    if (!key && code >= KITTY_DIGIT && code < KITTY_DIGIT + 10)
        key = '0' + code - KITTY_DIGIT;
    bool private = code >= 0xE000 && code < 0xF900;
    if (!key && !private && cs_character_input(code, false, out))
        key = code;
    return put(key, modifiers, out);
}

/* Kitty: CSI code : code with Shift ; modifiers : event ; text u. */
static bool kitty_input(const cs_sequence *s, cs_key_input *out)
{
    unsigned modifiers = modifiers_of(s, 1), code = s->param[0][0];
    bool shift = modifiers & SHIFT && !(modifiers & CTRL);
    if (s->n > 2 && s->param[2][0] >= ' ')
        code = s->param[2][0];
    else if (shift && s->param[0][1])
        code = s->param[0][1];
    return put_code(code, modifiers, out);
}

static bool number_input(const cs_sequence *s, unsigned modifiers,
                         cs_key_input *out)
{
    if (s->n == 3 && s->param[0][0] == 27)
        return put_code(s->param[2][0], modifiers, out);
    return put(FIND(numbers, s->param[0][0]), modifiers, out);
}

/* ---- mouse --------------------------------------------------------------- */

/* Writes a mouse report: `button` is the number of the button with its flags.
 * Only the left button and the wheel are used. */
static bool put_mouse(unsigned button, int x, int y, bool up, cs_key_input *out)
{
    enum { MODIFIERS = 4 | 8 | 16, MOVES = 32, WHEEL = 64 };
    static const struct {
        unsigned button;
        cs_mouse_kind kind;
    } table[] = {{0, CS_MOUSE_PRESS},
                 {MOVES, CS_MOUSE_DRAG},
                 {WHEEL, CS_MOUSE_WHEEL_UP},
                 {WHEEL + 1, CS_MOUSE_WHEEL_DOWN}};
    button &= ~(unsigned)MODIFIERS;
    for (size_t i = 0; x >= 0 && y >= 0 && i < sizeof table / sizeof *table;
         i++)
        if (table[i].button == button) {
            cs_mouse_kind kind = up ? CS_MOUSE_RELEASE : table[i].kind;
            *out = (cs_key_input){CS_KEY_MOUSE, {kind, x, y}};
            return button == 0 || !up;
        }
    return false;
}

bool cs_raw_mouse_input(const unsigned byte[3], cs_key_input *out)
{
    unsigned button = byte[0] - ' ';
    /* a release; the report does not give the button */
    bool up = (button & 3) == 3 && button < 32;
    return put_mouse(up ? 0 : button, (int)byte[1] - 33, (int)byte[2] - 33, up,
                     out);
}

bool cs_csi_input(const cs_sequence *s, unsigned char final, cs_key_input *out)
{
    static const named by_rxvt[] = {
        {'$', SHIFT}, {'^', CTRL}, {'@', SHIFT | CTRL}};
    if (s->prefix == '<' && s->n == 3 && (final == 'M' || final == 'm'))
        return put_mouse(s->param[0][0], (int)s->param[1][0] - 1,
                         (int)s->param[2][0] - 1, final == 'm', out);
    if (s->prefix || s->intermediate || released(s))
        return false;
    unsigned key = FIND(letters, final), held = FIND(by_rxvt, final);
    /* a report of the cursor's position also ends with R */
    bool reply = s->n > 1 && s->param[0][0] > 1;
    if (key)
        return !reply && put(key, modifiers_of(s, 1), out);
    if ((key = FIND(rxvt, final)) && s->n == 0)
        return put(key, SHIFT | modifiers_of(s, 1), out);
    if (s->n && final == 'u')
        return kitty_input(s, out);
    if (s->n && (final == '~' || held))
        return number_input(s, held | modifiers_of(s, 1), out);
    return false;
}
