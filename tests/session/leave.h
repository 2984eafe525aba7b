/* Functions that end a session at the end of a test. The exit code also reports
 * errors that occur after the last message. */
#pragma once

#include "session/client/client.h"

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#include <signal.h>
#endif
#include <stdio.h>

/* Returns the exit code of the child process. Leaks count as errors. The
 * sanitizer searches for leaks when a process ends by exit(), as a session
 * does. No time limit applies. */
static inline int without_leaks(int code)
{
#if defined __SANITIZE_ADDRESS__
    signal(SIGTERM, SIG_IGN);
    signal(SIGALRM, SIG_IGN);
    return code ? code : __lsan_do_recoverable_leak_check();
#else
    return code;
#endif
}

/* Frees the client of a running session and returns the session's exit code. */
static inline int leave(cs_client *c)
{
    cs_client_close(c, 60000);
    int code = cs_client_exit_code(c);
    cs_client_destroy(c);
    if (code)
        fprintf(stderr, "the session ended with code %d\n", code);
    return code;
}
