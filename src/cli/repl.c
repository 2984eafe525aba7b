/* chainscope repl: a prompt for Lua. This process owns the terminal and
 * readline, and the session's process runs Lua. A chunk that hangs or crashes
 * therefore ends neither the prompt nor the terminal. Input from a pipe is run
 * chunk by chunk; only the output of the chunks is printed. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "console/prompt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

typedef struct repl {
    cs_client *client;
    bool terminal; /* true if stdin and stdout are terminals */
    bool cleans;   /* true if stdout is a terminal, so that escape sequences are
                    * removed */
    int signals;   /* descriptor of a signalfd */
    int stop;      /* signal that ends the program; 0: none */
    bool asked;    /* true if Ctrl-C was pressed */
    bool over;     /* true if the session has ended or was asked to end */
    bool failed;   /* true if a chunk has failed */
    char *chunk;   /* lines of the current chunk, joined [own] */
    size_t size;
    /* for a pipe: number of lines read before this chunk */
    unsigned long lines;
} repl;

/* ---- signals ------------------------------------------------------------ */

static const int wanted[] = {SIGINT, SIGTSTP, SIGWINCH, SIGTERM, SIGHUP};
/* number of signals that this file handles while it reads a pipe; they are the
 * first in `wanted`, and cli/line/stop.h handles all others */
enum { OF_PIPES = 3 };

