/* A line is read once its newline exists; the offset of every 64th row is
 * stored. Each call of cs_tail_look checks that three parts of the file are
 * unchanged: its first bytes, the bytes before the current offset, and the
 * bytes of a rejected line. These checks detect a file that was overwritten, or
 * that was truncated and has grown again. Modification times are not used,
 * since a clock may stop or be set back. */
#include "io/tail.h"

#include "base/hash.h"
#include "base/memory.h"
#include "files/open.h"
#include "io/cmdstan.h"
#include "io/formats/stan_header.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STRIDE = 64, SIGN = 64, CHUNK = 1 << 16, MOST_LINE = 1 << 24 };
/* numbers of bytes compared at each look */
enum { HEAD = 4096, REFUSED = 256 };
enum { NAME = 208, WRONG = 200 };

/* A part of the file: the size and the checksum of this part. */
typedef struct cs_tail_part {
    size_t n;
    uint64_t sum;
} cs_tail_part;

struct cs_tail {
    char *path;           /* path of the file [own] */
    dev_t device;         /* device number of the file that was read */
    ino_t number;         /* inode number of the file that was read */
    uint64_t at, lines;   /* at: number of bytes read; lines: number of lines
                           * read */
    char sign[SIGN];      /* the last bytes that precede offset `at` */
    cs_tail_part head;    /* the first bytes of the file */
    cs_tail_part refused; /* the first bytes of the rejected line at offset
                           * `at` */
    char *names;          /* memory of the column names [own] */
    const char **name;    /* [columns] names of the columns [own] */
    size_t columns;       /* number of columns; 0: the header is incomplete */
    char arm[NAME], model[NAME];
    uint64_t id, seed, rows;
    bool warmup, ended;
    bool binary;   /* true: the rows are doubles, from offset `at` to the end of
                    * the file */
    uint64_t thin; /* thin in the header; 0: not stated */
    uint64_t told; /* number of draws in the header; 0: not stated, or the
                    * binary file is not complete */
    char wrong[WRONG];      /* reason why no more lines are read; "": there is
                             * no such reason */
    char unreadable[WRONG]; /* reason why the file cannot be opened; "": the
                             * file was opened */
    bool gone;
    uint64_t *mark; /* [n_marks] offsets of rows 0, 64, 128 ... [own] */
    size_t n_marks, marks_capacity;
    char *
        text; /* [text_capacity] part of the file that is being processed [own] */
    size_t text_capacity;
    /* State of cs_tail_row, which reads rows in order: */
    char *window;                        /* part of the file [own] */
    size_t window_capacity, used, begin; /* used: number of bytes in the window;
                                          * begin: number of these bytes that
                                          * have been returned */
    uint64_t window_at;                  /* offset in the file of the end of the
                                          * window */
    uint64_t next; /* number of the next row in the window */
};

cs_status cs_tail_open(cs_tail **out, const char *path, cs_error *err)
{
    cs_tail *t = cs_alloc(1, sizeof *t);
    if (t)
        t->path = cs_copy_text(path);
    if (t && t->path) {
        *out = t;
        return CS_OK;
    }
    cs_free(t);
    *out = NULL;
    return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
}

void cs_tail_close(cs_tail *t)
{
    if (!t)
        return;
    CS_FREE_ALL(t->path, t->names, t->name, t->mark, t->text, t->window, t);
}

/* Returns the number of draws that the header of another program promises: one
 * of `thin` samples is written. */
static uint64_t planned(const cs_tail *t)
{
    uint64_t thin = t->thin ? t->thin : 1;
    return *t->arm ? 0 : t->told / thin + (t->told % thin != 0);
}

cs_tail_view cs_tail_now(const cs_tail *t)
{
    return (cs_tail_view){.path = t->path,
                          .arm = t->arm,
                          .model = t->model,
                          .name = t->name,
                          .columns = t->columns,
                          .id = t->id,
                          .seed = t->seed,
                          .rows = t->rows,
                          .planned = planned(t),
                          .ended = t->ended,
                          .complete = t->binary || t->ended,
                          .wrong = *t->wrong ? t->wrong : NULL,
                          .unreadable = *t->unreadable ? t->unreadable : NULL,
                          .gone = t->gone};
}

/* ---- lines ---- */

/* Returns VALUE of the line "#  KEY = VALUE", in which any number of blanks may
 * follow #. */
