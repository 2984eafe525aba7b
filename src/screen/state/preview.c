#include "screen/state/preview.h"

#include "base/hash.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/folders.h"
#include "files/open.h"
#include "session/client/shell_words.h"

#include <assert.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCENARIO_MOST = 1 << 20, NICE = 10 };
/* seconds for which a row must have been chosen before its picture is made */
#define REST 0.15
/* Limits for making a picture. CPU: seconds of processor time, because on a
 * loaded machine a limit on clock time would stop every picture. PATIENCE:
 * seconds of clock time, for a process that only waits. */
enum { CPU = 5, PATIENCE = 60 };

/* ---- cache --------------------------------------------------------------- */

/* Returns true if a scenario's list of panels starts with the lesson: screen =
 * { "lesson", ...} */
static bool begins_with_lesson(const char *text)
{
    const char *at = strstr(text, "screen");
    for (; at; at = strstr(at + 1, "screen")) {
        const char *list = at + 6 + strspn(at + 6, " =");
        if (*list == '{')
            return strncmp(list + 1 + strspn(list + 1, " {\n"), "\"lesson\"",
                           8) == 0;
    }
    return false;
}

/* Finds the path "FOLDER/pictures/PATH_TEXT.txt" with digests of the file's
 * path and text. Returns false if there is no folder or the file cannot be
 * read. */
static bool find_place(const char *file, char *path, size_t size, bool *lesson)
{
    char folder[1024];
    unsigned char *text;
    size_t n;
    if (!cs_folder_cache("pictures", folder, sizeof folder) ||
        /* the path is given as keys to press, where '<' starts the name of a
         * key */
        strchr(folder, '<') ||
        cs_file_read(file, SCENARIO_MOST, &text, &n, NULL))
        return false;
    mkdir(folder, 0700);
    int used =
        snprintf(path, size, "%s/%016llx_%016llx.txt", folder,
                 (unsigned long long)cs_digest(CS_DIGEST, file, strlen(file)),
                 (unsigned long long)cs_digest(CS_DIGEST, text, n));
    *lesson = begins_with_lesson((const char *)text);
    cs_free(text);
    return used > 0 && (size_t)used < size;
}

/* Removes pictures of earlier versions of the same file. */
static void forget_older(const char *kept)
{
    char folder[1200], path[1500];
    const char *name = strrchr(kept, '/') + 1;
    size_t n = strcspn(name, "_");
    snprintf(folder, sizeof folder, "%.*s", (int)(name - 1 - kept), kept);
    DIR *d = cs_open_list(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, name, n) != 0 || strcmp(e->d_name, name) == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
}

static bool read_picture(const char *kept, char *text)
{
    unsigned char *bytes;
    size_t n;
    if (access(kept, R_OK) != 0 ||
        cs_file_read(kept, CS_PREVIEW_BYTES - 1, &bytes, &n, NULL))
        return false;
    memcpy(text, bytes, n + 1);
    cs_free(bytes);
    return true;
}

/* ---- making a picture ---------------------------------------------------- */

static void make(cs_preview *p, double now)
{
    char quoted[1400], keys[1500], size[32];
    snprintf(size, sizeof size, "%dx%d", CS_PREVIEW_WIDTH,
             /* the frame has 3 more lines: title, tabs and message */
             CS_PREVIEW_HEIGHT + 3);
    p->done = true;
    if (!cs_words_quote(p->kept, quoted, sizeof quoted))
        return;
    snprintf(keys, sizeof keys, "%s:screenshot panel %s force<enter>",
             p->lesson ? "<tab>" : "", quoted);
    char *const argv[] = {(char[]){"chainscope"},
                          (char[]){"shot"},
                          p->file,
                          (char[]){"--size"},
                          size,
                          (char[]){"--steps"},
                          (char[]){"300"},
                          (char[]){"--keys"},
                          keys,
                          (char[]){"-o"},
                          (char[]){"/dev/null"},
                          NULL};
    p->made = now;
    p->done = !cs_helper_start(&p->maker, argv, NICE, CPU);
    if (!p->done)
        forget_older(p->kept);
}

void cs_preview_stop(cs_preview *p)
{
    cs_helper_stop(&p->maker);
}

/* ---- states of a preview ------------------------------------------------- */

void cs_preview_want(cs_preview *p, const char *file, double now)
{
    assert(p && file);
    if (strcmp(p->file, file) == 0)
        return;
    cs_preview_stop(p);
    snprintf(p->file, sizeof p->file, "%s", file);
    *p->kept = 0;
    p->since = now;
    p->done = *file == 0;
}

/* Looks for the picture immediately. If it does not exist, makes it once the
 * row has been chosen for REST seconds. */
static bool begin(cs_preview *p, double now, char *text, double *again)
{
    if (!*p->kept &&
        !find_place(p->file, p->kept, sizeof p->kept, &p->lesson)) {
        p->done = true;
        return false;
    }
    if (read_picture(p->kept, text)) {
        p->done = true;
        return true;
    }
    *again = fmax(p->since + REST - now, 0);
    if (now >= p->since + REST) {
        make(p, now);
        *again = p->done ? -1 : PATIENCE;
    }
    return false;
}

bool cs_preview_tend(cs_preview *p, double now, char *text, double *again)
{
    *again = -1;
    *text = 0;
    if (p->done)
        return false;
    if (!p->maker.id)
        return begin(p, now, text, again);
    bool made = cs_helper_is_over(&p->maker);
    *again = p->made + PATIENCE - now;
    if (!made && *again > 0)
        return false;
    *again = -1;
    p->done = true;
    cs_preview_stop(p);
    return made && read_picture(p->kept, text);
}
