#include "files/temporary.h"

#include "files/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

const char *cs_temporary_place(void)
{
    const char *in = getenv("TMPDIR");
    return in && *in ? in : "/tmp";
}

cs_status cs_temporary_folder(char *path, size_t size, cs_error *err)
{
    const char *in = cs_temporary_place();
    int n = snprintf(path, size, "%s/chainscope-XXXXXX", in);
    if (n > 0 && n < (int)size && mkdtemp(path))
        return CS_OK;
    cs_fail(err, CS_IO, "a temporary folder cannot be created in %.200s", in);
    cs_hint(err, "set TMPDIR to a folder with free space");
    *path = 0;
    return CS_IO;
}

cs_status cs_temporary_link(const char *path, const char *link, cs_error *err)
{
    char *whole = realpath(path, NULL);
    bool linked = whole && symlink(whole, link) == 0;
    free(whole);
    return linked ? CS_OK : cs_open_failed(path, "read", err);
}

void cs_temporary_remove(const char *path)
{
    DIR *d = *path ? cs_open_list(path) : NULL;
    for (const struct dirent *e; d && (e = readdir(d));) {
        char one[PATH];
        int n = snprintf(one, sizeof one, "%s/%s", path, e->d_name);
        if (n > 0 && n < PATH && strcmp(e->d_name, ".") != 0 &&
            strcmp(e->d_name, "..") != 0)
            unlink(one);
    }
    if (d)
        closedir(d);
    if (*path)
        rmdir(path);
}
