/* Fuzzes the bytes from the keyboard. Whatever bytes arrive, the parser returns
 * at most one key per byte, and after a reset it reads the next key correctly.
 * */
#include "fuzz.h"
#include "screen/term/input_parser.h"
#include "screen/term/key_codes.h"

#include <string.h>

static void check(const cs_input_parser *p, const cs_key_input *in)
{
    unsigned code = in->key & ~(unsigned)CS_KEY_ALT;
    if (code == 0 || code >= CS_KEY_NONE)
        fuzz_broken("a key that does not exist");
    if (in->key == CS_KEY_MOUSE && (in->mouse.x < 0 || in->mouse.y < 0))
        fuzz_broken("a mouse report outside the screen");
    if (in->key == CS_KEY_PASTE && strlen(p->text) > CS_INPUT_PASTE)
        fuzz_broken("pasted text is too long");
    if (cs_input_waits(p) != CS_INPUT_IDLE)
        fuzz_broken("a key in the middle of a sequence");
}

/* Bit 0 of the first byte selects the encoding. The other bits give the number
 * of bytes between two pauses of the input, minus 1. */
static void one_input(const uint8_t *data, size_t size)
{
    static cs_input_parser p;
    cs_key_input in;
    if (size == 0)
        return;
    p = (cs_input_parser){.single = data[0] & 1};
    size_t silence = 1 + data[0] / 2u;
    for (size_t i = 1; i < size; i++) {
        if (cs_input_byte(&p, data[i], &in))
            check(&p, &in);
        bool escape = cs_input_waits(&p) == CS_INPUT_ESCAPE;
        if (i % silence == 0 && cs_input_silence(&p, &in) != escape)
            fuzz_broken("silence makes another key than escape");
    }
    cs_input_reset(&p);
    if (!cs_input_byte(&p, 'q', &in) || in.key != 'q')
        fuzz_broken("a key is lost after a reset");
}

const fuzz_reader reader_terminal = {.read = one_input};
