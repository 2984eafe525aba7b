/* Tests pictures in pixels in a terminal that answers the program's query in
 * different ways. The images are decoded from the output. */
#include "term.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if CS_HAVE_SIXEL
#include <sixel.h>
#endif

enum { WIDE = 9, HIGH = 18, IMAGES = 32, BYTES = 1 << 22 };

#define KITTY "\033_Gi=31;OK\033\\"
#define CELL "\033[6;18;9t"
#define PLAIN "\033[?62;22c"
#define SIXEL "\033[?62;4;22c"

static term t;

/* An image that the terminal displays, as colours (red << 16 | green << 8 |
 * blue; -1: transparent). */
typedef struct image {
    unsigned id;
    int x, y, columns, rows; /* in cells; columns = 0: given by the pixels */
    int w, h;
    int *colour; /* [h][w] [own] */
} image;

static struct {
    const char *answer; /* to the next query; NULL: none */
    size_t queries, apc_queries;
    int state;
    size_t used;
    char *text;    /* [BYTES] string sequence, or a CSI sequence */
    char *payload; /* [BYTES] base64 of an image in chunks */
    char head[200];
    int x, y; /* last position of the cursor that was set */
    image image[IMAGES];
    size_t n, received;
} g;

/* ---- decoding ------------------------------------------------------------- */

static size_t from_base64(const char *text, unsigned char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                 "qrstuvwxyz0123456789+/";
    size_t n = 0;
    unsigned bits = 0, v = 0;
    for (; *text && *text != '='; text++) {
        const char *at = strchr(digits, *text);
        assert_non_null(at);
        v = v << 6 | (unsigned)(at - digits);
        bits += 6;
        if (bits >= 8)
            out[n++] = (unsigned char)(v >> (bits -= 8));
    }
    return n;
}

static unsigned number_at(const unsigned char *p)
{
    return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 |
           p[3];
}

/* Decodes a PNG file with a palette and without filters. */
static void decode_png(const unsigned char *png, size_t n, image *m)
{
    unsigned char palette[256 * 3] = {0};
    assert_memory_equal(png, "\211PNG\r\n\032\n", 8);
    for (size_t at = 8; at + 12 <= n;) {
        const unsigned char *chunk = png + at, *data = chunk + 8;
        size_t length = number_at(chunk);
        assert_int_equal(crc32(0, chunk + 4, (uInt)length + 4),
                         number_at(data + length));
        if (memcmp(chunk + 4, "IHDR", 4) == 0) {
            m->w = (int)number_at(data);
            m->h = (int)number_at(data + 4);
            assert_memory_equal(data + 8, "\10\3\0\0\0", 5);
        } else if (memcmp(chunk + 4, "PLTE", 4) == 0) {
            memcpy(palette, data, length);
        } else if (memcmp(chunk + 4, "IDAT", 4) == 0) {
            uLongf size = (uLongf)(m->w + 1) * (uLongf)m->h;
            unsigned char *rows = malloc(size);
            assert_int_equal(uncompress(rows, &size, data, length), Z_OK);
            m->colour = malloc(sizeof(int) * (size_t)m->w * (size_t)m->h);
            for (int i = 0; i < m->w * m->h; i++) {
                int v = rows[i / m->w * (m->w + 1) + 1 + i % m->w];
                m->colour[i] = v ? palette[3 * v] << 16 |
                                       palette[3 * v + 1] << 8 |
                                       palette[3 * v + 2]
                                 : -1;
            }
            free(rows);
        }
        at += length + 12;
    }
    assert_non_null(m->colour);
}

static void drop(size_t i)
{
    free(g.image[i].colour);
    g.image[i] = g.image[--g.n];
}

static void add_image(image m)
{
    for (size_t i = g.n; i-- > 0;)
        if (m.id ? g.image[i].id == m.id
                 : g.image[i].x == m.x && g.image[i].y == m.y)
            drop(i);
    assert_true(g.n < IMAGES);
    g.image[g.n++] = m;
    g.received++;
}

/* Returns the number of a key in "a=T,i=3"; 0: the key is missing. */
static unsigned key_of(const char *head, const char *key)
{
    const char *at = strstr(head, key);
    return at ? (unsigned)strtoul(at + strlen(key), NULL, 10) : 0;
}

