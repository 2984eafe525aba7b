#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t first, count;

static void on_stop(int signal_number)
{
    if (!first)
        first = signal_number;
    count++;
}

void cs_stop_listen(void)
{
    struct sigaction act = {.sa_handler = on_stop};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
}

void cs_stop_ignore(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

int cs_stop_signal(void)
{
    return first;
}

unsigned cs_stop_count(void)
{
    return (unsigned)count;
}
