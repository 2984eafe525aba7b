#!/bin/sh
# usage: install.sh BUILD_DIR LUA
# Tests that an installed tree works in any folder and uses its own files.
build=$1 lua=$2
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

cmake --install "$build" --prefix "$stage/first" >"$stage/log" 2>&1 || {
    cat "$stage/log"
    exit 1
}
mv "$stage/first" "$stage/moved"
here=$stage/moved share=$stage/moved/share/chainscope
program=$here/bin/chainscope
[ -s "$here/share/man/man1/chainscope.1" ] || fault "no manual page"
grep -q 'chainscope.kernel.hmc' "$share/../lua/5.4/chainscope/meta.lua" ||
    fault "no annotations"
[ -s "$here/share/bash-completion/completions/chainscope" ] ||
    fault "no completion"
find "$here" -name LICENSE | grep -q . || fault "no license"
twice=$(find "$here" -type f -size +0 -exec md5sum {} + | sort | uniq -w 32 -d)
[ -z "$twice" ] || fault "files that exist twice: $twice"
cd "$stage" || exit 1
"$program" shot "$share/scenarios/start/01_first_walk.lua" --steps 10 >shot ||
    fault "the installed program draws no frame"
grep -q 'step 10' shot || fault "the frame does not show step 10"

"$program" bench uniform --rounds 1 >bench || fault "the installed bench fails"
grep -q '^uniform' bench || fault "no case in the bench: $(cat bench)"

# Plain Lua finds the module.
if [ -n "$lua" ]; then
    for lib in "$here"/lib/lua "$here"/lib/*/lua; do
        [ -d "$lib" ] && break
    done
    LUA_PATH="$here/share/lua/5.4/?/init.lua" LUA_CPATH="$lib/5.4/?.so" \
        "$lua" -e 'assert(require("chainscope").version)' ||
        fault "plain Lua does not find the module"
fi

# If its installed files are broken the program must fail, which shows that it
# reads these files.
echo 'error("the installed words")' >"$share/lua/chainscope/init.lua"
"$program" shot "$share/scenarios/start/01_first_walk.lua" >/dev/null 2>err &&
    fault "the Lua files of another tree are used"
grep -q 'the installed words' err || fault "unexpected: $(cat err)"
exit $faults