static int listen_to_signals(bool terminal)
{
    sigset_t set;
    sigemptyset(&set);
    size_t n = terminal ? sizeof wanted / sizeof *wanted : OF_PIPES;
    for (size_t i = 0; i < n; i++)
        sigaddset(&set, wanted[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void take_signals(repl *r, bool editing)
{
    struct signalfd_siginfo info;
    while (read(r->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int number = (int)info.ssi_signo;
        if (number == SIGINT) {
            r->asked = true;
        } else if (number == SIGWINCH) {
            if (editing)
                cs_prompt_resize();
        } else if (number == SIGTSTP) {
            if (editing)
                cs_prompt_suspend();
            raise(SIGSTOP);
            if (editing)
                cs_prompt_resume();
        } else {
            r->stop = number;
        }
    }
    if (cs_stop_signal())
        r->stop = cs_stop_signal();
}

/* ---- output of the session ---------------------------------------------- */

/* Prints text. On a terminal, control characters are removed, since the output
 * of scripts and file names may contain escape sequences. */
static void show(const repl *r, const char *text, size_t n)
{
    if (r->cleans)
        cs_text_write(text, n, stdout);
    else
        fwrite(text, 1, n, stdout);
}

static void complain(repl *r, const char *text)
{
    fflush(stdout);
    cs_text_write(text, strlen(text), stderr);
    fputc('\n', stderr);
    r->failed = true;
}

static void say_gone(repl *r)
{
    char why[160];
    if (cs_client_alive(r->client, why, sizeof why))
        snprintf(why, sizeof why, "the session has ended");
    r->over = true;
    complain(r, why);
}

/* Waits for the reply `id` and prints the messages that precede it. Returns
 * NULL if the session has ended. The first two times that the user presses
 * Ctrl-C, the session is interrupted; the third time, it is killed. */
static const cs_message *wait_reply(repl *r, uint32_t id)
{
    int times = 0, fd[2];
    r->asked = false;
    for (;;) {
        bool alive = cs_client_alive(r->client, NULL, 0);
        const cs_message *m = cs_client_reply(r->client);
        if (m && m->id == id && !m->part)
            return m;
        if (m && m->id == id)
            show(r, (const char *)m->body, m->size);
        if (m)
            continue;
        fflush(stdout);
        if (!alive || r->stop)
            return NULL;
        cs_client_fds(r->client, fd);
        struct pollfd p[] = {{.fd = fd[0], .events = POLLIN},
                             {.fd = fd[1], .events = POLLIN},
                             {.fd = r->signals, .events = POLLIN}};
        poll(p, 3, 1000);
        cs_client_calm(r->client);
        take_signals(r, false);
        if (!r->asked)
            continue;
        r->asked = false;
        if (++times == 2)
            complain(r, "the chunk does not stop; press Ctrl-C again to end "
                        "the session");
        if (times < 3)
            cs_client_interrupt(r->client);
        else
            cs_client_close(r->client, 0);
    }
}

static const cs_message *ask(repl *r, const char *word, const char *rest)
{
    static uint32_t id;
    cs_error err;
    size_t size = strlen(word) + strlen(rest) + 2;
    char *line = cs_alloc(1, size);
    cs_status status = CS_MEMORY;
    if (line) {
        snprintf(line, size, "%s%s%s", word, *word ? " " : "", rest);
        status = cs_client_send(r->client, line, ++id, &err);
        cs_free(line);
    }
    if (status == CS_OK) {
        const cs_message *m = wait_reply(r, id);
        if (!m && !r->stop)
            say_gone(r);
        return m;
    }
    complain(r, line ? err.what : cs_status_text(CS_MEMORY));
    r->over = !cs_client_alive(r->client, NULL, 0);
    return NULL;
}

/* ---- lines -------------------------------------------------------------- */

/* Adds a line to the chunk. For a pipe, the chunk starts with one empty line
 * for each line read before, so that errors report the right line number. */
static bool add_line(repl *r, const char *line)
{
    size_t n = strlen(line), pad = 0;
    if (!r->chunk && !r->terminal)
        pad = r->lines < CS_WIRE_BYTES / 2 ? r->lines : 0;
    char *longer = cs_resize(r->chunk, r->size, r->size + pad + n + 2);
    if (!longer) {
        complain(r, cs_status_text(CS_MEMORY));
        return false;
    }
    memset(longer + r->size, '\n', pad);
    if (r->size) {
        longer[r->size - 1] = '\n'; /* replaces the terminating zero */
    }
    memcpy(longer + r->size + pad, line, n + 1);
    r->chunk = longer;
    r->size += pad + n + 1;
    return true;
}

static void forget_chunk(repl *r)
{
    cs_free(r->chunk);
    r->chunk = NULL;
    r->size = 0;
}

/* Runs the chunk. If the chunk is incomplete and more lines may follow
 * (`more`), keeps the chunk instead. */
static void run_chunk(repl *r, bool more)
{
    const cs_message *m = ask(r, "chunk", r->chunk);
    if (m && m->status == CS_INPUT && more)
        return;
    forget_chunk(r);
    if (!m)
        return;
    if (m->status)
        complain(r, (const char *)m->body);
    else
        show(r, (const char *)m->body, m->size);
    fflush(stdout);
}

/* Runs a command of the session, such as ":summary" or ":set a.step 0.2". */
static void run_command(repl *r, const char *line)
{
    const cs_message *m = ask(r, "", line);
    if (!m)
        return;
    if (strncmp(line, "quit", 4) == 0)
        r->over = true;
    if (m->status)
        complain(r, (const char *)m->body);
    else if (!m->table && m->size) {
        show(r, (const char *)m->body, m->size);
        if (m->body[m->size - 1] != '\n')
            putchar('\n');
    }
    fflush(stdout);
}

static void take_line(repl *r, const char *line)
{
    size_t blank = strspn(line, " \t\r");
    if (!r->chunk && !line[blank])
        return;
    if (!r->chunk && line[blank] == ':' && line[blank + 1] != ':')
        run_command(r, line + blank + 1);
    else if (add_line(r, line))
        run_chunk(r, true);
}

/* ---- from a pipe -------------------------------------------------------- */

static void read_pipe(repl *r)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n;
    unsigned long count = 0;
    while (!r->over && !cs_stop_signal() && !r->stop &&
           (n = getline(&line, &capacity, stdin)) >= 0) {
        if (n && line[n - 1] == '\n')
            line[n - 1] = 0;
        if (!r->chunk)
            r->lines = count;
        count++;
        if (count == 1 && line[0] == '#')
            continue; /* line skipped: it starts with #! */
        take_line(r, line);
    }
    free(line);
    if (r->chunk && !r->over && !cs_stop_signal())
        run_chunk(r, false);
}

/* ---- from a terminal ---------------------------------------------------- */

/* Completes a line. While a line is edited the session is idle, so the session
 * answers at once. */
static void complete(void *self, const char *line, cs_prompt_offer *offer,
                     void *to)
{
    repl *r = self;
    cs_flat_entry e;
    size_t at = 0;
    const cs_message *m = ask(r, "complete", line);
    /* true if the word to complete is the name of a command after a colon */
    bool name = *line == ':' && !strchr(line, ' ');
    while (m && m->table && cs_flat_next(m->body, m->size, &at, &e)) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", name ? ":" : "",
                 e.text ? e.text : "");
        offer(to, text);
    }
}

/* Waits for keys, for signals and for the end of the session. Returns true when
 * a line is complete. */
static bool edit(repl *r, char **line)
{
    int fd[2];
    cs_prompt_begin(r->chunk ? ">> " : "> ");
    r->asked = false;
    while (!r->over && !r->stop && !r->asked) {
        cs_client_fds(r->client, fd);
        struct pollfd p[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = r->signals, .events = POLLIN},
                             {.fd = fd[1], .events = 0}};
        if (poll(p, 3, -1) < 0 && errno != EINTR)
            break;
        take_signals(r, true);
        if (r->asked || r->stop)
            break;
        if ((p[0].revents & (POLLIN | POLLHUP)) && cs_prompt_read(line))
            return true;
        if (p[2].revents) {
            cs_prompt_end();
            putchar('\n');
            say_gone(r);
        }
    }
    if (r->asked)
        cs_prompt_clear();
    cs_prompt_end();
    return false;
}

