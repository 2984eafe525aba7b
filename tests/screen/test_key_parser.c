/* Tests that the bytes that a terminal sends become keys: sequences of several
 * terminals, unknown sequences, pasted text and mouse reports. Each sequence is
 * also cut at every byte. */
#include "support/support.h"

#include "screen/term/input_parser.h"
#include "screen/term/key_codes.h"

#include <string.h>

#define ESC "\033"
#define ALT(c) (CS_KEY_ALT | (unsigned)(c))
#define F(n) (CS_KEY_F1 + (n)-1)

typedef struct example {
    const char *bytes;
    unsigned key[4]; /* 0 after the last */
} example;

static const example examples[] = {
    /* Home and End as sent by xterm, by xterm in application mode, by tmux and
     * screen, by rxvt, by kitty, and with Num Lock on */
    {ESC "[H", {CS_KEY_HOME}},
    {ESC "[F", {CS_KEY_END}},
    {ESC "OH", {CS_KEY_HOME}},
    {ESC "OF", {CS_KEY_END}},
    {ESC "[1~", {CS_KEY_HOME}},
    {ESC "[4~", {CS_KEY_END}},
    {ESC "[7~", {CS_KEY_HOME}},
    {ESC "[8~", {CS_KEY_END}},
    {ESC "[57423u", {CS_KEY_HOME}},
    {ESC "[57424u", {CS_KEY_END}},
    {ESC "[1;129F", {CS_KEY_END}},
    {ESC "[4;1~", {CS_KEY_END}},
    /* other keys */
    {ESC "[A" ESC "OA", {CS_KEY_UP, CS_KEY_UP}},
    {ESC "[B" ESC "OB", {CS_KEY_DOWN, CS_KEY_DOWN}},
    {ESC "[C" ESC "OC", {CS_KEY_RIGHT, CS_KEY_RIGHT}},
    {ESC "[D" ESC "OD", {CS_KEY_LEFT, CS_KEY_LEFT}},
    {ESC "[5~" ESC "[6~", {CS_KEY_PAGE_UP, CS_KEY_PAGE_DOWN}},
    {ESC "[3~", {4}},
    {ESC "[2~", {0}},
    {ESC "[Z", {CS_KEY_BACK_TAB}},
    {ESC "OP" ESC "[11~" ESC "[[A", {F(1), F(1), F(1)}},
    {ESC "OS" ESC "[14~" ESC "[[D", {F(4), F(4), F(4)}},
    {ESC "[15~" ESC "[[E" ESC "[24~", {F(5), F(5), F(12)}},
    {ESC "OM" ESC "Op" ESC "Oy" ESC "Om", {'\r', '0', '9', '-'}},
    /* modifiers */
    {ESC "[1;2A" ESC "[1;2B", {CS_KEY_SHIFT_UP, CS_KEY_SHIFT_DOWN}},
    {ESC "[1;2C" ESC "[1;2D", {CS_KEY_SHIFT_RIGHT, CS_KEY_SHIFT_LEFT}},
    {ESC "[a" ESC "[d", {CS_KEY_SHIFT_UP, CS_KEY_SHIFT_LEFT}},
    {ESC "[1;5D" ESC "[1;3C" ESC "Od", {ALT('b'), ALT('f'), ALT('b')}},
    {ESC "[1;5F" ESC "[4;2~" ESC "[8^" ESC "[8@", {0}},
    {ESC "[7$q" ESC "[?1$yq", {'q', 'q'}},
    {ESC "[1;9A" ESC "[1;3A" ESC ESC "[A", {0}},
    {ESC "[3;5~", {ALT('d')}},
    {ESC "b" ESC "B" ESC "\177", {ALT('b'), ALT('B'), ALT(127)}},
    {ESC "\303\244", {ALT(0xE4)}},
    /* kitty's protocol: letters, Ctrl, Shift with and without the shifted
     * character, text, key releases, and keys that have no function here */
    {ESC "[97u" ESC "[27u" ESC "[13u" ESC "[9u", {'a', 27, '\r', '\t'}},
    {ESC "[97;5u" ESC "[99;133u", {1, 3}},
    {ESC "[97;2u" ESC "[97;65u" ESC "[49:33;2u", {'A', 'A', '!'}},
    {ESC "[49;2;33u" ESC "[228u", {'!', 0xE4}},
    {ESC "[97;1:1u" ESC "[97;1:3u" ESC "[1;1:3F", {'a'}},
    {ESC "[9;2u" ESC "[97;3u" ESC "[57414u", {CS_KEY_BACK_TAB, ALT('a'), '\r'}},
    {ESC "[57399u" ESC "[57408u", {'0', '9'}},
    {ESC "[57441;2u" ESC "[97;9u" ESC "[64;7u" ESC "[u", {0}},
    /* modifyOtherKeys of xterm */
    {ESC "[27;5;98~" ESC "[27;2;9~", {2, CS_KEY_BACK_TAB}},
    {ESC "[27;2;97~" ESC "[27;3;98~", {'A', ALT('b')}},
    /* focus, replies and unknown sequences */
    {ESC "[I" ESC "[O", {0}},
    {ESC "[?62;22c" ESC "[>41;354;0c" ESC "[?2026;2$y", {0}},
    {ESC "[24;80R" ESC "[0n" ESC "[8;24;80t" ESC "[?1u", {0}},
    {ESC "[99~" ESC "[1;2;3;4;5;6;7;8;9;10;11z" ESC "[ q" ESC "[99999999999~",
     {0}},
    {ESC "Oz" ESC "O!" ESC "O5z", {0}},
    {ESC "[201~", {0}},
    {ESC "]11;rgb:0000/0000/0000\a", {0}},
    {ESC "]11;rgb:0000/0000/0000" ESC "\\", {0}},
    {ESC "P>|tmux 3.4" ESC "\\" ESC "_Gi=1;OK" ESC "\\", {0}},
    {ESC "Xq" ESC "\\" ESC "^Q" ESC "\\", {0}},
    /* sequences that are cut off by another sequence or by a control
     * character */
    {ESC "]11;r" ESC "[F", {CS_KEY_END}},
    {ESC "[1;" ESC "[F", {CS_KEY_END}},
    {ESC "[1;\r" ESC "[1\030", {'\r'}},
    {ESC "]11;\030", {0}},
    /* characters */
    {"a\303\244\342\202\254", {'a', 0xE4, 0x20AC}},
    {"\360\237\230\200\177\003", {0x1F600, 127, 3}},
    {"\300\200\377\240x\355\240\200", {'x'}},
    {"\342\202y\364\220\200\200", {'y'}},
    /* mouse */
    {ESC "[<0;3;4M" ESC "[<0;3;4m", {CS_KEY_MOUSE, CS_KEY_MOUSE}},
    {ESC "[<2;3;4M" ESC "[<64;3;4m" ESC "[<0;3M" ESC "[<0;0;1M", {0}},
    {ESC "[M !!" ESC "[M#!!", {CS_KEY_MOUSE, CS_KEY_MOUSE}},
    {ESC "[M\"!!", {0}},
    /* pasted text with keys, line breaks and parts of the end mark */
    {ESC "[200~QQ\r:q\n" ESC "[4~" ESC "[201" ESC "[201~", {CS_KEY_PASTE}},
    {ESC "[200~" ESC "[201~", {CS_KEY_PASTE}},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

/* Reads bytes and appends the keys to key[], which has `keys` entries already.
 * Returns the new number of entries. */
static size_t feed(cs_input_parser *p, const char *bytes, size_t n,
                   unsigned key[8], size_t keys)
{
    cs_key_input in;
    for (size_t i = 0; i < n; i++)
        if (cs_input_byte(p, (unsigned char)bytes[i], &in)) {
            assert_true(keys < 8);
            key[keys++] = in.key;
        }
    return keys;
}

static void check(const example *e, const unsigned *key, size_t n)
{
    size_t want = 0;
    while (want < 4 && e->key[want])
        want++;
    for (size_t i = 0; i < want || i < n; i++)
        if (i >= n || i >= want || key[i] != e->key[i])
            fail_msg("\\e%s: key %zu is %#x, not %#x", e->bytes + 1, i,
                     i < n ? key[i] : 0, i < want ? e->key[i] : 0);
}

/* Replies to queries are read, and are not keys. Other strings, replies that are
 * cut off and long strings are dropped. */
static void test_replies(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        cs_reply reply;
    } rows[] = {
        {ESC "[?62;4;22c", {CS_REPLY_DEVICE, true, {0, 0}}},
        {ESC "[?64;1;2;6;9;15;16;17;18;21;22;28c",
         {CS_REPLY_DEVICE, false, {0, 0}}},
        {ESC "[?4;6c", {CS_REPLY_DEVICE, false, {0, 0}}}, /* a VT132 */
        {ESC "[6;18;9t", {CS_REPLY_CELL, true, {9, 18}}},
        {ESC "_Gi=31;OK" ESC "\\", {CS_REPLY_KITTY, true, {31, 0}}},
        {ESC "_Gi=31;ENOTSUPPORTED:no" ESC "\\",
         {CS_REPLY_KITTY, false, {31, 0}}},
        {ESC "_Gi=31;OK" ESC "[A", {0}},
        {ESC "_Gi=31;OK\030", {0}},
        {ESC "]Gi=31;OK" ESC "\\", {0}},
        {ESC "_Gi=x;OK" ESC "\\", {0}},
        {ESC "_Gi=31;OK, and more than a reply can have" ESC "\\", {0}},
        {ESC "[8;24;80t" ESC "[>41;354;0c" ESC "[6;18t", {0}},
        {ESC "[200~" ESC "_Gi=31;OK" ESC "\\" ESC "[?62;4c" ESC "[201~", {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static cs_input_parser p;
        unsigned key[8];
        memset(&p, 0, sizeof p);
        feed(&p, rows[i].bytes, strlen(rows[i].bytes), key, 0);
        if (memcmp(&p.reply, &rows[i].reply, sizeof p.reply) != 0)
            fail_msg("\\e%s: reply %d %d %u %u", rows[i].bytes + 1,
                     (int)p.reply.kind, p.reply.good, p.reply.number[0],
                     p.reply.number[1]);
    }
}

static void test_examples(void **state)
{
    (void)state;
    static cs_input_parser p;
    unsigned key[8];
    for (size_t i = 0; i < EXAMPLES; i++) {
        size_t n =
            feed(&p, examples[i].bytes, strlen(examples[i].bytes), key, 0);
        check(&examples[i], key, n);
        assert_int_equal(cs_input_waits(&p), CS_INPUT_IDLE);
    }
}

/* The keys do not change if the caller waits between two bytes. In a wait, the
 * parser reports that a sequence is incomplete. Only directly after ESC does a
 * wait end the sequence. */
static void test_cuts(void **state)
{
    (void)state;
    static cs_input_parser p;
    for (size_t i = 0; i < EXAMPLES; i++)
        for (size_t cut = 1; cut < strlen(examples[i].bytes); cut++) {
            const char *bytes = examples[i].bytes;
            unsigned key[8];
            cs_key_input in;
            size_t n = feed(&p, bytes, cut, key, 0);
            if (cs_input_waits(&p) != CS_INPUT_ESCAPE)
                assert_false(cs_input_silence(&p, &in));
            n = feed(&p, bytes + cut, strlen(bytes + cut), key, n);
            check(&examples[i], key, n);
        }
}

/* After a reset in the middle of any sequence, the parser reads the next key
 * correctly. */
static void test_reset(void **state)
{
    (void)state;
    static cs_input_parser p;
    for (size_t i = 0; i < EXAMPLES; i++)
        for (size_t cut = 0; cut < strlen(examples[i].bytes); cut++) {
            unsigned key[8];
            feed(&p, examples[i].bytes, cut, key, 0);
            cs_input_reset(&p);
            assert_int_equal(feed(&p, "q", 1, key, 0), 1);
            assert_int_equal(key[0], 'q');
        }
}

static void test_escape(void **state)
{
    (void)state;
    static cs_input_parser p;
    cs_key_input in;
    unsigned key[8];
    for (const char *bytes = ESC ESC; *bytes; bytes++) {
        assert_int_equal(feed(&p, bytes, strlen(bytes), key, 0), 0);
        assert_int_equal(cs_input_waits(&p), CS_INPUT_ESCAPE);
        assert_true(cs_input_silence(&p, &in));
        assert_int_equal(in.key, 27);
        assert_int_equal(feed(&p, "q", 1, key, 0), 1);
        assert_int_equal(key[0], 'q');
    }
}

static void test_mouse(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        cs_mouse mouse;
    } table[] = {
        {ESC "[<0;3;4M", {CS_MOUSE_PRESS, 2, 3}},
        {ESC "[<16;300;4M", {CS_MOUSE_PRESS, 299, 3}}, /* with Ctrl */
        {ESC "[<0;3;4m", {CS_MOUSE_RELEASE, 2, 3}},
        {ESC "[<32;1;1M", {CS_MOUSE_DRAG, 0, 0}},
        {ESC "[<64;3;4M", {CS_MOUSE_WHEEL_UP, 2, 3}},
        {ESC "[<65;3;4M", {CS_MOUSE_WHEEL_DOWN, 2, 3}},
        {ESC "[M #$", {CS_MOUSE_PRESS, 2, 3}},
        {ESC "[M##$", {CS_MOUSE_RELEASE, 2, 3}},
        {ESC "[M@#$", {CS_MOUSE_DRAG, 2, 3}},
        {ESC "[M`#\377", {CS_MOUSE_WHEEL_UP, 2, 222}},
    };
    static cs_input_parser p;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cs_key_input in = {0};
        bool done = false;
        for (const char *b = table[i].bytes; *b; b++)
            done = cs_input_byte(&p, (unsigned char)*b, &in);
        assert_true(done);
        assert_int_equal(in.key, CS_KEY_MOUSE);
        assert_int_equal(in.mouse.kind, table[i].mouse.kind);
        assert_int_equal(in.mouse.x, table[i].mouse.x);
        assert_int_equal(in.mouse.y, table[i].mouse.y);
    }
}

