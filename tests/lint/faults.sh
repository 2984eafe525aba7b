#!/bin/sh
# Tests that the lint checks can fail. Each check is given a fault, which it
# must refuse, and must pass again after the fault is removed.
# Usage: faults.sh LUA LINT_DIR
lua=$1 lint=$2
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
src=$tree/src
mkdir -p "$src/base" "$src/kernel" "$src/kernels/real" "$src/script/state" "$src/screen/panels" "$src/probe" "$src/cli" "$src/bench" \
    "$tree/tests/lint" "$tree/lua" "$tree/scenarios" "$tree/.ci" "$tree/assets"
printf '/* y = x. */\nconst cs_kernel_type CS_VARIANT(cs_kernel_fine) = {0};\n' \
    >"$src/kernels/real/fine.c"
printf '/* Kernels. */\nCS_KERNEL(fine, fine)\n' >"$src/kernels/kernels.def"
printf 'CS_PANEL(one, panel_one, "")\n' >"$src/screen/panels/panels.def"
printf 'const cs_panel_type cs_panel_one = {0};\n' >"$src/screen/panels/panel_one.c"
printf 'CS_PROBE(energy, energy)\n' >"$src/probe/probes.def"
printf 'const cs_probe_type CS_VARIANT(cs_probe_energy) = {0};\n' >"$src/probe/energy.c"
: >"$src/cli/subcommands.def"
: >"$src/bench/bench.def"
rooms() {
    printf '# Terms\n\n# The rooms\n\n| folder | what |\n| --- | --- |\n'
    for room in base kernel kernels probe; do printf '| `%s` | x | |\n' $room; done
    printf '| `script` | `state`, `math` | |\n| `screen` | `panels` | |\n| `cli` | x | |\n| `bench` | x | |\n\n'
}
{ rooms; printf '# What runs where\n\n| who | begun in |\n'; } >"$src/README.md"
printf '#pragma once\nstruct fine {\n};\n' >"$src/base/fine.h"

: >"$tree/.larger"

: >"$tree/.larger"

# A pipe runs in a subshell, so a file records the fault.
fault() {
    echo "$1"
    : >"$tree/.faults"
}

passes() { # check: runs it on the unchanged tree
    root=$src more=
    case $1 in
    shape) root=$tree more=$tree/.larger ;;
    english) root=$tree ;;
    esac
    [ "$1" = headers ] && more="$tree/.stamp cc -I$src"
    # shellcheck disable=SC2086
    "$lua" "$lint/$1.lua" "$root" $more >/dev/null 2>&1
}

# refuses CHECK WHAT FILE: the check must fail for a tree with FILE (read from
# stdin).
refuses() {
    passes "$1" || { fault "$1: refuses a correct tree"; }
    [ -e "$tree/$3" ] && mv "$tree/$3" "$tree/.kept"
    cat >"$tree/$3"
    passes "$1" && { fault "$1: $2 passes"; }
    rm "$tree/$3"
    [ -e "$tree/.kept" ] && mv "$tree/.kept" "$tree/$3"
}

echo '#include "kernel/kernel.h"' |
    refuses layers "an include of a higher folder" src/base/up.h
echo '#include "bench/bench.h"' |
    refuses layers "the bench in the program" src/cli/up.h
echo '#include "script/math/symbol.h"' |
    refuses layers "an include of a higher folder within script" src/script/state/up.h
echo '#include "script/script.h"' |
    refuses layers "an include of the folder above" src/script/state/up.h
for call in 'fopen(path, "r")' 'open(path, 0)' 'rename(a, b)' 'opendir(path)'; do
    printf 'int go(void)\n{\n    return %s != 0;\n}\n' "$call" |
        refuses opens "$call" src/base/opens.c
done
echo '#include <lua.h>' | refuses layers "lua.h in base" src/base/up.h
printf 'static const cs_param rows[] = {\n    [FORCE] = {.name = "step"},\n};\n' |
    refuses rows "an enumerator that differs from its row's name" src/kernels/real/rows.c
printf '#define CS_STEP_ROW {.name = "step"}\n\nint x[] = { [FORCE] = CS_STEP_ROW};\n' |
    refuses rows "an enumerator of a macro's row that is not its name" src/kernels/real/rows.h
