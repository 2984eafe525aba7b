#!/bin/sh
# shellcheck disable=SC2016
# usage: faults.sh LUA SOURCE_DIR BUILD_DIR
# Tests that the test of a page can fail. It must refuse each of the false lines
# below, in a page with false names and in a page with false commands. The tests
# of the real pages show that true lines are accepted.
lua=$1 source=$2 build=$3
page=$(mktemp) && said=$(mktemp) || exit 1
trap 'rm -f "$page" "$said"' EXIT
faults=0
# Runs the test of the page in one mode.
follow() {
    "$lua" "$source/tests/docs/page.lua" "$page" "$source" "$build" "$1" >"$said" 2>&1 &&
        { echo "not refused: the page of false $1"; faults=1; }
}
# refused LINE WORDS: fails unless the test printed these words about LINE.
refused() {
    grep -qxF -e "$2" "$said" || { echo "passes: $1"; faults=1; }
}
names='--no-such-option
chainscope dance
chainscope --dance
cmake --build build --target chainscope-dance
slowly
-DCS_SIMD=some
-DCS_DANCE=ON
no_such_kernel
scenarios/none.lua
:dance
cs.nothing
run:nothing
src/nowhere
holdz = 1
cs.kernel.mala { stepp = 1 }'
{
    echo "$names" | sed 's/.*/`&`/'
    echo '<kbd>7</kbd> [a page](nowhere.md)'
    seq 200
} >"$page"
follow names
while read -r name; do
    refused "$name" "\`$name\` does not exist"
done <<END
$names
END
refused '<kbd>7</kbd>' 'there is no key 7'
refused '[a page](nowhere.md)' 'a link to nothing: nowhere.md'
refused 'a long page' "$(wc -l <"$page") lines, at most 200"
commands='chainscope list nothing
chainscope describe nobody
chainscope scenarios/none.lua
false'
{
    printf '```sh\n%s\n```\n' "$commands"
    printf '```lua\n-- idle.lua: no command runs it\n```\n```lua\nx = = 1\n```\n'
    printf '```basic\n10 END\n```\n'
} >"$page"
follow commands
while read -r command; do
    grep -qF "$command: fails: " "$said" || { echo "passes: $command"; faults=1; }
done <<END
$commands
END
refused 'idle.lua' 'idle.lua is never run'
refused 'x = = 1' "an example in Lua: example:1: unexpected symbol near '='"
refused 'basic' "a block of 'basic'"
[ $faults = 0 ] || cat "$said"
exit $faults