static void read_terminal(repl *r)
{
    char *line;
    printf("chainscope %s: the library is cs; type :help for the commands\n",
           CS_VERSION);
    cs_prompt_open("lua_history", complete, r);
    while (!r->over && !r->stop) {
        line = NULL;
        if (!edit(r, &line)) {
            forget_chunk(r);
            continue;
        }
        if (!line)
            break;
        take_line(r, line);
        free(line);
    }
    cs_prompt_close();
    if (!r->over && !r->stop)
        putchar('\n');
}

/* ---- the sub-command ---------------------------------------------------- */

static int serve(repl *r, const cs_args *args)
{
    cs_error err;
    if (args->n_words && cs_front_open(r->client, args, NULL, &err))
        return cs_complain(&err);
    r->cleans = isatty(STDOUT_FILENO);
    r->terminal = isatty(STDIN_FILENO) && r->cleans;
    r->signals = listen_to_signals(r->terminal);
    if (r->terminal)
        read_terminal(r);
    else
        read_pipe(r);
    forget_chunk(r);
    if (r->stop)
        cs_stop_take(r->stop);
    cs_stop_say("before the end of the input");
    bool lost = r->over && cs_client_exit_code(r->client) != 0;
    return lost || (r->failed && !r->terminal) ? CS_EXIT_FAILED : CS_EXIT_OK;
}

static int main_repl(const cs_args *args)
{
    cs_error err;
    repl r = {.signals = -1};
    cs_front_options options = {.seconds = 1e9};
    if (cs_front_read(args, &options, &err) ||
        cs_front_create(&r.client, &options, &err))
        return cs_complain(&err);
    int code = serve(&r, args);
    cs_client_close(r.client, 3000);
    cs_client_destroy(r.client);
    return code;
}

static const cs_option options[] = {
    {"set", "ARM.PARAM=V", "change a parameter of FILE; may be repeated"},
    {"memory", "MIB", "memory limit of targets and runs (2048)"},
    {"trust", NULL, "allow all of Lua (io, os, modules), also in scenarios"},
};

const cs_subcommand cs_subcommand_repl = {
    .name = "repl",
    .args = "[FILE] [--trust]",
    .help = "open a Lua prompt with the library loaded as cs",
    .more =
        "FILE is opened as the variable run. A line that starts with a colon "
        "is a\n"
        "command of the session (:help lists them); Ctrl-C interrupts, Ctrl-D\n"
        "exits. Input from a pipe is run chunk by chunk.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .main = main_repl,
};
