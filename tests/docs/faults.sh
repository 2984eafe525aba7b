#!/bin/sh
# usage: faults.sh LUA SOURCE_DIR BUILD_DIR
# The README test can fail: each line added here is one that it must refuse.
lua=$1 source=$2 build=$3
page=$(mktemp) || exit 1
trap 'rm -f "$page"' EXIT
faults=0
# refuses WORDS MODE: the README with this line at its end does not pass.
refuses() {
    { cat "$source/README.md"; printf '\n%s\n' "$1"; } >"$page"
    "$lua" "$source/tests/docs/readme.lua" "$page" "$source" "$build" names \
        >/dev/null && { echo "passes: $1"; faults=1; }
}
"$lua" "$source/tests/docs/readme.lua" "$source/README.md" "$source" "$build" \
    names || faults=1
# shellcheck disable=SC2016
for line in '`--no-such-option`' '`chainscope dance`' '<kbd>7</kbd>' \
    '`cmake --build build --target chainscope-dance`' \
    '`no_such_kernel`' '`scenarios/none.lua`' '`:dance`' '`cs.nothing`' \
    '`run:nothing`' '`src/nowhere`' '`holdz = 1`' '`cs.kernel.mala { stepp = 1 }`'; do
    refuses "$line"
done
for command in 'chainscope list nothing' 'chainscope describe nobody' \
    'chainscope scenarios/none.lua' 'false'; do
    printf '```sh\n\n```\n```sh\n%s\n```\n' "$command" >"$page"
    "$lua" "$source/tests/docs/readme.lua" "$page" "$source" "$build" commands \
        >/dev/null && { echo "passes: $command"; faults=1; }
done
exit $faults