static void take_kitty(char *text)
{
    char *data = strchr(text, ';');
    if (data)
        *data++ = 0;
    if (strstr(text, "a=q")) {
        g.apc_queries++;
        return;
    }
    if (strstr(text, "a=d")) {
        unsigned id = key_of(text, "i=");
        for (size_t i = g.n; i-- > 0;)
            if (!id || g.image[i].id == id)
                drop(i);
        return;
    }
    if (strstr(text, "a=T")) {
        snprintf(g.head, sizeof g.head, "%s", text);
        g.payload[0] = 0;
    }
    assert_non_null(data);
    assert_true(strlen(data) <= 4096);
    strcat(g.payload, data);
    if (!strstr(text, "m=0"))
        return;
    image m = {.id = key_of(g.head, "i="),
               .x = g.x,
               .y = g.y,
               .columns = (int)key_of(g.head, "c="),
               .rows = (int)key_of(g.head, "r=")};
    unsigned char *png = malloc(strlen(g.payload) + 4);
    decode_png(png, from_base64(g.payload, png), &m);
    free(png);
    add_image(m);
}

static void take_sixel(void)
{
#if CS_HAVE_SIXEL
    image m = {.x = g.x, .y = g.y};
    unsigned char *pixels, *palette;
    int colours;
    if (strncmp(g.text, "0;1;", 4) != 0) /* transparent pixels do not change */
        fail_msg("sixel graphics begin with %.10s", g.text);
    memmove(g.text + 2, g.text, g.used);
    memcpy(g.text, "\033P", 2);
    memcpy(g.text + 2 + g.used, "\033\\", 2);
    assert_true(SIXEL_SUCCEEDED(
        sixel_decode_raw((unsigned char *)g.text, (int)g.used + 4, &pixels,
                         &m.w, &m.h, &palette, &colours, NULL)));
    m.colour = malloc(sizeof(int) * (size_t)m.w * (size_t)m.h);
    for (int i = 0; i < m.w * m.h; i++) {
        const unsigned char *p = palette + 3 * pixels[i];
        m.colour[i] = p[0] << 16 | p[1] << 8 | p[2];
    }
    free(pixels);
    free(palette);
    add_image(m);
#endif
}

static void take_csi(char final)
{
    int x, y;
    if (final == 'H' && sscanf(g.text, "%d;%d", &y, &x) == 2) {
        g.x = x - 1;
        g.y = y - 1;
    }
    if (final == 'J') /* the screen is cleared, with its images */
        while (g.n)
            drop(0);
    if (final != 'c' || g.used)
        return;
    g.queries++;
    if (g.answer)
        term_send(&t, g.answer);
}

/* Follows the output: string sequences, positions of the cursor and queries. */
static void follow(term *unused, const char *bytes, size_t n)
{
    (void)unused;
    enum { GROUND, ESCAPE, CSI, APC, DCS, END = 8 };
    for (size_t i = 0; i < n; i++) {
        char c = bytes[i];
        if (g.state & END) {
            g.text[g.used] = 0;
            if (g.state == (END | APC) && c == '\\' && *g.text == 'G')
                take_kitty(g.text + 1);
            if (g.state == (END | DCS) && c == '\\')
                take_sixel();
            g.state = c == '_' ? APC : GROUND; /* cut off by another */
            g.used = 0;
        } else if (c == 27) {
            g.state = g.state >= APC ? END | g.state : ESCAPE;
        } else if (g.state == ESCAPE) {
            g.state = c == '[' ? CSI : c == '_' ? APC : c == 'P' ? DCS : GROUND;
            g.used = 0;
        } else if (g.state == CSI && c >= 0x40) {
            g.text[g.used] = 0;
            g.state = GROUND;
            take_csi(c);
        } else if (g.state >= CSI) {
            assert_true(g.used + 8 < BYTES);
            g.text[g.used++] = c;
        }
    }
}

/* ---- a session ------------------------------------------------------------ */

static int begin(void **state)
{
    (void)state;
    memset(&g, 0, sizeof g);
    g.text = malloc(BYTES);
    g.payload = malloc(BYTES);
    term_output = follow;
    return 0;
}

static int stop(void **state)
{
    (void)state;
    term_stop(&t);
    while (g.n)
        drop(0);
    free(g.text);
    free(g.payload);
    term_output = NULL;
    return 0;
}

static void open_scene(const char *answer, const char *more)
{
    const char *const argv[] = {CS_PROGRAM, "pixels.lua", NULL};
    const char *const variables[] = {"COLORTERM=truecolor", more, NULL};
    g.answer = answer;
    term_start(&t, 40, 120, argv, variables);
    term_wait_line(&t, 0, "paused  step 0");
}

static void go(const char *line, const char *seen)
{
    term_send(&t, line);
    term_wait_line(&t, 0, seen);
    term_wait_painted(&t);
}

/* Returns the number of cells with a block or a dot of a picture in the cells
 * of an image, or on the whole screen. */