/* Pasted text is returned unchanged. If pasted text is too long, the parser
 * reports this, and still finds the end of the text. */
static void test_paste(void **state)
{
    (void)state;
    static const char text[] = "QQ\r:q\n" ESC "[4~" ESC "[201" ESC ESC "[20";
    static cs_input_parser p;
    unsigned key[8];
    size_t n = feed(&p, ESC "[200~", 6, key, 0);
    n = feed(&p, text, strlen(text), key, n);
    assert_int_equal(n, 0);
    assert_int_equal(cs_input_waits(&p), CS_INPUT_PASTING);
    n = feed(&p, ESC "[201~", 6, key, n);
    assert_int_equal(n, 1);
    assert_string_equal(p.text, text);
    assert_false(p.long_text);
    for (size_t more = 0; more < 2; more++) {
        feed(&p, ESC "[200~", 6, key, 0);
        for (size_t i = 0; i < CS_INPUT_PASTE + more; i++)
            assert_int_equal(feed(&p, "x", 1, key, 0), 0);
        assert_int_equal(feed(&p, ESC "[201~q", 7, key, 0), 2);
        assert_int_equal(p.long_text, more);
        assert_int_equal(strlen(p.text), CS_INPUT_PASTE);
    }
}

/* In single-byte encodings, bytes above 127 are characters and controls. */
static void test_single_bytes(void **state)
{
    (void)state;
    static cs_input_parser p;
    unsigned key[8];
    p.single = true;
    static const char bytes[] = "\344\233F\217F\23511;x\234\220x\a\200q";
    size_t n = feed(&p, bytes, strlen(bytes), key, 0);
    const example want = {" ", {0xE4, CS_KEY_END, CS_KEY_END, 'q'}};
    check(&want, key, n);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_examples), cmocka_unit_test(test_replies),
    cmocka_unit_test(test_cuts),     cmocka_unit_test(test_reset),
    cmocka_unit_test(test_escape),   cmocka_unit_test(test_mouse),
    cmocka_unit_test(test_paste),    cmocka_unit_test(test_single_bytes),
};
TESTS(test_key_parser)
