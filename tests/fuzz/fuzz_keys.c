/* Fuzzes sequences of keys that are typed on the screen. This also tests the
 * line editor, completion, and the lines that are sent to the session. Each
 * byte is a key. Bytes above 127 are keys that are not ASCII characters. */
#include "base/memory.h"
#include "console/line.h"
#include "fuzz.h"
#include "screen/canned.h"
#include "screen/input/dialog.h"
#include "screen/input/keys.h"
#include "screen/term/input_parser.h"

#include <string.h>

static cs_flat table;
static uint32_t asked; /* id of the last line sent */

static bool send(void *self, const char *line, uint32_t id)
{
    (void)self;
    if (strlen(line) > (64 << 10))
        fuzz_broken("a line exceeds the size of a message");
    asked = id;
    return id % 7 != 0; /* sometimes the session accepts no line */
}

/* Answers every line, with a string and a table in turn. Every third answer has
 * the status of an error. */
static bool answer(void *self, cs_answer *out)
{
    (void)self;
    if (!asked)
        return false;
    *out = (cs_answer){.id = asked,
                       .status = asked % 3 ? CS_OK : CS_INPUT,
                       .part = asked % 5 == 0,
                       .text = asked % 2 ? "an answer\nof two lines" : NULL,
                       .table = asked % 2 ? NULL : table.base,
                       .used = asked % 2 ? 0 : table.used};
    asked = 0;
    return true;
}

static const cs_app_link link_to_nobody = {.send = send, .answer = answer};
static const cs_editor editor = {.begin = cs_line_begin,
                                 .key = cs_line_key,
                                 .show = cs_line_show,
                                 .before = cs_line_before,
                                 .replace = cs_line_replace};

static void prepare(void)
{
    unsigned char *memory = cs_alloc(CANNED_BYTES, 1);
    if (!memory)
        fuzz_broken("out of memory");
    canned(&table, memory);
    fuzz_text(NULL, 0); /* temporary home folder for the history */
    cs_line_open(true);
}

static unsigned key_of(uint8_t byte)
{
    static const unsigned more[] = {0xe4, 0x3b1, 0x4e2d, 0x1f600, 0x202e};
    unsigned k = byte - 128u;
    if (byte < 128)
        return byte ? byte : 13;
    if (k < CS_KEY_NONE - CS_KEY_UP)
        return CS_KEY_UP + k;
    return more[k % 5];
}

/* Pastes a text of n bytes. For every seventh n, the text has the maximum
 * length instead. The text has line breaks, control characters and invalid
 * UTF-8. For every eleventh n, reports a text that is too long (NULL)
 * instead. */
static void paste(cs_dialog *dialog, size_t n)
{
    static const char part[] = "set a.b 1\r\n\303\244\t\033\377;/\n";
    char text[CS_INPUT_PASTE + 1];
    n = n % 7 ? n : CS_INPUT_PASTE;
    for (size_t i = 0; i < n; i++)
        text[i] = part[i % (sizeof part - 1)];
    text[n] = 0;
    cs_dialog_paste(dialog, n % 11 ? text : NULL);
}

static void one_input(const uint8_t *data, size_t size)
{
    static cs_ui ui;
    cs_canvas c;
    cs_dialog dialog;
    cs_shot shot = {.base = table.base, .used = table.used};
    cs_sender to = {cs_dialog_send, &dialog};
    if (cs_canvas_init(&c, 80, 24, CS_BRAILLE, NULL) != CS_OK)
        return;
    asked = 0;
    cs_ui_init(&ui);
    if (cs_dialog_init(&dialog, &link_to_nobody, &editor, &ui, &shot, NULL))
        return;
    for (size_t i = 0; i < size && i < 200; i++) {
        unsigned key = key_of(data[i]);
        if (key == CS_KEY_PASTE)
            paste(&dialog, i);
        else if (ui.prompt.mark)
            cs_dialog_key(&dialog, key);
        else if (cs_press(&ui, &shot, &to, key) && ui.prompt.mark)
            cs_dialog_open(&dialog);
        cs_dialog_answers(&dialog);
        if (i % 8 == 0)
            cs_screen_frame(&ui, shot.base, shot.used, &c);
    }
    cs_dialog_close(&dialog);
    cs_screen_frame(&ui, shot.base, shot.used, &c);
    cs_dialog_fini(&dialog);
    cs_canvas_fini(&c);
}

const fuzz_reader reader_keys = {.prepare = prepare, .read = one_input};
