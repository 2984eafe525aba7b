#include "cli/line/stop.h"

#include "base/cancellation.h"
#include "base/text.h"

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 5 }; /* number of signals after which the process ends at once */

static const struct {
    int number;
    const char *name;
} stops[] = {{SIGINT, "Ctrl-C"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "a hang-up"}};
enum { STOPS = sizeof stops / sizeof *stops };

static volatile sig_atomic_t first, count;
static bool said, finishing; /* static, since signals stop a whole process */

static void on_stop(int signal_number)
{
    if (!first)
        first = signal_number;
    if (++count >= MOST)
        _exit(128 + first);
}

static bool is_asked(void *self)
{
    (void)self;
    return first != 0;
}

void cs_stop_listen(void)
{
    struct sigaction act = {.sa_handler = on_stop}, before;
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < STOPS; i++) {
        bool kept = stops[i].number == SIGHUP &&
                    sigaction(SIGHUP, NULL, &before) == 0 &&
                    before.sa_handler == SIG_IGN;
        if (!kept)
            sigaction(stops[i].number, &act, NULL);
    }
    cs_cancellation_set(is_asked, NULL);
}

void cs_stop_ignore(void)
{
    for (size_t i = 0; i < STOPS; i++)
        signal(stops[i].number, SIG_IGN);
}

int cs_stop_signal(void)
{
    return first;
}

unsigned cs_stop_count(void)
{
    return (unsigned)count;
}

void cs_stop_take(int signal)
{
    if (!first)
        first = signal;
}

void cs_stop_forget(void)
{
    first = 0;
}

void cs_stop_finish(void)
{
    finishing = true;
}

bool cs_stop_refuses(void)
{
    return first && !finishing;
}

static const char *name_of(int signal)
{
    for (size_t i = 0; i < STOPS; i++)
        if (stops[i].number == signal)
            return stops[i].name;
    return "a signal";
}

void cs_stop_say(const char *format, ...)
{
    char text[4096];
    va_list args;
    if (!first || said)
        return;
    said = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout);
    fprintf(stderr, "%schainscope: ended by %s ",
            isatty(STDERR_FILENO) ? "\r\033[K" : "", name_of(first));
    cs_text_write(text, strlen(text), stderr);
    fputc('\n', stderr);
}

bool cs_stop_explains(const cs_error *err)
{
    char text[1100];
    if (!first || (err->status != CS_STOPPED && err->status != CS_ENDED))
        return false;
    cs_error_format(err, text, sizeof text);
    cs_stop_say("%s", err->status == CS_STOPPED
                          ? text
                          : "before the work was done; repeat the command");
    return true;
}

int cs_stop_end(int code)
{
    if (!first)
        return code;
    cs_stop_say("before the work was done; repeat the command");
    return 128 + first;
}
