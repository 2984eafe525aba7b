#include "cli/serve/server.h"

#include "base/memory.h"

#include <string.h>
#include <strings.h>

bool cs_server_is_host(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncasecmp(host, names[i], n) != 0)
            continue;
        const char *port = host + n;
        if (!*port)
            return true;
        size_t digits = strspn(port + 1, "0123456789");
        return *port == ':' && digits >= 1 && digits <= 5 && !port[1 + digits];
    }
    return false;
}

#ifdef CS_MICROHTTPD_LIBRARY

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Maximum number of connections, bytes of memory per connection (which limits
 * the size of a request's head), and seconds without traffic. */
enum { CONNECTIONS = 32, MEMORY = 16 << 10, IDLE = 30, BACKLOG = 16 };

/* The list of the functions of microhttpd.h that this file uses. */
#define FUNCTIONS(F)                                                           \
    F(MHD_start_daemon)                                                        \
    F(MHD_stop_daemon)                                                         \
    F(MHD_get_daemon_info)                                                     \
    F(MHD_get_timeout)                                                         \
    F(MHD_run)                                                                 \
    F(MHD_get_connection_values)                                               \
    F(MHD_lookup_connection_value)                                             \
    F(MHD_create_response_from_buffer)                                         \
    F(MHD_add_response_header)                                                 \
    F(MHD_queue_response)                                                      \
    F(MHD_destroy_response)

#define MEMBER(name) __typeof__(name) *name;
typedef struct library {
    void *handle;
    FUNCTIONS(MEMBER)
} library;

struct cs_server {
    library lib;
    struct MHD_Daemon *daemon;
    int fd; /* descriptor of epoll, owned by the daemon */
    unsigned port;
    cs_server_find *find;
    void *self;
};

static cs_status open_library(library *l, cs_error *err)
{
    l->handle = dlopen(CS_MICROHTTPD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool all = l->handle != NULL;
#define FIND(name)                                                             \
    if (all) {                                                                 \
        void *found = dlsym(l->handle, #name);                                 \
        memcpy(&l->name, &found, sizeof found);                                \
        all = found != NULL;                                                   \
    }
    FUNCTIONS(FIND)
    if (all)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "the web server cannot be opened: %.200s",
            dlerror());
    cs_hint(err, "install libmicrohttpd12");
    return CS_UNSUPPORTED;
}

/* ---- the socket ---- */

static cs_status listen_on(int fd, unsigned port, unsigned *bound,
                           cs_error *err)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&at, size) == 0 &&
        listen(fd, BACKLOG) == 0 &&
        getsockname(fd, (struct sockaddr *)&at, &size) == 0) {
        *bound = ntohs(at.sin_port);
        return CS_OK;
    }
    if (errno == EADDRINUSE) {
        cs_fail(err, CS_UNKNOWN, "port %u is used by another program", port);
        cs_hint(err, "choose another port, or 0 for any free port");
        return CS_UNKNOWN;
    }
    return cs_fail(err, CS_IO, "127.0.0.1:%u: %s", port, strerror(errno));
}

static cs_status open_socket(unsigned port, int *fd, unsigned *bound,
                             cs_error *err)
{
    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return cs_fail(err, CS_IO, "no socket: %s", strerror(errno));
    cs_status status = listen_on(*fd, port, bound, err);
    if (status)
        close(*fd);
    return status;
}

/* ---- answers ---- */

/* Headers of all answers: scripts only from this server, nothing from other
 * sites, and no frame or script of another site may use the answer. */
static const char *const headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-cache"},
};

typedef struct MHD_Connection connection;

static enum MHD_Result answer(const cs_server *s, connection *c, unsigned code,
                              const cs_content *content)
{
    char file[200];
    const library *l = &s->lib;
    struct MHD_Response *r = l->MHD_create_response_from_buffer(
        content->size, (void *)(uintptr_t)content->text, MHD_RESPMEM_MUST_COPY);
    if (!r)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        l->MHD_add_response_header(r, headers[i][0], headers[i][1]);
    l->MHD_add_response_header(r, "Content-Type", content->type);
    if (content->tag)
        l->MHD_add_response_header(r, "ETag", content->tag);
    if (code == MHD_HTTP_METHOD_NOT_ALLOWED)
        l->MHD_add_response_header(r, "Allow", "GET, HEAD");
    if (content->file) {
        snprintf(file, sizeof file, "attachment; filename=\"%.100s\"",
                 content->file);
        l->MHD_add_response_header(r, "Content-Disposition", file);
    }
    enum MHD_Result queued = l->MHD_queue_response(c, code, r);
    l->MHD_destroy_response(r);
    return queued;
}

static enum MHD_Result refuse(const cs_server *s, connection *c, unsigned code,
                              const char *why)
{
    char text[1200];
    int n = snprintf(text, sizeof text, "%s\n", why);
    size_t size = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    return answer(
        s, c, code,
        &(cs_content){text, size, "text/plain; charset=utf-8", NULL, NULL});
}

