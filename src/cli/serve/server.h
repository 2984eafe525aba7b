/* A web server on 127.0.0.1 for the pages of one caller, without a thread: the
 * caller polls a descriptor and calls cs_server_tend. It answers only GET and
 * HEAD, and only requests whose Host header names this machine, so that no web
 * site can read the pages through a domain name that it lets point here (DNS
 * rebinding). No path maps to a file. The web server is libmicrohttpd, which is
 * loaded when the server is opened. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_server cs_server;

/* The content of a path. The texts are [borrowed] until the next call of the
 * function that found them. */
typedef struct cs_content {
    const char *text; /* text[size] */
    size_t size;
    const char *type; /* value of Content-Type */
    const char *tag;  /* value of ETag, with its quotes; NULL: none */
    const char *file; /* name under which a browser saves it; NULL: a browser
                       * displays it */
} cs_content;

/* Finds the content of a path such as "/data.json". Returns CS_UNKNOWN for an
 * unknown path; every other error is reported as a failure of the server, with
 * the error's text. */
typedef cs_status cs_server_find(void *self, const char *path, cs_content *out,
                                 cs_error *err);

/* Listens on this port of 127.0.0.1; 0: any free port. Fails with CS_UNKNOWN
 * if another program has the port, and with CS_UNSUPPORTED if the web server's
 * library is missing. [own: cs_server_close] */
cs_status cs_server_open(cs_server **out, unsigned port, cs_server_find *find,
                         void *self, cs_error *err);
void cs_server_close(cs_server *s); /* NULL is allowed */

unsigned cs_server_port(const cs_server *s);

/* cs_server_fd returns a descriptor that is readable when requests wait;
 * cs_server_wait returns the longest time to poll it, in ms (-1: no limit). */
int cs_server_fd(const cs_server *s);
int cs_server_wait(const cs_server *s);
/* Answers the requests that wait. Calls `find`. */
void cs_server_tend(cs_server *s);

/* Returns true if `host` is "127.0.0.1" or "localhost", with or without a
 * port. */
bool cs_server_is_host(const char *host);
