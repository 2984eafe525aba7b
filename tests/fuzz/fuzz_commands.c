/* Fuzzes command lines that a client sends to a session with a run. Each line
 * of the input is one command. Lines with paths to other folders are skipped,
 * because a session may write wherever its user may. */
#include "base/memory.h"
#include "fuzz.h"
#include "run/run.h"
#include "session/commands/command.h"
#include "session/publish/publish.h"
#include "session/state/opened.h"
#include "session/state/signals.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static cs_session *session;
static cs_target *target;
static int ends[2];

static cs_status host_open(void *self, const char *path, const char *const *set,
                           size_t n_set, cs_opened *out, cs_error *err)
{
    (void)self;
    (void)path;
    cs_arm_spec arm[2] = {{.name = "a"}, {.name = "b", .chains = 2}};
    cs_kernel_init(&arm[0].kernel, cs_kernel_find("random_walk"), NULL, 0, err);
    cs_kernel_init(&arm[1].kernel, cs_kernel_find("hmc"), NULL, 0, err);
    cs_run_spec spec = {.target = target,
                        .arms = arm,
                        .n_arms = 2,
                        .chains = 3,
                        .seed = n_set,
                        .workers = 1,
                        .keep = 8,
                        .rewind_bytes = 1 << 16};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n_set; i++)
        if (strstr(set[i], "fail"))
            return cs_fail(err, CS_INPUT, "this host always fails");
    return cs_run_create(&out->run, &spec, err);
}

static void host_attach(void *self, cs_run *run)
{
    (void)self;
    (void)run;
}

static cs_status host_eval(void *self, const char *code, cs_host_print *print,
                           void *to, cs_error *err)
{
    (void)self;
    (void)err;
    print(to, code, strlen(code));
    return CS_OK;
}

static void host_complete(void *self, const char *line, cs_flat *out)
{
    (void)self;
    cs_flat_text(out, line, "0");
}

static cs_status host_gallery(void *self, size_t from, size_t count,
                              unsigned how, cs_flat *out, cs_error *err)
{
    (void)how;
    (void)self, (void)from, (void)count;
    (void)err;
    cs_flat_text(out, "one", "0/title");
    return CS_OK;
}

static uint64_t host_events(void *self, cs_run *run, cs_host_print *print,
                            void *to, cs_error *err)
{
    (void)self;
    (void)run;
    (void)print;
    (void)to;
    (void)err;
    return UINT64_MAX;
}

static const cs_host host = {.open = host_open,
                             .attach = host_attach,
                             .eval = host_eval,
                             .complete = host_complete,
                             .gallery = host_gallery,
                             .events = host_events};

static void prepare(void)
{
    session = cs_alloc(1, sizeof *session);
    if (!session || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0 ||
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &target, NULL))
        fuzz_broken("cannot create a session");
    fuzz_text(NULL, 0);
}

static bool elsewhere(const char *line)
{
    return strchr(line, '/') || strstr(line, "..") || strchr(line, '~');
}

/* Sends a complete message with its header, and checks the answer of the
 * session. */
static void obey(const char *line, size_t size)
{
    char message[4096 + 16] = {1};
    cs_message *m = &session->front.in;
    memcpy(message + offsetof(cs_message, body), line, size);
    if (send(ends[0], message, offsetof(cs_message, body) + size, 0) < 0)
        return;
    if (cs_wire_receive(ends[1], m) != CS_WIRE_GOT || m->size != size)
        fuzz_broken("the message received differs from the message sent");
    session->front.fd = -1; /* discard printed output */
    session->front.wake = -1;
    cs_session_obey(session);
    const cs_message *out = &session->front.out;
    if (out->size > CS_WIRE_BYTES || (!out->table && out->body[out->size]))
        fuzz_broken("the answer is not terminated");
    if (out->status != CS_OK && out->size == 0)
        fuzz_broken("error without a message");
    if (session->move.running && session->open.run)
        cs_session_advance(session, 2, NULL, NULL);
    session->front.quit = false;
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_snapshots *shared = cs_snapshots_map();
    if (!shared)
        return;
    memset(session, 0, sizeof *session);
    session->host = &host;
    session->front.end = cs_snapshot_writer(shared);
    session->move.goal = UINT64_MAX;
    char *text = fuzz_text(data, size), *line = text;
    for (int i = 0; i < 30 && line < text + size; i++) {
        size_t n = strcspn(line, "\n");
        line[n] = 0;
        if (n < 4096 && !elsewhere(line))
            obey(line, n);
        line += n + 1;
    }
    cs_session_publish(session);
    cs_session_drop(session);
    cs_sets_clear(&session->sets);
    cs_way_back_clear(&session->back);
    cs_snapshots_unmap(shared);
}

const fuzz_reader reader_commands = {.prepare = prepare, .read = one_input};
