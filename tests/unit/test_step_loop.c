/* Makes <dlfcn.h> define RTLD_NEXT. */
#define _GNU_SOURCE
/* Tests that the step loop of C targets allocates nothing, takes no lock and
 * makes no system call. The steps are made in a child process, which counts
 * allocations and locks. The operating system kills this process at its first
 * system call. */
#include "support/support.h"

#include "chain/block.h"

#include <dlfcn.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long requests, locks;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

void *malloc(size_t bytes)
{
    requests++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    requests++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t bytes)
{
    requests++;
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    requests++;
    return __libc_memalign(align, bytes);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t *);
    locks++;
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        memcpy(&real, &found, sizeof found);
    }
    return real(mutex);
}

enum { STEPS = 80 };

typedef enum verdict { CLEAN, HEAP, LOCK, CALL } verdict;

/* Makes steps with a schedule for every parameter. Each schedule is constant at
 * the value that the kernel has without schedules. */
static void make_steps(cs_block *b, double *value)
{
    cs_driven driven = {.n = b->kernel->type->n_params, .value = value};
    for (size_t p = 0; p < driven.n; p++)
        for (size_t i = 0; i < STEPS; i++) {
            driven.param[p] = p;
            value[p * STEPS + i] = b->kernel->values[p];
        }
    cs_block_run(b, &driven, STEPS, NULL);
}

/* Makes some steps to fill the caches, and then more steps that are
 * monitored. */
static void watched(cs_block *b)
{
    static double table[CS_KERNEL_PARAMS * STEPS];
    make_steps(b, table);
    unsigned long heap = requests, held = locks;
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    make_steps(b, table);
    syscall(SYS_exit, requests != heap ? HEAP : locks != held ? LOCK : CLEAN);
}

static verdict judge(cs_block *b)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        watched(b);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? (verdict)WEXITSTATUS(status) : CALL;
}

static verdict judge_kernel(const cs_kernel *k, cs_target *t, size_t chains)
{
    cs_error err;
    cs_block *b;
    verdict v = CALL;
    if (cs_block_create(&b, t, k, 1, 0, chains, NULL, 0, &err) == CS_OK &&
        cs_block_start(b, NULL, &err) == CS_OK)
        v = judge(b);
    cs_block_destroy(b);
    return v;
}

/* Tries every kernel on every target without required parameters, with one
 * chain and with eleven chains. */
static void steps_ask_for_nothing(void **state)
{
    (void)state;
    cs_error err;
    const cs_target_type *tt;
    const cs_kernel_type *kt;
    size_t seen = 0;
    for (size_t i = 0; (tt = cs_target_at(i)); i++) {
        cs_target *t;
        if ((tt->flags & (CS_TARGET_HIDDEN | CS_TARGET_MAIN_THREAD)) ||
            cs_target_create(tt, NULL, 0, &t, &err))
            continue;
        for (size_t j = 0; (kt = cs_kernel_at(j)); j++) {
            cs_kernel k;
            if ((kt->flags & (CS_KERNEL_HIDDEN | CS_KERNEL_MAIN_THREAD)) ||
                cs_kernel_init(&k, kt, NULL, 0, &err) ||
                cs_kernel_fits(&k, t, &err))
                continue;
            for (size_t chains = 1; chains < 12; chains += 10)
                if (judge_kernel(&k, t, chains) != CLEAN)
                    fail_msg("%s on %s, %zu chains: %d", kt->name, tt->name,
                             chains, judge_kernel(&k, t, chains));
            seen++;
        }
        cs_target_release(t);
    }
    assert_true(seen > 8);
}

/* ---- planted faults ---- */

static const cs_kernel_type *honest;

static void step_that_allocates(cs_move *m)
{
    honest->step(m);
    void *volatile block = malloc(m->dim + 1); /* volatile, so that the call is
                                                * not optimised away */
    free(block);
}

static void step_that_locks(cs_move *m)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    honest->step(m);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void step_that_calls(cs_move *m)
{
    honest->step(m);
    (void)getppid();
}

static void faults_are_found(void **state)
{
    (void)state;
    void (*const fault[])(cs_move *) = {
        [HEAP] = step_that_allocates,
        [LOCK] = step_that_locks,
        [CALL] = step_that_calls,
    };
    cs_error err;
    cs_target *t;
    cs_kernel k;
    honest = cs_kernel_find("random_walk");
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), NULL, 0, &t, &err), CS_OK);
    assert_int_equal(cs_kernel_init(&k, honest, NULL, 0, &err), CS_OK);
    assert_int_equal(judge_kernel(&k, t, 4), CLEAN);
    for (int v = HEAP; v <= CALL; v++) {
        cs_kernel_type type = *honest;
        type.step = fault[v];
        k.type = &type;
        assert_int_equal(judge_kernel(&k, t, 4), v);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_ask_for_nothing),
    cmocka_unit_test(faults_are_found),
};
TESTS(test_step_loop)
