/* A folder of draws that the test writes line by line, and a session that
 * watches this folder. */
#pragma once

#include "leave.h"
#include "support/cost.h"
#include "support/support.h"

#include "base/clock.h"
#include "session/client/client.h"
#include "session/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE = 60 }; /* seconds until a session is considered to hang */

static inline cs_status open_none(void *self, const char *path,
                                  const char *const *set, size_t n_set,
                                  cs_opened *out, cs_error *err)
{
    (void)self, (void)set, (void)n_set, (void)out;
    return cs_fail(err, CS_IO, "%s cannot be read", path);
}

static inline int child(int fd, cs_snapshots *snapshots, int wake,
                        void *argument)
{
    (void)argument;
    const cs_host host = {.open = open_none};
    return without_leaks(cs_session_main(fd, snapshots, wake, &host));
}

/* ---- a folder ---- */

static char folder[] = "/tmp/chainscope-watch-XXXXXX";

static inline void path_of(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%.200s", folder, name);
}

static inline void append(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void append(const char *name, const char *format, ...)
{
    char path[256];
    va_list args;
    path_of(name, path);
    FILE *f = fopen(path, "ae");
    assert_non_null(f);
    va_start(args, format);
    vfprintf(f, format, args);
    va_end(args);
    assert_int_equal(fclose(f), 0);
}

static inline void head(const char *name, const char *arm, int id,
                        const char *names)
{
    append(name,
           "# model = banana\n#     save_warmup = 0\n# id = %d\n"
           "#   seed = 7\n# arm = %s\n%s\n",
           id, arm, names);
}

/* Appends the rows first .. last - 1 to the file. In each row x.1 is the index
 * of the row, and x.2 is noise. */
static inline void rows(const char *name, int first, int last)
{
    for (int i = first; i < last; i++)
        append(name, "%g,0.5,%d,%g\n", -0.5 * i, i, sin(i));
}

static const char columns[] = "lp__,accept_stat__,x.1,x.2";

static inline int start(void **state)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    return (int)cs_client_create((cs_client **)state, child, NULL, NULL);
}

static inline int end(void **state)
{
    char line[300];
    int code = leave(*state);
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) | code;
}

static inline void away(const char *name)
{
    char path[256];
    path_of(name, path);
    assert_int_equal(remove(path), 0);
}

/* ---- queries ---- */

static inline const cs_message *ask(cs_client *c, const char *line)
{
    static uint32_t id;
    assert_int_equal(cs_client_send(c, line, ++id, NULL), CS_OK);
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        const cs_message *m = cs_client_reply(c);
        if (m)
            return m;
    }
    fail_msg("no reply to %s", line);
    return NULL;
}

static inline void obeyed(cs_client *c, const char *line)
{
    const cs_message *m = ask(c, line);
    if (m->status)
        fail_msg("%s: %s", line, (const char *)m->body);
}

static inline void refused(cs_client *c, const char *line, const char *because)
{
    const cs_message *m = ask(c, line);
    if (!m->status || !strstr((const char *)m->body, because))
        fail_msg("%s: '%s' does not contain '%s'", line, (const char *)m->body,
                 because);
}

static inline void open_it(cs_client *c)
{
    char line[300];
    snprintf(line, sizeof line, "open %s", folder);
    obeyed(c, line);
    obeyed(c, "run");
}

static inline void refuses_it(cs_client *c, const char *because)
{
    char line[300];
    snprintf(line, sizeof line, "open %s", folder);
    refused(c, line, because);
}

static inline double number(const unsigned char *base, size_t used,
                            const char *key)
{
    cs_flat_entry e;
    return cs_flat_find(base, used, &e, "%s", key) && e.data ? e.data[0]
                                                             : (double)NAN;
}

/* The texts of the messages in the last snapshot. */
static char said[CS_SAID][256];

static inline bool look(cs_client *c, const unsigned char **base, size_t *used)
{
    cs_flat_entry e;
    if (!cs_client_snapshot(c, base, used))
        return false;
    for (int i = 0; i < CS_SAID; i++)
        snprintf(said[i], sizeof said[i], "%s",
                 cs_flat_find(*base, *used, &e, "run/said/%d", i) && e.text
                     ? e.text
                     : "");
    return true;
}

static inline bool was_said(const char *words)
{
    bool was = false;
    for (int i = 0; i < CS_SAID; i++)
        was |= strstr(said[i], words) != NULL;
    return was;
}

/* Waits for a snapshot in which the run has this state and is at this step. */
static inline const unsigned char *see(cs_client *c, const char *state,
                                       double steps, size_t *used)
{
    const unsigned char *base = NULL;
    char is[32] = "";
    double at = NAN;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        cs_flat_entry e;
        if (!look(c, &base, used) ||
            !cs_flat_find(base, *used, &e, "run/state"))
            continue;
        snprintf(is, sizeof is, "%s", e.text);
        at = number(base, *used, "run/steps");
        if (strcmp(is, state) == 0 && at == steps)
            return base;
    }
    fail_msg("the run is %s at %g, not %s at %g", is, at, state, steps);
    return NULL;
}

/* Waits until a message with these words is reported. */
static inline void hear(cs_client *c, const char *words)
{
    const unsigned char *base;
    size_t used;
    for (double until = cs_clock() + PATIENCE; cs_clock() < until;
         cs_client_wait(c, 20)) {
        look(c, &base, &used);
        if (was_said(words))
            return;
    }
    fail_msg("no message '%s'", words);
}