printf 'CS_KERNEL(fine, fine)\nCS_KERNEL(gone, gone)\n' |
    refuses registered "a missing file" src/kernels/kernels.def
printf 'CS_KERNEL(fine, fine)\nCS_KERNEL_ONCE(gone, gone)\n' |
    refuses registered "a missing file that is compiled once" src/kernels/kernels.def
printf '\nconst cs_kernel_type CS_VARIANT(cs_kernel_lost) = {0};\n' |
    refuses registered "an orphan kernel" src/kernels/lost.c
printf '\nconst cs_panel_type cs_panel_lost = {0};\n' |
    refuses registered "an orphan panel" src/screen/panels/panel_lost.c
printf '\nconst cs_subcommand cs_subcommand_lost = {\n};\n' |
    refuses registered "an orphan sub-command" src/cli/lost.c
printf '\nconst cs_bench_case cs_bench_case_lost = {\n};\n' |
    refuses registered "an orphan case of the bench" src/bench/lost.c
printf 'const cs_panel_type cs_panel_one = {0};\n"arm/%%zu/energy/counts"\n' |
    refuses registered "a panel that reads a probe that it does not name" src/screen/panels/panel_one.c
printf 'const cs_panel_type cs_panel_one = {0};\ncs_shot_number(s, 0, "run/stpes");\n' |
    refuses registered "a key that is never written" src/screen/panels/panel_one.c
seq 801 | refuses shape "a long file" src/base/long.c
{ printf 'void f(void)\n{\n'; seq 61; echo '}'; } |
    refuses shape "a long function" src/base/long.c
printf '/* %s: later */\n' TO''DO | refuses shape "a note" src/base/note.c
members() { # N: prints N members
    for i in $(seq "$1"); do printf '    int m%d;\n' "$i"; done
}
large() { # N, MORE: prints a struct of N members, one of which is a struct, and the members MORE
    printf 'typedef struct cs_large {\n    struct {\n        int a, b;\n    } inner;\n'
    members $(($1 - 1))
    printf '%s} cs_large;\n' "$2"
}
large 40 >"$src/base/large.h"
passes shape || fault "shape: refuses a struct of 40 members"
large 41 | refuses shape "a struct of 41 members" src/base/large.h
large 39 '    union {
        struct {
            double *x, y[2];
        };
    };
