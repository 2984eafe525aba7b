/* Fuzzes the reader of result files in a sweep's folder. Bits 0 and 1 of the
 * first byte add a correct header and checksum, so that the contents are parsed
 * too. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "cli/many/queue_store.h"
#include "fuzz.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plan[] = "a plan";
static char *head; /* lines before the name in a valid result [own] */

static void must(cs_status s, const cs_error *err)
{
    if (s != CS_OK)
        fuzz_broken(err->what);
}

/* Stores in `head` the first lines of a result file written by the program. */
static void prepare(void)
{
    cs_error err = {0};
    char word[] = "done";
    const cs_result r = {.there = true, .text = word, .seconds = 1};
    fuzz_file("", 0);
    must(cs_store_write(".", plan, 0, 1, "x", &r, &err), &err);
    FILE *file = fopen("job_000001", "rb");
    head = calloc(1, 1000);
    if (!file || !head || !fread(head, 1, 999, file))
        fuzz_broken("cannot read the result");
    fclose(file);
    *strstr(head, "name ") = 0;
}

static void write_again(const cs_result *r)
{
    cs_error err = {0};
    cs_result again;
    must(cs_store_write(".", plan, 0, 1, "x", r, &err), &err);
    must(cs_store_read(".", plan, 0, 1, &again, &err), &err);
    const char *was = r->text ? r->text : r->failure,
               *is = again.text ? again.text : again.failure;
    if (!again.there || !is || strcmp(was, is) != 0 || !r->text != !again.text)
        fuzz_broken("the result changes when written and read again");
    cs_result_fini(&again);
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_page p = {0};
    cs_result r;
    cs_error err = {0};
    if (size == 0)
        return;
    cs_page_put(&p, "%s%.*s", data[0] & 1 ? head : "", (int)size - 1,
                (const char *)data + 1);
    if (data[0] & 2)
        cs_page_put(&p, "sum %016" PRIx64 "\n", cs_checksum(p.text, p.used));
    if (rename(fuzz_file(p.text, p.used), "job_000001") != 0)
        fuzz_broken("cannot rename the input");
    cs_free(p.text);
    if (cs_store_read(".", plan, 0, 1, &r, &err) == CS_OK) {
        if (!r.there || !r.text == !r.failure)
            fuzz_broken("must have either a result or a failure");
        if (!(r.seconds >= 0) || !isfinite(r.seconds))
            fuzz_broken("the elapsed time is negative or not finite");
        write_again(&r);
    } else if (!err.what[0]) {
        fuzz_broken("error without a message");
    }
    cs_result_fini(&r);
}

const fuzz_reader reader_result = {.prepare = prepare, .read = one_input};