static int drawn_cells(const image *m)
{
    int n = 0;
    for (int y = m ? m->y : 3; y < (m ? m->y + m->rows : 36); y++)
        for (int x = m ? m->x : 24; x < (m ? m->x + m->columns : 119); x++) {
            unsigned code = term_cell(&t, x, y).chars[0];
            n += (code >= 0x2580 && code < 0x25A0) || (code & ~0xFFu) == 0x2800;
        }
    return n;
}

/* Returns the largest image, which is the map. */
static const image *largest(void)
{
    const image *best = &g.image[0];
    assert_true(g.n > 0);
    for (size_t i = 0; i < g.n; i++)
        if (g.image[i].w * g.image[i].h > best->w * best->h)
            best = &g.image[i];
    return best;
}

static void wait_images(bool there)
{
    double until = term_clock() + TERM_PATIENCE;
    while ((g.n > 0) != there) {
        if (term_clock() > until)
            term_fail(&t, "%zu images are displayed", g.n);
        term_read(&t, 20);
    }
}

static int brightness(int colour)
{
    return colour < 0 ? 0
                      : (colour >> 16) + (colour >> 8 & 255) + (colour & 255);
}

/* Fails unless the image shows two equal modes beside each other: its brightest
 * pixels are in two groups, and each half has half of the light. */
static void check_map(const image *m)
{
    double sum[2] = {0}, centre[2] = {0}, n[2] = {0};
    int most = 0;
    for (int i = 0; i < m->w * m->h; i++)
        most =
            brightness(m->colour[i]) > most ? brightness(m->colour[i]) : most;
    for (int i = 0; i < m->w * m->h; i++) {
        int x = i % m->w, light = brightness(m->colour[i]);
        sum[2 * x >= m->w] += light;
        if (light == most) {
            centre[2 * x >= m->w] += x;
            n[2 * x >= m->w]++;
        }
    }
    assert_true(n[0] > 0 && n[1] > 0);
    assert_near(sum[0] / (sum[0] + sum[1]), 0.5, 0, 0.1);
    assert_near(centre[0] / n[0] + centre[1] / n[1], m->w, 0, 0.1 * m->w);
}

static void leave(void)
{
    term_send(&t, "QQ");
    assert_int_equal(term_end(&t), 0);
    assert_int_equal(g.n, 0);
    term_assert_clean(&t);
    term_stop(&t);
}

/* ---- tests ---------------------------------------------------------------- */

/* In a terminal with kitty's protocol, pictures are images of the size of their
 * cells, and these cells are blank. They follow every change of the screen, and
 * nothing is written while the run is paused. */
static void test_kitty(void **state)
{
    (void)state;
    open_scene(KITTY CELL PLAIN, NULL);
    go(":step 20000\r", "step 20,000");
    wait_images(true);
    const image *m = largest();
    assert_true(m->w == WIDE * m->columns && m->h == HIGH * m->rows);
    assert_int_equal(drawn_cells(m), 0);
    check_map(m);
    term_quiet(&t, 1500); /* the last reports of a slow machine */
    unsigned long bytes = t.bytes;
    term_pass(&t, 500);
    assert_int_equal(t.bytes, bytes);
    go(":graphics\r", "step 20,000");
    term_wait(&t, "kitty's graphics protocol, 9 x 18 pixels per cell");
    term_send(&t, "?"); /* the help covers all pictures */
    wait_images(false);
    term_send(&t, "\033");
    wait_images(true);
    term_resize(&t, 30, 90);
    term_wait_painted(&t);
    assert_true(g.n > 0);
    for (size_t i = 0; i < g.n; i++)
        assert_true(g.image[i].x + g.image[i].columns <= 90 &&
                    g.image[i].y + g.image[i].rows <= 30);
    int size = largest()->w * largest()->h;
    term_send(&t, "z");
    term_wait_painted(&t);
    if (largest()->w * largest()->h <= size)
        term_fail(&t, "the zoomed map is not larger");
    leave();
}

/* `graphics off` deletes the images and draws characters; `graphics on` asks
 * again. */
static void test_off_and_on(void **state)
{
    (void)state;
    open_scene(KITTY CELL PLAIN, NULL);
    go(":step 20000\r", "step 20,000");
    wait_images(true);
    assert_true(drawn_cells(NULL) < 50); /* colour scales are characters */
    go(":graphics off\r", "step 20,000");
    size_t received = g.received;
    assert_int_equal(g.n, 0);
    assert_true(drawn_cells(NULL) > 200);
    go(":step 100\r", "step 20,100");
    assert_int_equal(g.received, received);
    go(":graphics\r", "step 20,100");
    term_wait(&t, "pictures in characters: graphics are off");
    size_t queries = g.queries;
    term_send(&t, ":graphics on\r");
    wait_images(true);
    assert_int_equal(g.queries, queries + 1);
    leave();
}

