#include "screen/terminal.h"

#include "base/memory.h"
#include "base/text.h"
#include "screen/colours.h"
#include "screen/keys.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef lines
#undef columns

enum { OUT = 1 << 16 };

/* Colours as the terminal takes them, -1: its own. */
typedef struct pen {
    int ink, ground;
    unsigned attributes;
    bool known; /* false: whatever curses left */
} pen;

struct cs_terminal {
    SCREEN *screen;  /* [own] */
    cs_canvas shown; /* what the terminal shows now [own] */
    bool all;        /* paint everything */
    cs_tier tier;
    cs_glyphs glyphs;
    int colours; /* that the terminal says it has */
    bool mouse;  /* it reports what is done with it */
    bool iso;    /* it takes colours and attributes back one by one */
    pen now;     /* how it writes at the moment */
    char *out;   /* [own] what is to be written, of size OUT */
    size_t used, sent;
    int pipe[2];
};

/* What a signal handler needs, and nothing else: set before the handlers are
 * installed. */
static struct {
    struct termios before;
    char restore[128];
    size_t restore_length;
    char report[800]; /* what is said after a crash */
    volatile sig_atomic_t report_length;
    volatile sig_atomic_t active, ended;
    atomic_uint asked; /* CS_ASKED_... bits */
    int pipe;
    pid_t owner; /* the process that has the terminal: a child has its handlers
                    too, until cs_terminal_disown */
} saved;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
static const struct {
    int number;
    unsigned asks;
} asking[] = {
    {SIGTERM, CS_ASKED_STOP},     {SIGHUP, CS_ASKED_STOP},
    {SIGINT, CS_ASKED_INTERRUPT}, {SIGWINCH, CS_ASKED_RESIZE},
    {SIGTSTP, CS_ASKED_SUSPEND},  {SIGCONT, CS_ASKED_RESUME},
};
enum { N_ASKING = sizeof asking / sizeof *asking };

/* A terminal that does not read must not block us: what it has not read yet is
 * then thrown away, to make room for the few bytes that matter. */
static void give_back(void)
{
    if (!saved.active || getpid() != saved.owner)
        return;
    saved.active = 0;
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    ssize_t n = write(STDOUT_FILENO, saved.restore, saved.restore_length);
    if (n < 0 && tcflush(STDOUT_FILENO, TCOFLUSH) == 0)
        n = write(STDOUT_FILENO, saved.restore, saved.restore_length);
    (void)n;
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    tcsetattr(STDIN_FILENO, TCSANOW, &saved.before);
}

/* The handlers of fatal signals are one-shot: raised again, it kills. Who presses
 * the quit key needs no report. */
static void on_fatal(int signal_number)
{
    bool ours = saved.active && getpid() == saved.owner;
    give_back();
    if (ours && signal_number != SIGQUIT) {
        ssize_t ignored =
            write(STDERR_FILENO, saved.report, (size_t)saved.report_length);
        (void)ignored;
    }
    raise(signal_number);
}

void cs_terminal_set_report(const char *folder)
{
    char text[sizeof saved.report];
    int n = snprintf(
        text, sizeof text,
        "chainscope " CS_VERSION
        ": the screen has crashed, which is a fault of "
        "the program; please report what you did\n%s%.500s%s\n",
        *folder ? "the draws so far are in " : "no draws were written to files",
        folder, *folder ? "; chainscope run with --resume goes on" : "");
    if (strcmp(text, saved.report) == 0)
        return;
    saved.report_length = 0; /* a signal may come at any time */
    memcpy(saved.report, text, sizeof text);
    saved.report_length = n < (int)sizeof text ? n : (int)sizeof text - 1;
}

/* Asked to end, the loop does so at once, unless it hangs on a terminal that
 * takes no more output: then it ends here. */
static void on_late(int signal_number)
{
    (void)signal_number;
    give_back();
    _exit(128 + saved.ended);
}