' | sed 's/cs_large {/{/' | refuses shape "41 members, two of them in a union without a name" src/base/large.h
large 40 '    void (*f)(int a, int b);
' | refuses shape "a struct of 41 members, one a function" src/base/large.h
echo 'struct cs_large 43 why' >"$tree/.larger"
large 43 >"$src/base/large.h"
passes shape || fault "shape: refuses a struct that is an exception"
large 44 | refuses shape "an exception that has grown" src/base/large.h
large 42 | refuses shape "an exception that has shrunk" src/base/large.h
large 40 | refuses shape "an exception that is not needed" src/base/large.h
echo 'struct cs_large 43' | refuses shape "an exception without a reason" .larger
rm "$src/base/large.h"
passes shape && fault "shape: an exception for a missing item passes"
: >"$tree/.larger"
prototypes() {
    printf '#define NOT(x) \\\n    int not_%%d(void);\ntypedef int (*f)(void);\n'
    printf 'static inline int g(void)\n{\n    return h(1);\n}\n'
    for i in $(seq "$1"); do printf 'const char *cs_f%d(int a,\n    int b);\n' "$i"; done
}
prototypes 60 >"$src/base/long.h"
passes shape || fault "shape: refuses a header of 60 prototypes"
prototypes 61 | refuses shape "a header of 61 prototypes" src/base/long.h
rm "$src/base/long.h"
mkdir "$src/base/full"
for i in $(seq 60); do : >"$src/base/full/$i.h"; done
: | refuses shape "a folder of 61 files" src/base/full/61.h
rm -r "$src/base/full"
printf 'int cs_twice(void)\n{\n}\n' >"$src/kernel/twice.c"
printf '\nint cs_twice(void)\n{\n}\n' >"$src/base/once.c"
printf '\nint cs_twice(void)\n{\n}\n' |
    refuses words "a name with two definitions" src/kernel/twice.c
rm "$src/kernel/twice.c" "$src/base/once.c"
printf '/* Left open. */\ntypedef struct cs_two cs_two;\n' >"$src/kernel/two.h"
printf '/* Another. */\ntypedef struct cs_two {\n    int n;\n} cs_two;\n' |
    refuses words "a type that an unrelated file completes" src/base/two.h
rm "$src/kernel/two.h"
printf '/* Left open. */\ntypedef struct cs_pool cs_pool;\n' >"$src/base/workers.h"
printf '#include <x.h>\n#include "base/workers.h"\n\nstruct cs_pool {\n    int n;\n};\n' >"$src/base/pool.c"
passes words || fault "words: refuses a type that a file of its folder completes"
printf '\ntypedef struct {\n    int n;\n} cs_pool;\n' |
    refuses words "a type that an unrelated file of its folder completes" src/base/pool.c
printf '\ntypedef enum cs_pool { CS_ONE } cs_pool;\n' |
    refuses words "a struct that is an enum elsewhere" src/kernel/bins.h
printf '\nenum cs_pool { CS_ONE };\n' |
    refuses words "a struct that is an enum without typedef elsewhere" src/kernel/bins.h
rm "$src/base/workers.h" "$src/base/pool.c"
printf '\nenum {\n    CS_ONE = 4, /* a */\n    CS_TWO\n};\n' >"$src/base/one.h"
printf '\nenum { CS_THREE = CS_ONE + 1, CS_FOUR = CS_TWO };\n' >"$src/kernel/three.h"
passes words || fault "words: refuses a constant derived from another"
printf '\nenum { CS_TWO };\n' | refuses words "a constant with two values" src/kernel/three.h
rm "$src/base/one.h" "$src/kernel/three.h"
printf '\nclock_gettime(CLOCK_MONOTONIC, &t);\n' |
    refuses words "a second clock" src/kernel/clock.c
printf '\n/* Asks by a door. */\n' | refuses words "an old word" src/base/door.c
printf '%s %s\n' '--' FIX''ME | refuses shape "a note in Lua" lua/note.lua
printf '#pragma once\nstruct a {\n    struct fine f;\n};\n' |
    refuses headers "a header that lacks an include" src/base/a.h
printf '#include "base/fine.h"\nstruct a {\n    struct fine f;\n};\n' |
    refuses headers "a header without a guard" src/base/a.h
echo '/* Another. */' | refuses twins "two files of one name" src/kernel/fine.h
echo x | refuses shape "a stray file" notes.txt
printf '/* No equation. */\n' |
    refuses shape "a kernel without its formula" src/kernels/real/fine.c
printf '/* Kernels. */\nCS_KERNEL_ONCE(fine, fine)\n' >"$src/kernels/kernels.def"
printf '/* No equation. */\n' |
    refuses shape "a kernel compiled once without its formula" src/kernels/real/fine.c
cp "$src/README.md" "$tree/.readme"
{ rooms; printf '# What runs where\n\n| who | begun in |\n| workers | `run/workers.c` |\n'; } >"$src/README.md"
mkdir -p "$src/run"
printf 'int go(void)\n{\n    return pthread_create(&t, 0, f, 0);\n}\n' >"$src/run/workers.c"
printf 'int go(void)\n{\n    return fork();\n}\n' |
    refuses processes "a process that the page does not name" src/base/go.c
printf '# What\n\n# What runs where\n\n| workers | `run/workers.c` |\n| a | `run/gone.c` |\n' |
    refuses processes "a page that names a missing file" src/README.md
rm "$src/run/workers.c"
mv "$tree/.readme" "$src/README.md"
mkdir -p "$tree/assets/doc"
page=assets/doc/internals.md
printf '# A\n\n## Folders\n\n| folder | |\n| `kernel`, `base` | x |\n\n## B' |
    refuses layers "a page with another order of folders" $page
printf '# A\n\n## Folders\n\n| folder | |\n| `base`, `kernel`, `kernels`, `probe`, `script`, `screen` | x |\n| `cli` | x |\n\n## B' |
    refuses layers "a page whose table lacks a folder" $page
printf '# A\n\n## B' | refuses layers "a page without the table of folders" $page
printf '# A\n\n## Folders\n\n| folder | |\n| `base`, `kernel`, `kernels`, `probe`, `script`, `screen` | x |\n| `cli`, `bench` | x |\n\n## B' >"$tree/$page"
passes layers || fault "layers: refuses a correct page"
rm "$tree/$page"
{ rooms | sed 's/^| `cli`/| `gone` | x | |\n&/' && echo '# What'; } |
    refuses layers "a table of folders with a missing folder" src/README.md
# Tests the list of slow tests: an unlisted test may not take longer than its
# limit.
listed() { "$lua" "$lint/times.lua" "$tree/costs" "$tree/times" "$@" >/dev/null; }
printf 'law/slow 12.0\n' >"$tree/times"
printf 'law/slow 1 24\nunit/fast 1 19.8\n---\n' >"$tree/costs"
listed || fault "times: refuses a machine of half the speed"
printf 'law/slow 1 24\nunit/fast 1 20.2\n---\n' >"$tree/costs"
listed && fault "times: a slow test that is not listed passes"
listed write && listed || fault "times: refuses the list that it wrote"
grep -qx 'unit/fast 10.1' "$tree/times" || fault "times: writes another time"
# Tests marked phrases: one phrase is recorded, in a comment of a C file.
printf '/* Of one chain. */\n' >"$src/base/phrase.h"
printf '1\tsrc/base/phrase.h\tcomment\n' >"$tree/tests/lint/english.txt"
for phrase in 'What is shown.' 'So many rows.' 'It stands there.' 'It is told.' \
    'This is no row.' 'A chain alone.' 'The row is of a chain.'; do
    printf '/* %s */\n' "$phrase" | refuses english "$phrase" src/base/new.h
done
printf '/* Of one chain. Of two. */\n' | refuses english "one phrase more" src/base/phrase.h
printf '/* For one chain. */\n' | refuses english "a recorded count that is too large" src/base/phrase.h
printf 'local help = "what is shown"\n' | refuses english "a string in Lua" lua/new.lua
printf -- '-- Of a target.\n' | refuses english "a scenario" scenarios/new.lua
printf -- '-- A line.\n%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 |
    refuses english "a head of 13 lines" scenarios/new.lua
printf 'A page.\n\nOf a page.\n' | refuses english "a page" assets/new.md
{ printf 'int f(void)\n{\n    return cs_fail(err, CS_INPUT,\n        "'
  printf '%0101d' 0; printf '");\n}\n'; } | refuses english "a long message" src/base/new.c
rm "$src/base/phrase.h" "$tree/tests/lint/english.txt"
# Tests records of planted faults, with a copy of the lint next to its reader.
mkdir -p "$tree/tests/plants"
printf 'int one = 1;\nint two = 2, three = 2;\n' >"$src/base/planted.c"
echo law/slow >"$tree/names"
recorded() { # prints a record with the replaced text and the test
    printf 'fault off: by one\nfile src/base/planted.c\ntest %s\n-%s\n+%s\n' "$2" "$1" 3 \
        >"$tree/tests/plants/all.txt"
    "$lua" "$lint/plants.lua" "$tree" "$tree/names" >/dev/null
}
recorded 'one = 1' law/slow || fault "plants: refuses a record that is up to date"
recorded 'one = 2' law/slow && fault "plants: missing old text passes"
recorded '= 2' law/slow && fault "plants: old text that occurs twice passes"
recorded 3 law/slow && fault "plants: a fault that changes nothing passes"
recorded 'one = 1' law/gone && fault "plants: a missing test passes"
rm -r "$tree/tests/plants" "$src/base/planted.c"
# In a checkout a stray file passes, and a tracked file at the top level does
# not.
git -C "$tree" init -q && git -C "$tree" add src tests
echo x >"$tree/notes.txt"
passes shape || fault "shape: refuses a file that git does not track"
git -C "$tree" add notes.txt
passes shape && fault "shape: a tracked file at the top level passes"
[ ! -e "$tree/.faults" ]