/* While chains run, pictures share the limit of bytes per second with text. */
static void test_rate(void **state)
{
    (void)state;
    open_scene(KITTY CELL PLAIN, NULL);
    term_send(&t, " ");
    term_wait_line(&t, 0, "running");
    term_pass(&t, 500);
    size_t received = g.received;
    unsigned long bytes = t.bytes;
    term_pass(&t, 2000);
    assert_in_range(g.received - received, 2, 2 * 2 * 5);
    assert_true(t.bytes - bytes < 2.5 * 2 * 24 * 1024);
    term_send(&t, " ");
    term_wait_line(&t, 0, "paused");
    leave();
}

/* Characters are drawn if the terminal has no graphics, or if it does not
 * answer. */
static void test_characters(void **state)
{
    (void)state;
    static const char *const answers[] = {PLAIN,
                                          CELL PLAIN,
                                          SIXEL,
                                          NULL,
                                          "\033_Gi=31;ENOENT:no\033\\" PLAIN,
                                          "\033_Gi=7;OK\033\\" PLAIN};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        open_scene(answers[i], NULL);
        go(":step 20000\r", "step 20,000");
        assert_true(g.n == 0 && g.received == 0);
        assert_true(drawn_cells(NULL) > 200);
        leave();
    }
}

/* Replies that were not requested, and replies after a second, are dropped.
 * They are never keys. */
static void test_late(void **state)
{
    (void)state;
    static const char late[] =
        KITTY CELL SIXEL "\033[6;9999;9999t\033_Gi=31;OKrrr\033\\";
    open_scene(PLAIN, NULL);
    term_send(&t, late);
    go(":step 20000\r", "step 20,000");
    assert_int_equal(g.received, 0);
    leave();
    open_scene(NULL, NULL);
    term_pass(&t, 1200);
    term_send(&t, late);
    go(":step 20000\r", "step 20,000");
    assert_int_equal(g.received, 0);
    go(":graphics\r", "step 20,000");
    term_wait(&t, "pictures in characters: the terminal");
    leave();
}

/* Images are deleted if the program crashes. */
static void test_crash(void **state)
{
    (void)state;
    open_scene(KITTY CELL PLAIN, NULL);
    go(":step 20000\r", "step 20,000");
    wait_images(true);
    term_quiet(&t, 300);
    kill(t.child, SIGSEGV);
    term_end(&t);
    assert_int_equal(g.n, 0);
    term_assert_clean(&t);
}

/* tmux takes kitty's sequences for titles, so none are sent. */
static void test_tmux(void **state)
{
    (void)state;
    open_scene(KITTY CELL PLAIN, "TMUX=/tmp/tmux,1,0");
    go(":step 20000\r", "step 20,000");
    assert_int_equal(g.apc_queries, 0);
    assert_int_equal(g.queries, 1);
    leave();
    open_scene(KITTY CELL PLAIN, "TERM=tmux-256color"); /* by ssh */
    assert_int_equal(g.apc_queries, 0);
    leave();
    g.queries = 0;
    open_scene(KITTY CELL PLAIN, "TERM=screen-256color"); /* GNU screen */
    assert_int_equal(g.queries, 0);
    leave();
}

#if CS_HAVE_SIXEL
/* Sixel graphics show the same picture. The size of a cell must be known. */
static void test_sixel(void **state)
{
    (void)state;
    open_scene(CELL SIXEL, "TMUX=/tmp/tmux,1,0");
    go(":step 20000\r", "step 20,000");
    wait_images(true);
    const image *m = largest();
    assert_true(m->w % WIDE == 0 && m->h >= 10 * HIGH && m->h < 40 * HIGH);
    check_map(m);
    image cells = *m;
    cells.columns = m->w / WIDE;
    cells.rows = m->h / HIGH;
    assert_int_equal(drawn_cells(&cells), 0);
    go(":graphics off\r", "step 20,000");
    assert_int_equal(g.n, 0);
    assert_true(drawn_cells(NULL) > 200);
    leave();
}
#endif

static const struct CMUnitTest tests[] = {
#if CS_HAVE_ZLIB
    cmocka_unit_test_setup_teardown(test_kitty, begin, stop),
    cmocka_unit_test_setup_teardown(test_off_and_on, begin, stop),
    cmocka_unit_test_setup_teardown(test_rate, begin, stop),
    cmocka_unit_test_setup_teardown(test_crash, begin, stop),
#endif
    cmocka_unit_test_setup_teardown(test_characters, begin, stop),
    cmocka_unit_test_setup_teardown(test_late, begin, stop),
    cmocka_unit_test_setup_teardown(test_tmux, begin, stop),
#if CS_HAVE_SIXEL
    cmocka_unit_test_setup_teardown(test_sixel, begin, stop),
#endif
};
TESTS(test_graphics)