/* Counts the Host headers of a request, and those that name this machine. */
typedef struct hosts {
    unsigned n, good;
} hosts;

static enum MHD_Result count_host(void *self, enum MHD_ValueKind kind,
                                  const char *key, const char *value)
{
    hosts *h = self;
    (void)kind;
    if (strcasecmp(key, "Host") == 0) {
        h->n++;
        h->good += value && cs_server_is_host(value);
    }
    return MHD_YES;
}

static bool is_for_us(const cs_server *s, connection *c)
{
    hosts h = {0};
    s->lib.MHD_get_connection_values(c, MHD_HEADER_KIND, count_host, &h);
    return h.n == 1 && h.good == 1;
}

static enum MHD_Result give(const cs_server *s, connection *c, const char *path)
{
    cs_content found = {0};
    cs_error err;
    char why[1100];
    cs_status status = s->find(s->self, path, &found, &err);
    if (status == CS_UNKNOWN)
        return refuse(s, c, MHD_HTTP_NOT_FOUND, "not found");
    if (status) {
        cs_error_format(&err, why, sizeof why);
        return refuse(s, c, MHD_HTTP_INTERNAL_SERVER_ERROR, why);
    }
    const char *has =
        s->lib.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "If-None-Match");
    bool same = has && found.tag && strstr(has, found.tag);
    if (same)
        found.size = 0;
    return answer(s, c, same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK, &found);
}

/* Called by the library: once when the head of a request has arrived, and again
 * when the request is complete. */
static enum MHD_Result handle(void *self, connection *c, const char *path,
                              const char *method, const char *version,
                              const char *body, size_t *body_size, void **seen)
{
    const cs_server *s = self;
    static char mark;
    (void)version;
    (void)body;
    if (!is_for_us(s, c))
        return refuse(s, c, MHD_HTTP_FORBIDDEN,
                      "the Host header must be 127.0.0.1 or localhost");
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return refuse(s, c, MHD_HTTP_METHOD_NOT_ALLOWED,
                      "only GET and HEAD are allowed");
    bool first = !*seen;
    *seen = &mark;
    if (first)
        return MHD_YES;
    if (*body_size) { /* no page needs the body of a request */
        *body_size = 0;
        return MHD_YES;
    }
    return give(s, c, path);
}

/* ---- the server ---- */

static cs_status start(cs_server *s, int fd, cs_error *err)
{
    s->daemon = s->lib.MHD_start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, handle, s, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        s->daemon
            ? s->lib.MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD)
            : NULL;
    if (!s->daemon)
        close(fd); /* a daemon closes the socket itself */
    if (!info)
        return cs_fail(err, CS_IO, "the web server does not start");
    s->fd = info->epoll_fd;
    return CS_OK;
}

cs_status cs_server_open(cs_server **out, unsigned port, cs_server_find *find,
                         void *self, cs_error *err)
{
    int fd;
    cs_server *s = cs_alloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return cs_fail(err, CS_MEMORY, "out of memory for the web server");
    s->find = find;
    s->self = self;
    cs_status status = open_library(&s->lib, err);
    if (status == CS_OK)
        status = open_socket(port, &fd, &s->port, err);
    if (status == CS_OK)
        status = start(s, fd, err);
    if (status)
        cs_server_close(s);
    else
        *out = s;
    return status;
}

void cs_server_close(cs_server *s)
{
    if (!s)
        return;
    if (s->daemon)
        s->lib.MHD_stop_daemon(s->daemon);
    if (s->lib.handle)
        dlclose(s->lib.handle);
    cs_free(s);
}

unsigned cs_server_port(const cs_server *s)
{
    return s->port;
}

int cs_server_fd(const cs_server *s)
{
    return s->fd;
}

int cs_server_wait(const cs_server *s)
{
    MHD_UNSIGNED_LONG_LONG wait;
    if (s->lib.MHD_get_timeout(s->daemon, &wait) != MHD_YES)
        return -1;
    return wait < 1000000 ? (int)wait : 1000000;
}

void cs_server_tend(cs_server *s)
{
    s->lib.MHD_run(s->daemon);
}

#else

cs_status cs_server_open(cs_server **out, unsigned port, cs_server_find *find,
                         void *self, cs_error *err)
{
    (void)port;
    (void)find;
    (void)self;
    *out = NULL;
    cs_fail(err, CS_UNSUPPORTED, "this build has no web server");
    cs_hint(err, "install libmicrohttpd-dev and build again");
    return CS_UNSUPPORTED;
}

void cs_server_close(cs_server *s)
{
    (void)s;
}

unsigned cs_server_port(const cs_server *s)
{
    (void)s;
    return 0;
}

int cs_server_fd(const cs_server *s)
{
    (void)s;
    return -1;
}

int cs_server_wait(const cs_server *s)
{
    (void)s;
    return -1;
}

void cs_server_tend(cs_server *s)
{
    (void)s;
}

#endif
