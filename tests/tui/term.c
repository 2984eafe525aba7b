#include "term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double term_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- pseudo-terminal ------------------------------------------------------ */

static int property(VTermProp prop, VTermValue *value, void *self)
{
    term *t = self;
    if (prop == VTERM_PROP_ALTSCREEN)
        t->alternate = value->boolean;
    if (prop == VTERM_PROP_MOUSE)
        t->mouse = value->number != VTERM_PROP_MOUSE_NONE;
    if (prop == VTERM_PROP_CURSORVISIBLE)
        t->hidden = !value->boolean;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = property};

/* Sets the environment variables that the tests need. No variable of the user's
 * environment is kept. */
static void environment(const char *const *more)
{
    static const char *const drop[] = {"NO_COLOR",
                                       "COLORTERM",
                                       "LANG",
                                       "LC_CTYPE",
                                       "LINES",
                                       "COLUMNS",
                                       "INPUTRC",
                                       "EDITOR",
                                       "CHAINSCOPE_"
                                       "GLYPHS"};
    for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
        unsetenv(drop[i]);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("HOME", "/dev/null", 1); /* a path at which not even root can create
                                     * a folder */
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    setenv("XDG_CONFIG_HOME", "/dev/null", 1);
    setenv("XDG_DATA_HOME", "/dev/null", 1);
    for (; more && *more; more++) {
        char name[64];
        const char *equals = strchr(*more, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - *more) : 63,
                 *more);
        if (equals)
            setenv(name, equals + 1, 1);
        else
            unsetenv(name);
    }
}

static void be_child(const term *t, const char *const *argv,
                     const char *const *more)
{
    setsid();
    ioctl(t->slave, TIOCSCTTY, 0);
    for (int i = 0; i < 3; i++)
        dup2(t->slave, i);
    close(t->slave);
    close(t->master);
    environment(more);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    char *copy[16] = {NULL};
    for (size_t i = 0; i < 15 && argv[i]; i++)
        copy[i] = strdup(argv[i]);
    execvp(copy[0], copy);
    _exit(127);
}

void term_start(term *t, int rows, int cols, const char *const *argv,
                const char *const *more)
{
    struct winsize size = {.ws_row = (unsigned short)rows,
                           .ws_col = (unsigned short)cols};
    *t = (term){.rows = rows, .cols = cols};
    t->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(t->master >= 0);
    assert_int_equal(grantpt(t->master) | unlockpt(t->master), 0);
    t->slave = open(ptsname(t->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(t->slave >= 0);
    ioctl(t->slave, TIOCSWINSZ, &size);
    tcgetattr(t->slave, &t->before);
    t->vt = vterm_new(rows, cols);
    vterm_set_utf8(t->vt, 1);
    t->screen = vterm_obtain_screen(t->vt);
    vterm_screen_set_callbacks(t->screen, &callbacks, t);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
    fflush(NULL);
    t->child = fork();
    assert_true(t->child >= 0);
    if (t->child == 0)
        be_child(t, argv, more);
}

void term_chainscope(term *t, int rows, int cols, const char *one,
                     const char *two, const char *three)
{
    const char *const argv[] = {CS_PROGRAM, one, two, three, NULL};
    term_start(t, rows, cols, argv, NULL);
}

static void reap(term *t, int options)
{
    if (!t->ended && waitpid(t->child, &t->status, options) == t->child)
        t->ended = true;
}

void term_stop(term *t)
{
    if (!t->vt)
        return;
    if (!t->ended) {
        kill(-t->child, SIGKILL);
        reap(t, 0);
    }
    if (t->master >= 0)
        close(t->master);
    close(t->slave);
    vterm_free(t->vt);
    t->vt = NULL;
}

void term_send(term *t, const char *keys)
{
    size_t n = strlen(keys);
    if (write(t->master, keys, n) != (ssize_t)n)
        term_fail(t, "the terminal takes no keys");
}

void term_hang_up(term *t)
{
    close(t->master);
    t->master = -1;
}

void term_resize(term *t, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows,
                           .ws_col = (unsigned short)cols};
    t->rows = rows;
    t->cols = cols;
    vterm_set_size(t->vt, rows, cols);
    ioctl(t->master, TIOCSWINSZ, &size);
}

/* Follows the requests for bracketed paste, which libvterm does not report. */
static void note_paste(term *t, char c)
{
    static const char mark[] = "\033[?2004";
    if (t->mark == sizeof mark - 1) {
        t->paste = c == 'h' || (t->paste && c != 'l');
        t->mark = 0;
    }
    t->mark = c == mark[t->mark] ? t->mark + 1 : c == mark[0];
}

/* Counts the bytes that a terminal without colours, or without UTF-8, must not
 * receive. For colours, these are the parameters 30 to 49 and 90 to 107 of a
 * sequence that ends with m. For UTF-8, these are the bytes above 127. */
static void note_bytes(term *t, const char *bytes, size_t n)
{
    static char parameters[32];
    for (size_t i = 0; i < n; i++) {
        char c = bytes[i];
        t->high += (unsigned char)c > 127;
        note_paste(t, c);
        if (c == 27) {
            t->escape = 1;
        } else if (t->escape == 1) {
            t->escape = c == '[' ? 2 : 0;
        } else if (t->escape >= 2 && (c == ';' || (c >= '0' && c <= '9'))) {
            if (t->escape < 30)
                parameters[t->escape++ - 2] = c;
        } else if (t->escape >= 2) {
            parameters[t->escape - 2] = 0;
            char *p = parameters;
            for (long v; c == 'm' && *p; p += *p == ';') {
                v = strtol(p, &p, 10);
                t->colours += (v >= 30 && v < 39) || (v >= 40 && v < 49) ||
                              (v >= 90 && v <= 107);
            }
            t->escape = 0;
        }
    }
}

term_hook *term_output;

/* Copies bytes to out[n + 1] without APC and DCS sequences, because some versions
 * of libvterm display their contents. Returns the new length. */
static size_t without_strings(term *t, const char *bytes, size_t n, char *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool escape = bytes[i] == 27;
        bool begins = !t->string && t->after_escape &&
                      (bytes[i] == '_' || bytes[i] == 'P');
        bool ends = t->string && t->after_escape && bytes[i] == '\\';
        if (!t->string && !begins && t->after_escape)
            out[kept++] = 27; /* kept back until the next byte was known */
        t->string = (t->string || begins) && !ends;
        if (!t->string && !ends && !escape)
            out[kept++] = bytes[i];
        t->after_escape = escape;
    }
    return kept;
}