static const char *value_of(const char *line, const char *key)
{
    size_t n = strlen(key);
    line += strspn(line, "# ");
    return strncmp(line, key, n) == 0 && strncmp(line + n, " = ", 3) == 0
               ? line + n + 3
               : NULL;
}

static void take_text(const char *line, const char *key, char to[NAME])
{
    const char *value = value_of(line, key);
    if (value && !*to)
        snprintf(to, NAME, "%s", value);
}

static void take_number(const char *line, const char *key, uint64_t *to)
{
    const char *value = value_of(line, key);
    if (value && !*to && *value >= '0' && *value <= '9')
        *to = strtoull(value, NULL, 10);
}

/* Rejects files of CmdStan's other methods. Such files have the same form, but
 * their rows are not draws of a chain. A file without a method is treated as
 * draws. */
static void refuse_method(cs_tail *t, const char *line)
{
    cs_word_span method =
        cs_stan_other_method((cs_word_span){line, line + strlen(line)});
    int n = (int)(method.end - method.at < 40 ? method.end - method.at : 40);
    if (n)
        snprintf(t->wrong, sizeof t->wrong,
                 "its method is %.*s, not sample: its rows are not draws of a "
                 "Markov chain",
                 n, method.at);
}

static void take_comment(cs_tail *t, const char *line)
{
    static const char elapsed[] = "Elapsed Time";
    const char *words = line + strspn(line, "# ");
    t->warmup = cs_cmdstan_is_warmup(line, t->warmup);
    t->ended |= strncmp(words, elapsed, sizeof elapsed - 1) == 0;
    if (t->columns)
        return;
    refuse_method(t, line);
    take_text(line, "model", t->model);
    take_text(line, "arm", t->arm);
    take_number(line, "id", &t->id);
    take_number(line, "seed", &t->seed);
    take_number(line, "num_samples", &t->told);
    take_number(line, "thin", &t->thin);
    t->binary |= !t->columns && cs_cmdstan_is_binary(line);
}

/* Returns the number of fields of line[n]; 0: it contains a zero byte. Counts the
 * commas in bytes, which the compiler adds as vectors, and adds the bytes before
 * they overflow. */
static size_t fields(const char *line, size_t n)
{
    enum { LANES = 32, TURNS = 255 };
    size_t commas = 0, i = 0;
    unsigned char zero[LANES] = {0}, zeros = 0;
    while (n - i >= LANES) {
        unsigned char lane[LANES] = {0};
        for (size_t t = 0; t < TURNS && n - i >= LANES; t++, i += LANES)
            for (size_t k = 0; k < LANES; k++) {
                lane[k] = (unsigned char)(lane[k] + (line[i + k] == ','));
                zero[k] = (unsigned char)(zero[k] | (line[i + k] == 0));
            }
        for (size_t k = 0; k < LANES; k++)
            commas += lane[k];
    }
    for (size_t k = 0; k < LANES; k++)
        zeros |= zero[k];
    for (; i < n; i++) {
        commas += line[i] == ',';
        zeros |= line[i] == 0;
    }
    return zeros ? 0 : commas + 1;
}

static bool take_names(cs_tail *t, const char *line)
{
    size_t columns = fields(line, strlen(line));
    t->names = cs_copy_text(line);
    t->name = cs_alloc(columns, sizeof *t->name);
    if (!t->names || !t->name) {
        cs_free(t->names);
        cs_free(t->name);
        t->names = NULL;
        t->name = NULL;
        return false;
    }
    char *at = t->names;
    for (size_t k = 0; k < columns; k++) {
        t->name[k] = at;
        at += strcspn(at, ",");
        *at++ = 0;
    }
    t->columns = columns;
    if (strcmp(t->name[0], "lp__") != 0)
        snprintf(t->wrong, sizeof t->wrong,
                 "its first column is %.40s, not lp__", t->name[0]);
    return true;
}

/* Compares a repeated header, which occurs in concatenated files, with the
 * first header. Both must have the same columns. */
static void compare_names(cs_tail *t, const char *line)
{
    bool same = fields(line, strlen(line)) == t->columns;
    for (size_t k = 0; same && k < t->columns; k++) {
        size_t n = strcspn(line, ",");
        same = strlen(t->name[k]) == n && memcmp(t->name[k], line, n) == 0;
        line += n + (line[n] == ',');
    }
    if (!same)
        snprintf(t->wrong, sizeof t->wrong,
                 "the header in line %llu differs from the first header",
                 (unsigned long long)t->lines + 1);
}

