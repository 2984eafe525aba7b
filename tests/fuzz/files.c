#include "fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/chainscope-fuzz-XXXXXX";
static char *text;

static int remove_one(const char *path, const struct stat *about, int kind,
                      struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static void clean_up(void)
{
    free(text);
    if (chdir("/") == 0)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void enter_folder(void)
{
    static int entered;
    if (entered++)
        return;
    if (!mkdtemp(folder) || chdir(folder) != 0)
        fuzz_broken("cannot create a working folder");
    setenv("HOME", folder, 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_DATA_HOME");
    atexit(clean_up);
}

const char *fuzz_file(const void *data, size_t size)
{
    static const char name[] = "input";
    enter_folder();
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        fuzz_broken("cannot write the input");
    return name;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    enter_folder();
    free(text);
    text = malloc(size + 1);
    if (!text)
        fuzz_broken("out of memory");
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    return text;
}

void fuzz_seal(uint8_t *data, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i + 8 < size; i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; size >= 8 && i < 8; i++)
        data[size - 8 + i] = (uint8_t)(sum >> (8 * i));
}

void fuzz_broken(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}