size_t term_read(term *t, int milliseconds)
{
    char bytes[8192], shown[sizeof bytes + 1];
    struct pollfd p = {.fd = t->master, .events = POLLIN};
    if (poll(&p, 1, milliseconds) <= 0)
        return 0;
    ssize_t n = read(t->master, bytes, sizeof bytes);
    if (n <= 0)
        return 0;
    note_bytes(t, bytes, (size_t)n);
    if (term_output)
        term_output(t, bytes, (size_t)n);
    vterm_input_write(t->vt, shown,
                      without_strings(t, bytes, (size_t)n, shown));
    t->bytes += (unsigned long)n;
    return (size_t)n;
}

void term_quiet(term *t, int milliseconds)
{
    while (term_read(t, milliseconds))
        continue;
}

void term_pass(term *t, int milliseconds)
{
    double now, until = term_clock() + milliseconds;
    while ((now = term_clock()) < until)
        term_read(t, (int)(until - now) + 1);
}

int term_end(term *t)
{
    double until = term_clock() + TERM_PATIENCE;
    while (!t->ended && term_clock() < until) {
        term_read(t, 5);
        reap(t, WNOHANG);
    }
    if (!t->ended)
        term_fail(t, "the program does not end");
    while (term_read(t, 0))
        continue;
    return t->status;
}

/* ---- contents of the screen ---------------------------------------------- */

VTermScreenCell term_cell(const term *t, int x, int y)
{
    VTermScreenCell cell = {0};
    vterm_screen_get_cell(t->screen, (VTermPos){.row = y, .col = x}, &cell);
    return cell;
}

static size_t encode(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned first[] = {0, 0xC0, 0xE0, 0xF0};
    to[0] = (char)(first[more] | c >> 6 * more);
    for (size_t i = 1; i <= more; i++)
        to[i] = (char)(0x80 | ((c >> 6 * (more - i)) & 0x3F));
    return more + 1;
}

const char *term_line(term *t, int y)
{
    size_t at = 0, end = 0;
    for (int x = 0; x < t->cols && at + 8 < sizeof t->text; x++) {
        uint32_t c = term_cell(t, x, y).chars[0];
        if (c == (uint32_t)-1)
            continue; /* the right half of a wide character */
        at += encode(c ? c : ' ', t->text + at);
        if (c && c != ' ')
            end = at;
    }
    t->text[end] = 0;
    return t->text;
}

void term_find(term *t, const char *text, int *x, int *y)
{
    *x = *y = -1;
    for (int row = 0; row < t->rows; row++) {
        const char *line = term_line(t, row), *at = strstr(line, text);
        if (!at)
            continue;
        *y = row;
        for (*x = 0; line < at; line++)
            *x += (*line & 0xC0) != 0x80;
        return;
    }
}

bool term_shows(term *t, const char *text)
{
    int x, y;
    term_find(t, text, &x, &y);
    return y >= 0;
}