static void refuse_zero(cs_tail *t)
{
    snprintf(t->wrong, sizeof t->wrong, "line %llu contains a zero byte",
             (unsigned long long)t->lines + 1);
}

/* Processes a row of n bytes. */
static bool take_row(cs_tail *t, const char *line, size_t n)
{
    size_t found = fields(line, n);
    if (found == 0) {
        refuse_zero(t);
        return true;
    }
    if (found != t->columns) {
        snprintf(
            t->wrong, sizeof t->wrong,
            "line %llu is damaged: it has %zu fields, but the header has %zu",
            (unsigned long long)t->lines + 1, found, t->columns);
        return true;
    }
    if (t->rows % STRIDE == 0 && t->rows / STRIDE == t->n_marks) {
        if (!CS_GROW(t->mark, t->n_marks, t->marks_capacity, 1))
            return false;
        t->mark[t->n_marks++] = t->at;
    }
    t->ended = false;
    t->rows++;
    return true;
}

/* Processes a line without its newline; returns false if memory runs out. */
static bool take_line(cs_tail *t, char *line, size_t n)
{
    if (n && line[n - 1] == '\r')
        line[--n] = 0;
    bool row = t->columns && *line && *line != '#' && !t->warmup &&
               strncmp(line, "lp__", 4) != 0;
    if (row)
        return take_row(t, line, n);
    if (memchr(line, 0, n))
        refuse_zero(t);
    else if (*line == '#')
        take_comment(t, line);
    else if (t->columns == 0)
        return *line == 0 || take_names(t, line);
    else if (strncmp(line, "lp__", 4) == 0)
        compare_names(t, line);
    return true;
}

/* Returns true if no more lines need to be read. */
static bool is_enough(const cs_tail *t, bool head)
{
    return *t->wrong || ((head || t->binary) && t->columns);
}

/* Processes the complete lines of text[n], which starts at offset t->at. If
 * `head` is true, stops after the header. Returns the number of bytes
 * processed. */
static size_t take_lines(cs_tail *t, size_t n, bool head)
{
    size_t done = 0;
    while (!is_enough(t, head)) {
        char *line = t->text + done;
        char *end = memchr(line, '\n', n - done);
        if (!end)
            break;
        *end = 0;
        bool taken = take_line(t, line, (size_t)(end - line));
        *end = '\n';
        if (!taken || *t->wrong)
            break;
        t->lines++;
        t->at += (size_t)(end + 1 - line);
        done = (size_t)(end + 1 - t->text);
    }
    return done;
}

/* ---- looking ---- */

static bool read_at(int fd, uint64_t at, char *to, size_t n, size_t *got)
{
    ssize_t some = 1;
    for (*got = 0; *got < n && some > 0; *got += some > 0 ? (size_t)some : 0)
        some = pread(fd, to + *got, n - *got, (off_t)(at + *got));
    return some >= 0;
}

/* Computes the checksum of n bytes at offset `at`, or of fewer bytes if the
 * file is shorter. */
static cs_tail_part sum_of(int fd, uint64_t at, size_t n)
{
    char bytes[HEAD];
    size_t got;
    if (!read_at(fd, at, bytes, n, &got))
        got = 0;
    return (cs_tail_part){got, cs_running_sum(CS_DIGEST, bytes, got)};
}

static bool is_part_same(int fd, uint64_t at, cs_tail_part was)
{
    cs_tail_part is = sum_of(fd, at, was.n);
    return was.n == 0 || (is.n == was.n && is.sum == was.sum);
}

/* Returns true if the bytes that were already read are unchanged. */
static bool is_same(const cs_tail *t, int fd, const struct stat *about)
{
    char now[SIGN];
    size_t n = t->at < SIGN ? (size_t)t->at : SIGN, got;
    if (t->head.n == 0)
        return true;
    return about->st_dev == t->device && about->st_ino == t->number &&
           (uint64_t)about->st_size >= t->at &&
           read_at(fd, t->at - n, now, n, &got) && got == n &&
           memcmp(now, t->sign, n) == 0 && is_part_same(fd, 0, t->head) &&
           is_part_same(fd, t->at, t->refused);
}

static void sign(cs_tail *t, int fd)
{
    size_t n = t->at < SIGN ? (size_t)t->at : SIGN, got;
    if (!read_at(fd, t->at - n, t->sign, n, &got) || got < n)
        memset(t->sign, 0,
               n); /* the file was just truncated; the next call of cs_tail_look
                    * detects this */
    if (t->head.n < HEAD)
        t->head = sum_of(fd, 0, HEAD);
    if (*t->wrong && t->refused.n == 0)
        t->refused = sum_of(fd, t->at, REFUSED);
}