static void on_asked(int signal_number)
{
    int before = errno;
    for (size_t i = 0; i < N_ASKING; i++)
        if (asking[i].number == signal_number)
            atomic_fetch_or(&saved.asked, asking[i].asks);
    if (signal_number == SIGTERM || signal_number == SIGHUP) {
        saved.ended = signal_number;
        alarm(1);
    }
    ssize_t ignored = write(saved.pipe, "", 1);
    (void)ignored;
    errno = before;
}

int cs_terminal_signal(void)
{
    return saved.ended;
}

static void handle(void)
{
    struct sigaction a = {.sa_handler = on_fatal,
                          .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &a, NULL);
    a.sa_handler = on_asked;
    a.sa_flags = SA_RESTART;
    for (size_t i = 0; i < N_ASKING; i++)
        sigaction(asking[i].number, &a, NULL);
    a.sa_handler = on_late;
    sigaction(SIGALRM, &a, NULL);
    a.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &a, NULL);
}

/* Reports of presses, of moves while a button is pressed, numbers in decimal.
 * curses asks for the first and the last. */
#define MOUSE_MOVES "\033[?1002h"
#define MOUSE_OFF "\033[?1002l\033[?1000l\033[?1006l"

static bool takes_mouse(void)
{
    const char *key = tigetstr("kmous");
    return key && key != (const char *)-1;
}

static void write_now(const char *bytes)
{
    ssize_t ignored = write(STDOUT_FILENO, bytes, strlen(bytes));
    (void)ignored;
}

/* Leaves the alternate screen, shows the cursor, no attributes: fixed bytes
 * from terminfo, kept for the handlers. */
static void save_restore(void)
{
    static const char *const from[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    enum { N = sizeof from / sizeof *from };
    saved.restore_length = 0;
    for (size_t i = 0; i < N + 1; i++) {
        const char *bytes = i < N ? tigetstr(from[i]) : NULL;
        if (i == N && takes_mouse())
            bytes = MOUSE_OFF;
        size_t n = bytes && bytes != (const char *)-1 ? strlen(bytes) : 0;
        if (n && saved.restore_length + n < sizeof saved.restore) {
            memcpy(saved.restore + saved.restore_length, bytes, n);
            saved.restore_length += n;
        }
    }
}

static cs_status refuse(cs_error *err, const char *why)
{
    cs_status status = cs_fail(err, CS_UNSUPPORTED, "no screen: %s", why);
    cs_hint(err, "use `chainscope run FILE`, which needs no screen, or "
                 "--plain, which speaks in lines");
    return status;
}

/* ^Z comes as a key: curses ignores its signal while it paints, so that now
 * and then the session alone would have been stopped. */
static void take_suspend_key(void)
{
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) != 0)
        return;
    now.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSANOW, &now);
    def_prog_mode();
}

/* What the terminal can show, and what it is to show. */
static void choose(cs_terminal *t, const cs_terminal_wishes *wish)
{
    t->iso = tigetflag("AX") > 0;
    t->colours = tigetnum("colors");
    cs_terminal_facts facts = cs_terminal_facts_make(t->colours, t->iso);
    t->tier = cs_tier_choose(&facts, wish->colour);
    t->glyphs = cs_glyphs_choose(&facts, wish->glyphs);
    if (t->tier == CS_TIER_256 && t->colours < 256)
        t->colours = 256; /* it was asked for */
}

static cs_status prepare(cs_terminal *t, const cs_terminal_wishes *wish,
                         cs_error *err)
{
    if (pipe(t->pipe) != 0)
        return cs_fail(err, CS_IO, "no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(t->pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(t->pipe[i], F_SETFD, FD_CLOEXEC);
    }
    saved.pipe = t->pipe[1];
    tcgetattr(STDIN_FILENO, &saved.before);
    t->screen = newterm(NULL, stdout, stdin);
    if (!t->screen)
        return refuse(err, "the terminal's type is not known (see TERM)");
    save_restore();
    saved.owner = getpid();
    saved.active = 1;
    atomic_store(&saved.asked, 0);
    handle();
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    typeahead(-1);
    take_suspend_key();
    choose(t, wish);
    t->all = true;
    t->out = cs_alloc(OUT, 1);
    if (!t->out)
        return cs_fail(err, CS_MEMORY, "no memory for the terminal");
    return cs_canvas_init(&t->shown, 1, 1, t->glyphs, err);
}