void term_fail(term *t, const char *format, ...)
{
    char why[400];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    print_error("the screen, %dx%d, after %lu bytes:\n", t->cols, t->rows,
                t->bytes);
    for (int y = 0; t->vt && y < t->rows; y++)
        print_error("|%s\n", term_line(t, y));
    term_stop(t);
    fail_msg("%s", why);
    abort(); /* never reached, as fail_msg jumps */
}

static bool holds(term *t, int y, const char *text)
{
    return y < 0 ? term_shows(t, text) : strstr(term_line(t, y), text) != NULL;
}

static void wait_for(term *t, int y, const char *text, bool there)
{
    double until = term_clock() + TERM_PATIENCE;
    while (holds(t, y, text) != there) {
        if (term_clock() > until)
            term_fail(t, "'%s' is %s", text, there ? "not shown" : "shown");
        term_read(t, 20);
    }
}

void term_wait(term *t, const char *text)
{
    wait_for(t, -1, text, true);
}

void term_wait_gone(term *t, const char *text)
{
    wait_for(t, -1, text, false);
}

void term_wait_line(term *t, int y, const char *text)
{
    wait_for(t, y, text, true);
}

/* Returns the step that the first line shows, or -1 if it shows no step. */
static double step_shown(term *t)
{
    const char *at = strstr(term_line(t, 0), "  step ");
    double step = 0;
    if (!at)
        return -1;
    for (at += 7; (*at >= '0' && *at <= '9') || *at == ','; at++)
        step = *at == ',' ? step : 10 * step + (*at - '0');
    return step;
}

void term_wait_step(term *t, double step)
{
    double until = term_clock() + TERM_PATIENCE;
    while (step_shown(t) < step) {
        if (term_clock() > until)
            term_fail(t, "step %g is not shown", step);
        term_read(t, 20);
    }
}

static void wait_prompt(term *t, bool open)
{
    double until = term_clock() + TERM_PATIENCE;
    while ((term_cell(t, 0, t->rows - 1).chars[0] == ':') != open) {
        if (term_clock() > until)
            term_fail(t, "the prompt does not %s", open ? "open" : "close");
        term_read(t, 20);
    }
}

void term_wait_painted(term *t)
{
    term_send(t, ":");
    wait_prompt(t, true);
    term_send(t, "\033");
    wait_prompt(t, false);
}

void term_assert_clean(term *t)
{
    struct termios now;
    tcgetattr(t->slave, &now);
    if (t->alternate)
        term_fail(t, "the alternate screen is left on");
    if (t->hidden)
        term_fail(t, "the cursor is left hidden");
    if (t->mouse)
        term_fail(t, "the mouse is left on");
    if (t->paste)
        term_fail(t, "bracketed paste is left on");
    if (now.c_lflag != t->before.c_lflag || now.c_iflag != t->before.c_iflag ||
        now.c_oflag != t->before.c_oflag || now.c_cflag != t->before.c_cflag)
        term_fail(t, "the modes of the line are changed");
}

/* ---- processes ----------------------------------------------------------- */

/* Reads the status of a process. If `thread`, reads only the status of the
 * first thread of the process. */
static bool stat_of_one(pid_t pid, bool thread, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path,
             thread ? "/proc/%ld/task/%ld/stat" : "/proc/%ld/stat", (long)pid,
             (long)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    size_t n = fread(text, 1, size - 1, f);
    fclose(f);
    text[n] = 0;
    return strrchr(text, ')') != NULL;
}

static bool stat_of(pid_t pid, char *text, size_t size)
{
    return stat_of_one(pid, false, text, size);
}

pid_t term_child_of(pid_t parent)
{
    char path[64];
    long pid = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent,
             (long)parent);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%ld", &pid) != 1)
        pid = 0;
    if (f)
        fclose(f);
    return (pid_t)pid;
}

bool term_lives(pid_t pid)
{
    char text[1024];
    return stat_of(pid, text, sizeof text) && strrchr(text, ')')[2] != 'Z';
}

bool term_gone(pid_t pid)
{
    const struct timespec nap = {.tv_nsec = 5000000};
    double until = term_clock() + TERM_PATIENCE;
    while (term_lives(pid)) {
        if (term_clock() > until)
            return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

static double cpu_of(pid_t pid, bool thread)
{
    char text[1024];
    unsigned long user = 0, kernel = 0;
    if (!stat_of_one(pid, thread, text, sizeof text))
        return 0;
    sscanf(strrchr(text, ')') + 2,
           "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
           &kernel);
    return (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
}

double term_cpu(pid_t pid)
{
    return cpu_of(pid, false);
}

double term_cpu_first(pid_t pid)
{
    return cpu_of(pid, true);
}
