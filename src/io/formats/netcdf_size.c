#include "io/formats/netcdf_size.h"

#include "base/memory.h"
#include "files/open.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 1 << 22 }; /* maximum number of bytes of a header that is read */

/* The unread part of a header. */
typedef struct cursor {
    const unsigned char *at, *end;
    unsigned wide; /* bytes per count: 4, or 8 in CDF-5 */
    bool cut;      /* true if a read was past the end */
    bool wrong;    /* true if the header does not have the expected form */
} cursor;

static uint64_t take(cursor *c, unsigned bytes, bool little)
{
    uint64_t value = 0;
    if ((size_t)(c->end - c->at) < bytes) {
        c->cut = true;
        c->at = c->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)c->at[i] << 8 * (little ? i : bytes - 1 - i);
    c->at += bytes;
    return value;
}

static void skip(cursor *c, uint64_t bytes)
{
    if ((uint64_t)(c->end - c->at) < bytes) {
        c->cut = true;
        bytes = (uint64_t)(c->end - c->at);
    }
    c->at += bytes;
}

/* ---- HDF5 ---- */

/* Returns the end of the file in a superblock (HDF5 File Format Specification
 * 3.0, section II.A); 0: unknown. */
static uint64_t end_of_hdf(cursor *c)
{
    skip(c, 8); /* the signature */
    uint64_t version = take(c, 1, true), bytes;
    if (c->cut || version > 3)
        return 0;
    if (version < 2) {
        skip(c, 4);
        bytes = take(c, 1, true);
        skip(c, version == 0 ? 10 : 14);
    } else {
        bytes = take(c, 1, true);
        skip(c, 2);
    }
    if (bytes < 1 || bytes > 8)
        return 0;
    skip(c, 2 * bytes); /* base address; free space or extension */
    uint64_t end = take(c, (unsigned)bytes, true);
    /* all bits are set if the address is undefined */
    return end == UINT64_MAX >> (64 - 8 * bytes) ? 0 : end;
}

/* ---- classic formats (NetCDF User Guide, File Format Specifications) ---- */

enum { DIMENSION = 10, VARIABLE = 11, ATTRIBUTE = 12 };

static uint64_t take_count(cursor *c)
{
    return take(c, c->wide, false);
}

/* Reads the tag of a list and returns its length. */
static uint64_t take_list(cursor *c, unsigned tag)
{
    uint64_t found = take(c, 4, false), n = take_count(c);
    c->wrong |= !c->cut && found != tag && (found || n);
    return c->cut || c->wrong ? 0 : n;
}

static void skip_padded(cursor *c, uint64_t bytes)
{
    skip(c, bytes > UINT64_MAX - 3 ? bytes : (bytes + 3) / 4 * 4);
}

static uint64_t size_of(uint64_t type)
{
    static const unsigned char bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type < sizeof bytes ? bytes[type] : 0;
}

/* Returns a b, or UINT64_MAX if the product is larger. */
static uint64_t times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void skip_attributes(cursor *c)
{
    uint64_t n = take_list(c, ATTRIBUTE);
    for (uint64_t i = 0; i < n && !c->cut; i++) {
        skip_padded(c, take_count(c));
        uint64_t bytes = size_of(take(c, 4, false));
        skip_padded(c, times(take_count(c), bytes));
    }
}

/* Reads the lengths of the dimensions. Returns NULL if *n is 0, or if memory
 * runs out. [own] */
static uint64_t *take_dimensions(cursor *c, uint64_t *n)
{
    *n = take_list(c, DIMENSION);
    /* a dimension has at least eight bytes */
    if (*n > (uint64_t)(c->end - c->at) / 8)
        c->cut = true;
    uint64_t *length = c->cut || *n == 0 ? NULL : cs_alloc(*n, sizeof *length);
    c->wrong |= !c->cut && *n && !length;
    for (uint64_t i = 0; i < *n && length; i++) {
        skip_padded(c, take_count(c));
        length[i] = take_count(c);
    }
    return length;
}

/* The part of a variable in the file. */
typedef struct extent {
    uint64_t begin, bytes; /* a record variable has `bytes` in each record */
    bool record;
} extent;

