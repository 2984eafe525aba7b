#!/bin/sh
# usage: python.sh PROGRAM FOLDER MODELS
# The example of assets/models.md as it stands: its claims hold, its laws hold,
# and a run that is broken off goes on only while the model is the same.
program=$1
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }
draws() { grep -v '^#' "$1"; }
cp "$3"/bioassay.* "$work"
cd "$work" || exit 1
run() { "$program" run bioassay.lua --trust "$@" >out 2>err; }
run --out whole || fault "$(cat out err)"
sed -i 's/chains = 4/warmup = 0, chains = 4/' bioassay.lua
run --out all --steps 60
run --out parts --steps 30
run --out parts --steps 60 --resume || fault "$(cat out err)"
[ "$(draws all/walk_3.csv)" = "$(draws parts/walk_3.csv)" ] || fault "other draws when resumed"
"$program" check bioassay.lua --trust --seconds 1 >out 2>&1 || fault "a law: $(cat out)"
sed -i 's/3, 5\]/4, 5]/' bioassay.py
run --out parts --steps 80 --resume && fault "it goes on with another model"
grep -q 'file.2 was a file of digest' err || fault "$(cat err)"
[ "$(wc -l <"$3/bioassay.py")" -le 40 ] || fault "the example is long"
exit $faults