cs_status cs_terminal_start(cs_terminal **out, const cs_terminal_wishes *wish,
                            cs_error *err)
{
    const char *term = getenv("TERM");
    *out = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return refuse(err, "input or output is not a terminal");
    if (!term || !*term || strcmp(term, "dumb") == 0)
        return refuse(err, "TERM is not set, or dumb");
    setlocale(LC_CTYPE, "");
    cs_terminal *t = cs_alloc(1, sizeof *t);
    if (!t)
        return cs_fail(err, CS_MEMORY, "no memory for the terminal");
    t->pipe[0] = t->pipe[1] = -1;
    cs_status status = prepare(t, wish, err);
    if (status != CS_OK) {
        cs_terminal_stop(t);
        return status;
    }
    *out = t;
    return CS_OK;
}

static void let_signals_be(void)
{
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        signal(fatal[i], SIG_DFL);
    for (size_t i = 0; i < N_ASKING; i++)
        signal(asking[i].number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
}

/* Ctrl-C, Ctrl-\ and a hang-up stay the front's to handle. */
void cs_terminal_disown(void)
{
    saved.active = 0;
    let_signals_be();
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    int nowhere = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

void cs_terminal_stop(cs_terminal *t)
{
    if (!t)
        return;
    if (t->screen) {
        cs_terminal_listen(t, false);
        endwin();
        alarm(0);
        saved.active = 0;
        delscreen(t->screen);
        tcsetattr(STDIN_FILENO, TCSANOW, &saved.before);
        let_signals_be();
    }
    for (int i = 0; i < 2; i++)
        if (t->pipe[i] >= 0)
            close(t->pipe[i]);
    cs_canvas_fini(&t->shown);
    cs_free(t->out);
    cs_free(t);
}

void cs_terminal_size(cs_terminal *t, int *width, int *height)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
        size.ws_row > 0) {
        if (size.ws_col != COLS || size.ws_row != LINES) {
            resizeterm(size.ws_row, size.ws_col);
            t->all = true;
        }
    }
    *width = COLS;
    *height = LINES;
}

cs_glyphs cs_terminal_glyphs(const cs_terminal *t)
{
    return t->glyphs;
}

cs_tier cs_terminal_tier(const cs_terminal *t)
{
    return t->tier;
}

/* ---- painting ------------------------------------------------------------
 * curses keeps the modes, the keys and the alternate screen; cells are written
 * here, since it has no colours but those of a palette. */

static void flush(cs_terminal *t)
{
    for (size_t done = 0; done < t->used;) {
        ssize_t n = write(STDOUT_FILENO, t->out + done, t->used - done);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            break; /* it is gone: a signal says so */
        done += n > 0 ? (size_t)n : 0;
    }
    t->sent += t->used;
    t->used = 0;
}

static void add(cs_terminal *t, const char *bytes, size_t n)
{
    if (t->used + n > OUT)
        flush(t);
    memcpy(t->out + t->used, bytes, n);
    t->used += n;
}

/* Writes a capability, without the padding delays of hardware terminals. */
static void add_text(cs_terminal *t, const char *text)
{
    while (text && text != (const char *)-1 && *text) {
        const char *end = strstr(text, "$<");
        size_t n = end ? (size_t)(end - text) : strlen(text);
        add(t, text, n);
        end = end ? strchr(end, '>') : NULL;
        text = end ? end + 1 : NULL;
    }
}

/* A colour of the tier as the terminal has it, -1: its own. */
static int colour_of(const cs_terminal *t, const cs_style *look)
{
    if (t->tier == CS_TIER_MONO || look->colour < 0)
        return -1;
    if (t->tier == CS_TIER_TRUE)
        return look->colour;
    int colour = look->colour < t->colours ? look->colour : look->colour % 8;
    return colour || !look->colour ? colour : 7; /* no grey: white */
}

