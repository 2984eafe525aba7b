/* Tests the parts of the web server that need no connection: the check of the
 * Host header, and the message of a build without the library. */
#include "cli/serve/server.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* The server as a build without libmicrohttpd compiles it, with other names. */
#undef CS_MICROHTTPD_LIBRARY
#define cs_server_is_host missing_is_host
#define cs_server_open missing_open
#define cs_server_close missing_close
#define cs_server_port missing_port
#define cs_server_fd missing_fd
#define cs_server_wait missing_wait
#define cs_server_tend missing_tend
bool missing_is_host(const char *host);
cs_status missing_open(cs_server **out, unsigned port, cs_server_find *find,
                       void *self, cs_error *err);
void missing_close(cs_server *s);
unsigned missing_port(const cs_server *s);
int missing_fd(const cs_server *s);
int missing_wait(const cs_server *s);
void missing_tend(cs_server *s);
#include "cli/serve/server.c"
#undef cs_server_is_host

static void only_this_machine(void **state)
{
    static const char *const good[] = {"127.0.0.1", "127.0.0.1:8787",
                                       "localhost", "LocalHost:1"};
    static const char *const bad[] = {
        "",           "evil.example",     "127.0.0.1.evil.example",
        "127.0.0.1:", "127.0.0.1:x",      "localhost:80:80",
        "127.0.0.2",  "localhost.evil:1", "localhost:8787@evil.example",
        "[::1]:8787", " localhost",       "localhost:123456"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(cs_server_is_host(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (cs_server_is_host(bad[i]))
            fail_msg("the host '%s' is accepted", bad[i]);
}

static void a_build_without_it(void **state)
{
    cs_server *s;
    cs_error err;
    char text[1100];
    (void)state;
    assert_int_equal(missing_open(&s, 0, NULL, NULL, &err), CS_UNSUPPORTED);
    assert_null(s);
    cs_error_format(&err, text, sizeof text);
    assert_string_equal(text, "this build has no web server: install "
                              "libmicrohttpd-dev and build again");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_this_machine),
    cmocka_unit_test(a_build_without_it),
};
TESTS(test_server)
