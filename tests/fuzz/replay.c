/* Replays a reader's corpus. Every file of a folder is read unchanged, then
 * with reproducible random changes. Without arguments, `replay` lists the
 * readers. CMake writes readers.def, with one line READER(NAME) per file
 * fuzz_NAME.c. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILES = 1000, MOST = 1 << 20 };

typedef struct input {
    char name[256];
    uint8_t *data;
    size_t size;
} input;

#define READER(name) extern const fuzz_reader reader_##name;
#include "readers.def"
#undef READER

static const struct {
    const char *name;
    const fuzz_reader *reader;
} readers[] = {
#define READER(name) {#name, &reader_##name},
#include "readers.def"
#undef READER
};

static const fuzz_reader *reader;
static input corpus[FILES];
static size_t n_corpus;

static uint64_t next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void take(const char *folder, const char *name)
{
    char path[512];
    input *in = &corpus[n_corpus];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(in->name, sizeof in->name, "%s", name);
    FILE *f = fopen(path, "rb");
    in->data = malloc(MOST);
    if (!f || !in->data)
        fuzz_broken("cannot read the corpus");
    in->size = fread(in->data, 1, MOST, f);
    fclose(f);
    n_corpus++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const input *)a)->name, ((const input *)b)->name);
}

/* Makes one random change: flips a bit, sets a byte, removes or repeats a
 * piece, or inserts an unusual string. */
static size_t change(uint8_t *data, size_t size, uint64_t *seed)
{
    static const char *const odd[] = {
        "\0",    "-1", "1e999", "nan", "\"", "{", "\xff\xff\xff\xff",
        "\x1b[", "%n"};
    size_t at = size ? next(seed) % size : 0, n = next(seed) % 16 + 1;
    const char *text = odd[next(seed) % (sizeof odd / sizeof *odd)];
    n = n > size - at ? size - at : n;
    switch (next(seed) % 5) {
    case 0:
        if (size)
            data[at] ^= (uint8_t)(1u << next(seed) % 8);
        return size;
    case 1:
        if (size)
            data[at] = (uint8_t)next(seed);
        return size;
    case 2:
        memmove(data + at, data + at + n, size - at - n);
        return size - n;
    case 3:
        memmove(data + at + n, data + at, size - at);
        return size + n;
    default:
        n = strlen(text) + !*text;
        memmove(data + at + n, data + at, size - at);
        memcpy(data + at, text, n);
        return size + n;
    }
}

static void replay_changed(const input *in, uint64_t seed)
{
    size_t size = in->size;
    uint8_t *data = malloc(size + 1024), *exact;
    if (!data)
        fuzz_broken("out of memory");
    memcpy(data, in->data, size);
    for (uint64_t k = next(&seed) % 8 + 1; k; k--)
        size = change(data, size, &seed);
    exact = malloc(size ? size : 1); /* exact size: overruns are detected */
    if (!exact)
        fuzz_broken("out of memory");
    memcpy(exact, data, size);
    reader->read(exact, size);
    free(exact);
    free(data);
}

static void read_corpus(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        fuzz_broken("cannot read the corpus");
    for (struct dirent *e; (e = readdir(folder)) && n_corpus < FILES;)
        if (e->d_name[0] != '.')
            take(path, e->d_name);
    closedir(folder);
    qsort(corpus, n_corpus, sizeof *corpus, by_name);
}

static int replay(const char *path, int changes, double seconds)
{
    clock_t start = clock();
    read_corpus(path);
    if (reader->prepare)
        reader->prepare();
    for (size_t i = 0; i < n_corpus; i++)
        reader->read(corpus[i].data, corpus[i].size);
    int k = 0;
    for (; k < changes; k++)
        for (size_t i = 0; i < n_corpus; i++)
            if ((double)(clock() - start) / CLOCKS_PER_SEC < seconds)
                replay_changed(&corpus[i], (uint64_t)k << 20 | i);
    printf("%zu files, each changed %d times\n", n_corpus, k);
    for (size_t i = 0; i < n_corpus; i++)
        free(corpus[i].data);
    return n_corpus == 0;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (argc < 2)
            puts(readers[i].name);
        else if (strcmp(readers[i].name, argv[1]) == 0)
            reader = readers[i].reader;
    if (argc < 2)
        return 0;
    if (!reader || argc < 3) {
        fprintf(stderr, "usage: replay READER FOLDER [CHANGES [SECONDS]]\n");
        return 2;
    }
    return replay(argv[2], argc > 3 ? atoi(argv[3]) : 0,
                  argc > 4 ? atof(argv[4]) : 1e9);
}