static void set_colour(cs_terminal *t, int colour, bool ground)
{
    char text[32];
    if (t->tier != CS_TIER_TRUE) {
        add_text(t,
                 tiparm(ground ? set_a_background : set_a_foreground, colour));
        return;
    }
    int n = snprintf(text, sizeof text, "\033[%d;2;%d;%d;%dm", ground ? 48 : 38,
                     colour >> 16, colour >> 8 & 255, colour & 255);
    add(t, text, (size_t)n);
}

static const struct mode {
    unsigned bit;
    const char *name; /* in terminfo */
    int on, off;      /* as ISO 6429 numbers them */
} modes[] = {{CS_BOLD, "bold", 1, 22},
             {CS_DIM, "dim", 2, 22},
             {CS_UNDERLINE, "smul", 4, 24},
             {CS_REVERSE, "rev", 7, 27},
             {CS_STRIKE, "smxx", 9, 29}};
enum { N_MODES = sizeof modes / sizeof *modes };

/* Whether only a reset can switch off an attribute, or a colour. */
static void take_pen_by_name(cs_terminal *t, const pen *want)
{
    pen *now = &t->now;
    if (!now->known || now->attributes != want->attributes ||
        (want->ink < 0 && now->ink >= 0) ||
        (want->ground < 0 && now->ground >= 0)) {
        if (!now->known || now->attributes || now->ink >= 0 || now->ground >= 0)
            add_text(t, exit_attribute_mode);
        *now = (pen){-1, -1, want->attributes, true};
        for (size_t i = 0; i < N_MODES; i++)
            if (want->attributes & modes[i].bit)
                add_text(t, tigetstr(modes[i].name));
    }
    if (want->ink != now->ink)
        set_colour(t, want->ink, false);
    if (want->ground != now->ground)
        set_colour(t, want->ground, true);
}

/* A list of numbers, each behind a semicolon. */
typedef struct numbers {
    char text[96];
    size_t used;
} numbers;

static void number(numbers *to, int n)
{
    to->used += (size_t)snprintf(to->text + to->used,
                                 sizeof to->text - to->used, ";%d", n);
}

/* `base`: 30 the ink, 40 the ground. A colour that is in the palette, as white
 * is, takes a third fewer bytes by its number. */
static void colour_numbers(const cs_terminal *t, int colour, int base,
                           numbers *to)
{
    int exact = t->tier == CS_TIER_TRUE && colour >= 0
                    ? cs_theme_exact_256(colour)
                    : -1;
    if (exact >= 0)
        colour = exact;
    if (colour < 0) {
        number(to, base + 9);
    } else if (t->tier == CS_TIER_TRUE && exact < 0) {
        number(to, base + 8);
        number(to, 2);
        for (int shift = 16; shift >= 0; shift -= 8)
            number(to, colour >> shift & 255);
    } else if (colour < 16) {
        number(to, colour < 8 ? base + colour : base + 52 + colour);
    } else {
        number(to, base + 8);
        number(to, 5);
        number(to, colour);
    }
}

/* All that differs in one sequence, "plain" as the shortest of all. */
static void take_pen_by_number(cs_terminal *t, const pen *want)
{
    numbers out = {.used = 0};
    pen now = t->now;
    if (!now.known ||
        (want->attributes == 0 && want->ink < 0 && want->ground < 0)) {
        now = (pen){-1, -1, 0, true};
        number(&out, 0);
    }
    for (size_t i = 0; i < N_MODES; i++)
        if (now.attributes & ~want->attributes & modes[i].bit) {
            number(&out, modes[i].off);
            now.attributes &= ~modes[i].bit;
            if (modes[i].off == modes[0].off) /* of bold and dim alike */
                now.attributes &= ~(modes[0].bit | modes[1].bit);
        }
    for (size_t i = 0; i < N_MODES; i++)
        if (want->attributes & ~now.attributes & modes[i].bit)
            number(&out, modes[i].on);
    if (want->ink != now.ink)
        colour_numbers(t, want->ink, 30, &out);
    if (want->ground != now.ground)
        colour_numbers(t, want->ground, 40, &out);
    const char *from = out.text + 1; /* a lone 0 is said by nothing */
    size_t length = strcmp(out.text, ";0") == 0 ? 0 : out.used - 1;
    add_text(t, "\033[");
    add(t, from, length);
    add_text(t, "m");
}