/* Frees the extra memory of a very long line. */
static void release_text(cs_tail *t)
{
    cs_free(t->text);
    t->text = NULL;
    t->text_capacity = 0;
}

/* Reads the new lines of the file that are complete. */
static void read_on(cs_tail *t, int fd, bool head)
{
    size_t capacity = CHUNK, got = 0;
    while (!is_enough(t, head)) {
        if (!CS_EXTEND(t->text, 0, t->text_capacity, capacity + 1) ||
            !read_at(fd, t->at, t->text, capacity, &got) || got == 0)
            return;
        size_t done = take_lines(t, got, head);
        if (done == 0 && got < capacity)
            return;
        if (done == 0 && capacity >= MOST_LINE)
            snprintf(t->wrong, sizeof t->wrong, "line %llu is too long",
                     (unsigned long long)t->lines + 1);
        else if (done == 0)
            capacity *= 4;
    }
}

static void count_binary(cs_tail *t, uint64_t bytes)
{
    /* the size may be older than the bytes that were read */
    bytes = bytes > t->at ? bytes - t->at : 0;
    t->rows = bytes / (t->columns * sizeof(double));
    t->ended = t->told > 0 && t->told <= t->rows;
}

/* Reads new content of an unchanged file. */
static cs_tail_news look_on(cs_tail *t, int fd, const struct stat *about,
                            bool head)
{
    uint64_t before = t->at, rows = t->rows;
    t->device = about->st_dev;
    t->number = about->st_ino;
    read_on(t, fd, head);
    if (t->binary && t->columns && !head && !*t->wrong)
        count_binary(t, (uint64_t)about->st_size);
    release_text(t);
    sign(t, fd);
    return t->at > before || t->rows > rows || *t->wrong ? CS_TAIL_GREW
                                                         : CS_TAIL_SAME;
}

/* Handles a file that could not be opened; errno has the reason. Reports
 * nothing if the reason is that this process lacks resources. */
static cs_tail_news refuse(cs_tail *t)
{
    int why = errno;
    struct stat about;
    bool link = lstat(t->path, &about) == 0 && S_ISLNK(about.st_mode);
    if (why == EMFILE || why == ENFILE || why == ENOMEM || why == EINTR)
        return CS_TAIL_SAME;
    t->gone = (why == ENOENT || why == ENOTDIR) && !link;
    if (t->gone)
        snprintf(t->unreadable, WRONG, "is gone");
    else if (why == ENOENT || why == ENOTDIR)
        snprintf(t->unreadable, WRONG, "is a link to a missing file");
    else if (why == ELOOP)
        snprintf(t->unreadable, WRONG, "is a link to itself");
    else if (why == EISDIR)
        snprintf(t->unreadable, WRONG, "is a folder");
    else if (why == ESPIPE || why == ENXIO)
        snprintf(t->unreadable, WRONG, "is not a regular file");
    else
        snprintf(t->unreadable, WRONG, "cannot be read: %s", strerror(why));
    return t->head.n ? CS_TAIL_GONE : CS_TAIL_SAME;
}

static cs_tail_news look(cs_tail *t, bool head)
{
    struct stat about;
    cs_tail_news news = CS_TAIL_SAME;
    int fd = cs_open_read(t->path, NULL);
    if (fd < 0)
        return refuse(t);
    *t->unreadable = 0;
    t->gone = false;
    if (fstat(fd, &about) != 0)
        news = refuse(t);
    else if (!is_same(t, fd, &about))
        news = CS_TAIL_CUT;
    else if ((uint64_t)about.st_size > t->at && !*t->wrong)
        news = look_on(t, fd, &about, head);
    close(fd);
    return news;
}

cs_tail_news cs_tail_look(cs_tail *t)
{
    return look(t, false);
}

void cs_tail_head(cs_tail *t)
{
    look(t, true);
}

/* ---- rows ---- */

/* Opens the file again, so that rows that cs_tail_look has found can be read.
 * Fails if another file has replaced it. */
