#!/bin/sh
# usage: loaded.sh PROGRAM SCENARIO
# cs.load in a script that is not trusted reads only files in the scenario's
# folder, also through links, and run:write writes nothing; with --trust it
# writes a folder that other commands read.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
fail() { echo "$*"; exit 1; }
cd "$work" && mkdir own own/linked || exit 1
"$program" run "$scenario" --steps 200 --out out >/dev/null || fail "no draws"
cp -r out own/inside && ln -s "$work/out" own/link
for file in out/*.csv; do ln -s "$work/$file" own/linked; done
cat >own/a.lua <<'END'
local cs = require "chainscope"
local old = cs.load "inside"
print("mean", old:arm(1):figure("mean", 1))
for _, path in ipairs { "../out", "link", "linked", "linked/a_1.csv", "none", "inside/none", "link/none", "../none" } do
  local good, why = pcall(cs.load, path)
  print(path, good, why)
end
local run = cs.open { target = cs.target.gaussian { dim = 1 }, chains = 1,
                      arms = { a = cs.kernel.random_walk { step = 1 } } }
run:step(50)
print("wrote", pcall(run.write, run, "new"))
return cs.scenario { title = "x", target = cs.target.gaussian { dim = 1 }, chains = 1,
                     arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 5 } }
END
"$program" run own/a.lua >told || fail "$(cat told)"
grep -q "^mean	-*[0-9]" told || fail "no mean: $(cat told)"
[ "$(grep -c "false	own/a.lua:.*leaves the scenario's folder" told)" -ge 4 ] || fail "$(cat told)"
[ "$(grep -c "^\(inside/\)*none	false.*there is no file or folder '.*none' in the scenario's folder" told)" = 2 ] || fail "$(cat told)"
grep -q "^link/none	false.*leaves the scenario's folder" told && grep -q "^../none	false.*leaves the" told || fail "$(cat told)"
grep -q "^linked	false" told && grep -q "^link	false" told || fail "$(cat told)"
grep -q "wrote	false.*a script may not write files.*--trust" told || fail "$(cat told)"
[ ! -e new ] && [ ! -e own/new ] || fail "it wrote files"
"$program" run own/a.lua --trust >told || fail "$(cat told)"
grep -q "wrote	true" told || fail "$(cat told)"
"$program" verify new | grep -q "50 draws, unchanged" || fail "$("$program" verify new)"
"$program" summary new | grep -q "a (recorded): 1 chains, 50 steps" || fail "$("$program" summary new)"
printf 'print(cs.load "new":summary())\n' | "$program" repl | grep -q "x.1" || fail "repl"
