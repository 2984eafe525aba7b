#include "io/remote.h"

#include "io/formats/gather_files.h"

#include <sys/vfs.h>

bool cs_remote_is(const char *folder)
{
    static const unsigned long kinds[] = {0x6969 /* nfs */,
                                          0x517b /* smb */,
                                          0xff534d42 /* cifs */,
                                          0xfe534d42 /* smb 2 */,
                                          0x65735546 /* fuse */,
                                          0x0bd00bd0 /* lustre */,
                                          0x47504653 /* gpfs */,
                                          0x00c36400 /* ceph */,
                                          0x5346414f /* afs */,
                                          0x01021997 /* 9p */,
                                          0x19830326 /* beegfs */};
    struct statfs about;
    /* a change of a linked file causes no notification for the folder */
    bool is = cs_gather_is(folder);
    if (is || statfs(folder, &about) != 0)
        return is;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        is |= ((unsigned long)about.f_type & 0xffffffff) == kinds[i];
    return is;
}