/* Writes what differs from how it writes now. */
static void take_pen(cs_terminal *t, const pen *want)
{
    if (t->now.known && want->ink == t->now.ink &&
        want->ground == t->now.ground && want->attributes == t->now.attributes)
        return;
    if (t->iso)
        take_pen_by_number(t, want);
    else
        take_pen_by_name(t, want);
    t->now = *want;
}

static bool same(const cs_cell *a, const cs_cell *b)
{
    return a->code == b->code && cs_cells_alike(a, b);
}

static void write_cell(cs_terminal *t, const cs_cell *cell)
{
    char bytes[8];
    cs_paint p = cs_theme_paint(t->shown.theme, cell->role, cell->ground,
                                cell->code, t->tier);
    pen want = {colour_of(t, &p.ink), colour_of(t, &p.ground),
                p.ink.attributes | cell->attributes, true};
    if (p.code == ' ' && !(want.attributes & (CS_REVERSE | CS_UNDERLINE))) {
        want.ink = t->now.known ? t->now.ink : -1; /* a blank has no ink */
        if (want.ground == t->now.ground && t->now.known &&
            !(t->now.attributes & (CS_REVERSE | CS_UNDERLINE)))
            want.attributes = t->now.attributes;
    }
    take_pen(t, &want);
    add(t, bytes, cs_utf8_encode(p.code, bytes));
}

/* The bytes of the cells from `from` to x where they can be written with the
 * pen as it is, `most` where not. */
static size_t bytes_of(const cs_cell *line, int from, int x, size_t most)
{
    char bytes[8];
    size_t n = 0;
    for (int i = from; i < x && n < most; i++)
        n += line[i].code && cs_cells_alike(line + i, line + from - 1)
                 ? cs_utf8_encode(line[i].code, bytes)
                 : most;
    return n;
}

/* Where writing goes on, (x, y) from (from, y) or, from < 0, from elsewhere:
 * by what is shortest, a move or the cells between, which are as they were. */
static void go_to(cs_terminal *t, const cs_cell *line, int from, int x, int y)
{
    char move[64];
    if (from == x)
        return;
    snprintf(move, sizeof move, "%s", tiparm(cursor_address, y, x));
    if (from >= 0 && parm_right_cursor) {
        const char *right = tiparm(parm_right_cursor, x - from);
        if (strlen(right) < strlen(move))
            snprintf(move, sizeof move, "%s", right);
    }
    bool near =
        from >= 0 && bytes_of(line, from, x, sizeof move) <= strlen(move);
    for (int i = from; near && i < x; i++)
        write_cell(t, line + i);
    if (!near)
        add_text(t, move);
}

static void paint_line(cs_terminal *t, const cs_canvas *c, int y)
{
    size_t row = (size_t)y * (size_t)c->width;
    cs_cell line[CS_CANVAS_MAX], *shown = t->shown.cell + row;
    bool news = t->all;
    for (int x = 0; x < c->width; x++) {
        line[x] = c->cell[row + (size_t)x];
        if (memcmp(line + x, shown + x, sizeof *line) == 0)
            continue; /* most are: what is shown is of the tier already */
        line[x].role = (uint8_t)cs_theme_role(line[x].role, t->tier);
        line[x].ground = (uint8_t)cs_theme_role(line[x].ground, t->tier);
        news = true;
    }
    if (!news)
        return;
    int at = -1; /* where the cursor is in this line, -1: elsewhere */
    for (int x = 0; x < c->width && x < COLS; x++) {
        const cs_cell *cell = line + x;
        bool last = x + 1 == COLS && y + 1 == LINES && auto_right_margin &&
                    !eat_newline_glitch; /* it would scroll */
        if (cell->code == 0 || last || (!t->all && same(cell, shown + x)))
            continue;
        go_to(t, line, at, x, y);
        write_cell(t, cell);
        bool wide = x + 1 < c->width && cell[1].code == 0;
        at = x + 1 + wide < COLS ? x + 1 + wide : -1;
    }
    memcpy(shown, line, (size_t)c->width * sizeof *line);
}

