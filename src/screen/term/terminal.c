#include "screen/term/terminal_parts.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef lines
#undef columns

/* Copies the bytes that the signal handlers write. Bytes from terminfo leave
 * the alternate screen, show the cursor and reset attributes. Other fixed bytes
 * switch mouse reports and bracketed paste off. */
static void take_signals(const cs_terminal *t)
{
    static const char *const from[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    enum { N = sizeof from / sizeof *from };
    char restore[128], modes[64];
    size_t length = 0;
    cs_terminal_input_modes(t, false, modes);
    for (size_t i = 0; i < N + 1; i++) {
        const char *bytes = i < N ? tigetstr(from[i]) : modes;
        size_t n = bytes && bytes != (const char *)-1 ? strlen(bytes) : 0;
        if (n && length + n < sizeof restore) {
            memcpy(restore + length, bytes, n);
            length += n;
        }
    }
    cs_terminal_signals_take(restore, length);
}

static cs_status refuse(cs_error *err, const char *why)
{
    cs_status status = cs_fail(err, CS_UNSUPPORTED, "no screen: %s", why);
    cs_hint(err, "use `chainscope run FILE`, which needs no screen, or --plain "
                 "for line output");
    return status;
}

/* Makes ^Z arrive as a key. curses ignores the signal while it paints, so
 * sometimes only the session would stop. */
static void take_suspend_key(void)
{
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) != 0)
        return;
    now.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSANOW, &now);
    def_prog_mode();
}

/* Chooses characters and colours from the terminal's abilities and the user's
 * choice. */
static void choose(cs_terminal *t, const cs_terminal_preferences *preference)
{
    t->iso = tigetflag("AX") > 0;
    t->colours = tigetnum("colors");
    cs_terminal_facts facts = cs_terminal_facts_make(t->colours, t->iso);
    t->tier = cs_tier_choose(&facts, preference->colour);
    t->glyphs = cs_glyphs_choose(&facts, preference->glyphs);
    if (t->tier == CS_TIER_256 && t->colours < 256)
        t->colours = 256; /* the user has requested 256 colours */
}

static cs_status prepare(cs_terminal *t,
                         const cs_terminal_preferences *preference,
                         cs_error *err)
{
    if (pipe(t->pipe) != 0)
        return cs_fail(err, CS_IO, "cannot create a pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(t->pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(t->pipe[i], F_SETFD, FD_CLOEXEC);
    }
    cs_terminal_signals_begin(t->pipe[1]);
    t->screen = newterm(NULL, stdout, stdin);
    if (!t->screen)
        return refuse(err, "unknown terminal type (see TERM)");
    take_signals(t);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    curs_set(0);
    typeahead(-1);
    take_suspend_key();
    choose(t, preference);
    t->parser.single = MB_CUR_MAX == 1;
    t->all = true;
    t->out = cs_alloc(CS_TERMINAL_OUT, 1);
    if (!t->out)
        return cs_fail(err, CS_MEMORY, "out of memory for the terminal");
    return cs_canvas_init(&t->shown, 1, 1, t->glyphs, err);
}

cs_status cs_terminal_start(cs_terminal **out,
                            const cs_terminal_preferences *preference,
                            cs_error *err)
{
    const char *term = getenv("TERM");
    *out = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return refuse(err, "input or output is not a terminal");
    if (!term || !*term || strcmp(term, "dumb") == 0)
        return refuse(err, "TERM is not set, or is dumb");
    setlocale(LC_CTYPE, "");
    cs_terminal *t = cs_alloc(1, sizeof *t);
    if (!t)
        return cs_fail(err, CS_MEMORY, "out of memory for the terminal");
    t->pipe[0] = t->pipe[1] = -1;
    cs_status status = prepare(t, preference, err);
    if (status != CS_OK) {
        cs_terminal_stop(t);
        return status;
    }
    cs_terminal_graphics(t, preference->graphics, false);
    *out = t;
    return CS_OK;
}

static void switch_off(cs_terminal *t)
{
    char modes[64];
    cs_terminal_await_replies(t, 100);
    cs_terminal_input_modes(t, false, modes);
    cs_terminal_write_now(modes);
    if (t->graphics.used == CS_PROTOCOL_KITTY)
        cs_terminal_write_now(CS_IMAGES_OFF);
}

void cs_terminal_stop(cs_terminal *t)
{
    if (!t)
        return;
    if (t->screen) {
        switch_off(t);
        endwin();
        cs_terminal_signals_end();
        delscreen(t->screen);
    }
    for (int i = 0; i < 2; i++)
        if (t->pipe[i] >= 0)
            close(t->pipe[i]);
    cs_canvas_fini(&t->shown);
    cs_free(t->out);
    cs_free(t->graphics.image);
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

/* Restores the terminal while use(self) runs. In cs_terminal_suspend, use(self)
 * stops all processes that ^Z would stop. The terminal may have changed when
 * the process continues. */
void cs_terminal_lend(cs_terminal *t, void (*use)(void *), void *self)
{
    switch_off(t);
    endwin();
    cs_terminal_signals_pause();
    use(self);
    cs_terminal_signals_resume();
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

void cs_terminal_fds(const cs_terminal *t, int fd[2])
{
    fd[0] = STDIN_FILENO;
    fd[1] = t->pipe[0];
}