static extent take_variable(cursor *c, const uint64_t *dim, uint64_t n_dims)
{
    extent e = {.bytes = 1};
    skip_padded(c, take_count(c));
    uint64_t n = take_count(c);
    for (uint64_t i = 0; i < n && !c->cut; i++) {
        uint64_t at = take_count(c), length = dim && at < n_dims ? dim[at] : 0;
        bool record = i == 0 && length == 0;
        e.record |= record;
        e.bytes = record ? 1 : times(e.bytes, length);
    }
    skip_attributes(c);
    e.bytes = times(e.bytes, size_of(take(c, 4, false)));
    skip(c, c->wide); /* vsize, which overflows for large variables */
    return e;
}

/* The ends of the variables in a file. */
typedef struct ends {
    uint64_t fixed;     /* end of the last variable without records */
    uint64_t record;    /* end of the first record */
    uint64_t stride;    /* bytes from record to record, with padding */
    uint64_t bytes;     /* size of the last record variable in a record */
    uint64_t variables; /* number of record variables */
} ends;

static void add_extent(ends *s, const extent *e)
{
    uint64_t stop = plus(e->begin, e->bytes);
    uint64_t *end = e->record ? &s->record : &s->fixed;
    *end = stop > *end ? stop : *end;
    if (!e->record)
        return;
    s->stride = plus(s->stride, plus(e->bytes, 3) / 4 * 4);
    s->bytes = e->bytes;
    s->variables++;
}

/* Returns the end of the last variable; 0: unknown. */
static uint64_t end_of_classic(cursor *c)
{
    ends s = {0};
    uint64_t n_dims;
    skip(c, 3);
    uint64_t version = take(c, 1, false);
    c->wide = version == 5 ? 8 : 4;
    uint64_t records = take_count(c);
    if (records == UINT64_MAX >> (64 - 8 * c->wide))
        records = 0; /* the number of records is unknown */
    uint64_t *dim = take_dimensions(c, &n_dims);
    skip_attributes(c);
    uint64_t n = take_list(c, VARIABLE);
    for (uint64_t i = 0; i < n && !c->cut; i++) {
        extent e = take_variable(c, dim, n_dims);
        e.begin = take(c, version == 1 ? 4 : 8, false);
        add_extent(&s, &e);
    }
    cs_free(dim);
    /* records of a single variable are not padded */
    uint64_t stride = s.variables == 1 ? s.bytes : s.stride;
    uint64_t last =
        records && s.variables ? plus(s.record, times(stride, records - 1)) : 0;
    return c->wrong ? 0 : last > s.fixed ? last : s.fixed;
}

/* ---- files ---- */

static cs_status refuse(const char *path, uint64_t size, uint64_t end,
                        cs_error *err)
{
    if (end)
        cs_fail(err, CS_INPUT,
                "netCDF: the file is cut: it has %llu of %llu bytes",
                (unsigned long long)size, (unsigned long long)end);
    else
        cs_fail(err, CS_INPUT,
                "netCDF: the file is cut: it ends in its header, after %llu "
                "bytes",
                (unsigned long long)size);
    cs_where(err, path, 0);
    cs_hint(err, "copy it again, or write it again and wait until the program "
                 "that writes it has closed it");
    return CS_INPUT;
}

cs_status cs_netcdf_check_size(const char *path, cs_error *err)
{
    uint64_t size = 0;
    FILE *f = cs_open_stream(path);
    unsigned char *head = f ? cs_alloc(HEAD, 1) : NULL;
    int fd = f ? cs_open_read(path, &size) : -1;
    cs_status status = CS_OK;
    if (!f || fd < 0) {
        status = cs_open_failed(path, "read", err);
    } else if (!head) {
        status = cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    } else {
        size_t n = fread(head, 1, HEAD, f);
        cursor c = {.at = head, .end = head + n, .wide = 4};
        uint64_t end = n > 3 && memcmp(head, "CDF", 3) == 0 ? end_of_classic(&c)
                                                            : end_of_hdf(&c);
        if (c.cut && n == size)
            status = refuse(path, size, 0, err);
        else if (!c.cut && size < end)
            status = refuse(path, size, end, err);
    }
    if (fd >= 0)
        close(fd);
    cs_free(head);
    if (f)
        fclose(f);
    return status;
}