static int open_same(const cs_tail *t)
{
    struct stat about;
    int fd = cs_open_read(t->path, NULL);
    if (fd >= 0 && (fstat(fd, &about) != 0 || about.st_dev != t->device ||
                    about.st_ino != t->number)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Reads more of the file into the window, after the bytes that were not yet
 * returned. */
static bool fill(cs_tail *t, size_t wanted)
{
    size_t left = t->used - t->begin, got;
    uint64_t most = t->at - t->window_at;
    if (most == 0)
        return false;
    if (t->begin)
        memmove(t->window, t->window + t->begin, left);
    t->begin = 0;
    t->used = left;
    if (!CS_EXTEND(t->window, left, t->window_capacity, wanted + 1))
        return false;
    int fd = open_same(t);
    if (fd < 0)
        return false;
    bool good = read_at(fd, t->window_at, t->window + left,
                        most < wanted ? (size_t)most : wanted, &got);
    close(fd);
    t->used += good ? got : 0;
    t->window_at += good ? got : 0;
    return good && got > 0;
}

/* Returns the number of bytes to read at once: more for large files, since each
 * call of `fill` opens the file. */
static size_t window_of(const cs_tail *t)
{
    enum { LEAST = CHUNK / 4, MOST = 2 * CHUNK, PARTS = 1024 };
    uint64_t part = t->at / PARTS;
    return part < LEAST ? LEAST : part < MOST ? (size_t)part : MOST;
}

/* Returns the next line, with a zero in place of its newline or CR and newline. */
static char *next_line(cs_tail *t)
{
    size_t looked = 0, wanted = window_of(t);
    for (;;) {
        char *line = t->window ? t->window + t->begin : NULL, *end = NULL;
        if (t->used > t->begin + looked)
            end = memchr(line + looked, '\n', t->used - t->begin - looked);
        if (end) {
            *end = 0;
            if (end > line && end[-1] == '\r')
                end[-1] = 0;
            t->begin = (size_t)(end + 1 - t->window);
            return line;
        }
        looked = t->used - t->begin;
        if (!fill(t, wanted))
            return NULL;
        wanted *= 2;
    }
}

/* Returns the next line that contains a row. */
static char *next_row(cs_tail *t)
{
    char *line;
    while ((line = next_line(t)))
        if (*line && *line != '#' && strncmp(line, "lp__", 4) != 0) {
            t->next++;
            return line;
        }
    return NULL;
}

/* Reads a row of doubles. The window has the rows from number `next` on. */
static bool binary_row(cs_tail *t, uint64_t i, double *row)
{
    size_t bytes = t->columns * sizeof *row;
    if (i < t->next || i - t->next >= t->used / bytes) {
        size_t some = bytes < CHUNK / 2 ? CHUNK / 2 / bytes * bytes : bytes;
        t->next = i;
        t->used = 0;
        if (!CS_EXTEND(t->window, 0, t->window_capacity, some))
            return false;
        int fd = open_same(t);
        bool good = fd >= 0 &&
                    read_at(fd, t->at + i * bytes, t->window, some, &t->used);
        if (fd >= 0)
            close(fd);
        if (!good || t->used < bytes) {
            t->used = 0;
            return false;
        }
    }
    memcpy(row, t->window + (i - t->next) * bytes, bytes);
    return true;
}

bool cs_tail_row(cs_tail *t, uint64_t i, double *row)
{
    if (i >= t->rows)
        return false;
    if (t->binary)
        return binary_row(t, i, row);
    if (i < t->next || i / STRIDE > t->next / STRIDE || t->next == 0) {
        t->begin = t->used = 0;
        t->window_at = t->mark[i / STRIDE];
        t->next = i - i % STRIDE;
    }
    char *line = NULL;
    while (t->next <= i && (line = next_row(t)))
        ;
    if (!line) {
        t->next = 0; /* the next call searches for the row from a stored
                      * offset */
        return false;
    }
    bool good = cs_cmdstan_values(line, row, t->columns);
    if (!good && !*t->wrong)
        snprintf(t->wrong, sizeof t->wrong,
                 "row %llu of its draws has a value that is not a number",
                 (unsigned long long)i + 1);
    return good;
}

bool cs_tail_is_twin(cs_tail *a, cs_tail *b)
{
    if (!a->id || a->id != b->id || a->seed != b->seed)
        return false;
    size_t n = a->columns;
    if (*a->arm || n != b->columns)
        return true;
    double *row = cs_alloc(2 * n, sizeof *row);
    bool same = row && cs_tail_row(a, 0, row) && cs_tail_row(b, 0, row + n) &&
                memcmp(row, row + n, n * sizeof *row) == 0;
    cs_free(row);
    return same;
}
