#!/bin/sh
# usage: python.sh PROGRAM FOLDER MODELS
# Tests the example in assets/doc/models.md as it is printed there. Its claims
# hold, its laws hold, and a run that was interrupted continues only if the
# model is unchanged.
. "$(dirname "$0")/../support/begin.sh"
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
# Uses the Python interpreter itself instead of a wrapper that searches for it
# at each start. Output is buffered, whatever the user has set, so each answer
# is a single write.
PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
unset PYTHONUNBUFFERED
cp "$3"/bioassay.* "$work"
cd "$work" || exit 1
run() { "$program" run bioassay.lua --trust "$@" >out 2>err; }
run --out whole || fault "$(cat out err)"
sed -i 's/chains = 4/warmup = 0, chains = 4/' bioassay.lua
run --out all --steps 60
run --out parts --steps 30
run --out parts --steps 60 --resume || fault "$(cat out err)"
for run in all parts; do grep -v '^#' $run/walk_3.csv >$run.draws; done
[ "$(wc -l <all.draws)" = 61 ] || fault "$(wc -l <all.draws) lines of 60 draws"
cmp -s all.draws parts.draws || fault "other draws when resumed"
"$program" check bioassay.lua --trust --seconds 1 >out 2>&1 || fault "a law: $(cat out)"
sed -i 's/3, 5\]/4, 5]/' bioassay.py
run --out parts --steps 80 --resume && fault "it goes on with another model"
grep -q 'file.2 was a file of digest' err || fault "$(cat err)"
[ "$(wc -l <"$3/bioassay.py")" -le 40 ] || fault "the example is long"
exit $faults