const cs_canvas *cs_terminal_shown(const cs_terminal *t, const cs_canvas *c)
{
    bool other = c->width != t->shown.width || c->height != t->shown.height ||
                 c->theme != t->shown.theme;
    return t->all || other ? NULL : &t->shown;
}

size_t cs_terminal_paint(cs_terminal *t, const cs_canvas *c)
{
    if (c->width != t->shown.width || c->height != t->shown.height) {
        if (cs_canvas_resize(&t->shown, c->width, c->height, NULL) != CS_OK)
            return 0;
        t->all = true;
    }
    t->all |= c->theme != t->shown.theme;
    t->shown.theme = c->theme;
    t->sent = 0;
    if (t->all) { /* curses empties the screen, and takes it after a stop */
        erase();
        clearok(curscr, TRUE);
        refresh();
        t->now.known = false;
        if (t->mouse)
            add_text(t, MOUSE_MOVES);
    }
    for (int y = 0; y < c->height && y < LINES; y++)
        paint_line(t, c, y);
    t->all = false;
    if (c->cursor_x >= 0)
        add_text(t, tiparm(cursor_address, c->cursor_y, c->cursor_x));
    curs_set(c->cursor_x >= 0);
    flush(t);
    return t->sent;
}

void cs_terminal_write(cs_terminal *t, const char *bytes, size_t n)
{
    for (size_t k; n; bytes += k, n -= k) {
        k = n < OUT ? n : OUT;
        add(t, bytes, k);
    }
    flush(t);
    t->all = true;
}

void cs_terminal_repaint(cs_terminal *t)
{
    t->all = true;
}

/* The terminal as it was, then everybody stops whom ^Z would have stopped.
 * Whoever continues us may have changed the terminal. */
void cs_terminal_lend(cs_terminal *t, void (*use)(void *), void *self)
{
    if (t->mouse)
        write_now(MOUSE_OFF);
    endwin();
    saved.active = 0;
    signal(SIGTSTP, SIG_DFL);
    use(self);
    handle();
    atomic_fetch_and(&saved.asked, ~(unsigned)CS_ASKED_RESUME);
    saved.active = 1;
    cs_terminal_resume(t);
}

static void stop_process(void *self)
{
    (void)self;
    kill(0, SIGTSTP);
}

void cs_terminal_suspend(cs_terminal *t)
{
    cs_terminal_lend(t, stop_process, NULL);
}

void cs_terminal_resume(cs_terminal *t)
{
    reset_prog_mode();
    cs_terminal_repaint(t);
}

void cs_terminal_listen(cs_terminal *t, bool mouse)
{
    if (mouse == t->mouse || !takes_mouse())
        return;
    t->mouse = mouse;
    mouseinterval(0); /* a click is a press, what comes after it another */
    mousemask(mouse ? ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION : 0, NULL);
    write_now(mouse ? MOUSE_MOVES : MOUSE_OFF);
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
    return CS_KEY_NONE; /* a key without a meaning here */
}

void cs_terminal_fds(const cs_terminal *t, int fd[2])
{
    fd[0] = STDIN_FILENO;
    fd[1] = t->pipe[0];
}

unsigned cs_terminal_asked(cs_terminal *t)
{
    char bytes[64];
    while (read(t->pipe[0], bytes, sizeof bytes) > 0)
        continue;
    return atomic_exchange(&saved.asked, 0);
}
