/* Fuzzes the output of a model that runs in another process. Valid output is a
 * description followed by answers; any other output gives an error with a
 * message. The output is read from memory, and sometimes through a pipe. */
#include "fuzz.h"
#include "targets/outside/child_process.h"
#include "targets/outside/line_protocol.h"

#include <math.h>
#include <string.h>

enum { NUMBERS = 3, LINE = 256, SELDOM = 16 };

static void need_reason(cs_status status, const cs_error *err)
{
    if (status && !err->what[0])
        fuzz_broken("error without a message");
}

/* Checks a complete description. */
static void look(const cs_model_hello *h)
{
    size_t dim = 0;
    for (size_t i = 0; i < h->n_params; i++) {
        const cs_model_param *p = &h->param[i];
        if (p->first != dim || p->size == 0 || !p->name[0])
            fuzz_broken("the parameters are not contiguous");
        if (!isfinite(p->low) || !isfinite(p->high) ||
            (p->support >= CS_SUPPORT_INTERVAL && !(p->low < p->high)))
            fuzz_broken("a parameter has an empty range");
        dim += p->size;
    }
    if (dim != h->dim || dim == 0)
        fuzz_broken("the parameters do not cover the state");
}

/* Reads a line. Until the description is complete, the line is a part of the
 * description. Later, the line is an answer. */
static cs_status take(cs_model_hello *h, char *line, cs_error *err)
{
    double number[NUMBERS];
    const char *said, *end = line + strlen(line);
    cs_status status;
    if (!h->ready) {
        status = cs_model_hello_take(h, line, err);
        if (status == CS_OK && h->ready)
            look(h);
    } else {
        status = cs_model_answer_take(line, NUMBERS, number, &said, err);
        if (said && (said < line || said > end))
            fuzz_broken("the message points outside of the line");
    }
    need_reason(status, err);
    return status;
}

static cs_status hear(void *self, char *line, bool *more, cs_error *err)
{
    (void)more;
    return take(self, line, err);
}

static void through_a_pipe(const uint8_t *data, size_t size)
{
    const char *const command[] = {"cat", fuzz_file(data, size), NULL};
    cs_model_hello h = {.param = NULL};
    cs_error err = {0};
    cs_child_process *c;
    const cs_child_listener to = {hear, &h, LINE};
    cs_status status = cs_child_process_start(&c, command, NULL, &err);
    if (status == CS_OK && !cs_child_process_ask(c, "a\n", 2, 10, &to, &err))
        fuzz_broken("reading stopped before the listener was done");
    need_reason(err.status, &err);
    cs_child_process_end(c);
    cs_model_hello_fini(&h);
}

static void one_input(const uint8_t *data, size_t size)
{
    static unsigned long calls;
    cs_model_hello h = {.param = NULL};
    cs_error err = {0};
    char *rest = fuzz_text(data, size), *line;
    while ((line = strsep(&rest, "\n")) && take(&h, line, &err) == CS_OK)
        continue;
    cs_model_hello_fini(&h);
    if (calls++ % SELDOM == 0)
        through_a_pipe(data, size);
}

const fuzz_reader reader_lines = {.read = one_input};
