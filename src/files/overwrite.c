#include "files/overwrite.h"

#include "files/open.h"
#include "files/replace.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 1024 };

/* The kinds of files. A file belongs to a kind under two conditions: it begins
 * with `begins`, and its first bytes contain at least one string of the
 * NULL-terminated list `holds`. */
static const struct kind {
    const char *name, *ending, *begins, *holds[5];
} kinds[CS_OUTPUT_KINDS] = {
    [CS_OUTPUT_PAGE] = {"an HTML page of Chainscope",
                        ".html",
                        "<!DOCTYPE html>\n<html lang=\"en\"><head>"
                        "<meta charset=\"utf-8\">",
                        {"body { font: 16px/1.5 sans-serif;"}},
    [CS_OUTPUT_SVG] = {"an SVG picture of Chainscope",
                       ".svg",
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"",
                       {"<g font-family=\"DejaVu Sans Mono, Menlo, Consolas"}},
    [CS_OUTPUT_FRAME] = {"a picture of the screen",
                         ".txt",
                         " ",
                         {"\xe2\x94\x80\xe2\x94\x80", "+--", "? help"}},
    [CS_OUTPUT_ANSI] = {"a picture of the screen", ".ans", "\033[", {"m"}},
    [CS_OUTPUT_JSON] = {"a table of Chainscope as JSON",
                        ".json",
                        "{\n  \"version\": \"",
                        {"\n  \"points\": ", "\n  \"quantities\": ",
                         "\n  \"scenarios\": "}},
    [CS_OUTPUT_MARKDOWN] = {"a table of Chainscope as Markdown",
                            ".md",
                            "#",
                            {"# Parameter sweep\n",
                             "# Simulation-based calibration\n",
                             "+- is one standard error",
                             "<!-- a hand-out of Chainscope -->"}},
    [CS_OUTPUT_CSV] = {"a table of Chainscope as CSV",
                       ".csv",
                       "",
                       {"arm,work,", "arm,quantity,p,mean,",
                        "scenario,arm,figure,paper,"}},
    [CS_OUTPUT_TABLE] = {"a table of Chainscope as text",
                         ".txt",
                         "",
                         {"+- is one standard error", "ranks among "}},
    [CS_OUTPUT_MODEL] = {"a model of Chainscope",
                         "",
                         "# chainscope train ",
                         {": "}},
    [CS_OUTPUT_RECORDING] = {"a recording of Chainscope",
                             ".cast",
                             "{\"version\": 2, ",
                             {"\"chainscope\": "}},
    [CS_OUTPUT_CHECKPOINT] = {"a saved run", ".checkpoint", "CSKEPT", {""}},
    [CS_OUTPUT_DRAWS] = {"a file of draws", "", "# stan_version_major", {""}},
    [CS_OUTPUT_SUMMARY] = {"a run's summary", "", "{", {"\"arms\""}},
};

cs_output_kind cs_output_of(const char *path, cs_output_kind other)
{
    const char *dot = strrchr(path, '.');
    for (int k = 0; dot && k < CS_OUTPUT_KINDS; k++)
        if (*kinds[k].ending && strcmp(dot, kinds[k].ending) == 0)
            return (cs_output_kind)k;
    return other;
}

/* Returns true if the first bytes of a file match kind k. */
static bool is_of(const struct kind *k, const char *head)
{
    if (strncmp(head, k->begins, strlen(k->begins)) != 0)
        return false;
    for (size_t i = 0; k->holds[i]; i++)
        if (strstr(head, k->holds[i]))
            return true;
    return false;
}

static bool read_head(const char *path, char head[HEAD + 1])
{
    int fd = cs_open_read(path, NULL);
    if (fd < 0)
        return false;
    ssize_t n = pread(fd, head, HEAD, 0);
    close(fd);
    head[n > 0 ? n : 0] = 0;
    return n >= 0;
}

/* Returns true if the path is the checkpoint in the folder of a completed
 * run. */
static bool is_of_a_run(const char *path)
{
    char beside[CS_REPLACE_PATH];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(name, "checkpoint") != 0)
        return false;
    int n = snprintf(beside, sizeof beside, "%.*ssummary.json",
                     (int)(name - path), path);
    return n < (int)sizeof beside && access(beside, F_OK) == 0;
}

static cs_status refuse(const char *path, const char *why, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s already exists %s", path, why);
    cs_hint(err, "choose another name or remove the file");
    return CS_INPUT;
}

cs_status cs_output_allow(const char *path, cs_output_kind kind,
                          const char *const *read, size_t n, cs_error *err)
{
    struct stat there, other;
    char head[HEAD + 1], why[120];
    if (stat(path, &there) == 0 && S_ISREG(there.st_mode)) {
        for (size_t i = 0; i < n; i++)
            if (read[i] && stat(read[i], &other) == 0 &&
                other.st_dev == there.st_dev && other.st_ino == there.st_ino)
                return refuse(path, "and is an input file", err);
        snprintf(why, sizeof why, "and is not %s", kinds[kind].name);
        if (there.st_size > 0 &&
            (!read_head(path, head) || !is_of(&kinds[kind], head)))
            return refuse(path, why, err);
        if (is_of_a_run(path))
            return refuse(path, "and belongs to the draws in its folder", err);
    }
    return cs_file_can_replace(path, err);
}
