#!/bin/sh
# usage: compare.sh PROGRAM SCENARIO
# Tests `compare`, `loo` and `sensitivity`: on scenarios, on folders of draws, on files of
# other programs, and on models that cannot be compared.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
mkdir tmp
TMPDIR=$work/tmp
export TMPDIR

# model FILE SD Y PRIOR: a normal mean with a known sd.
model() {
    cat >"$1" <<END
local cs = require "chainscope"
local y = cs.math.vector { $3 }
return cs.scenario {
  title = "a normal mean", shows = "a comparison",
  target = cs.target {
    params = { mu = cs.real() },
    log_density = function(p) return cs.lpdf.normal(y, p.mu, $2) + cs.lpdf.normal(p.mu, 0, $4) end,
    generated = function(p)
      return { log_lik = cs.lpdf.each.normal(y, p.mu, $2), log_prior = cs.lpdf.normal(p.mu, 0, $4) }
    end,
  },
  chains = 4, seed = 3, arms = { a = cs.kernel.mala { step = 0.5 } }, budget = { steps = 800 },
}
END
}
data='0.3, -1.2, 2.1, 0.7, -0.4, 1.5, 0.2, -0.9, 1.1, 0.6, 3.2'
model one.lua 1 "$data, -0.1" 10
model three.lua 3 "$data, -0.1" 10
model fewer.lua 3 "$data" 10
model far.lua 1 '0.1, 0.2, 0, -0.1, 0.3, -0.2, 0.1, 7' 10
model conflict.lua 1 '6, 6.5, 5.5, 6' 1

# Two scenarios, in each format. The best model is first, with the difference 0.
exits 0 compare three.lua narrow=one.lua
sed -n 2p said | grep -q '^narrow .* 0.0 +- 0.0 ' || fault "order: $(cat said)"
sed -n 3p said | grep -q '^three .* -4\.[0-9] +- 3\.[0-9] ' || fault "difference: $(cat said)"
exits 0 compare three.lua narrow=one.lua --format csv
cp said scenarios.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { weights += $at["weight"]; n += $at["observations"]; bad += $at["bad_k"] }
    NR == 2 { best = $at["elpd_loo"] }
    NR == 3 { off = $at["elpd_loo"] - best - $at["elpd_diff"] }
    END { exit !(weights > 0.999999 && weights < 1.000001 && n == 24 && bad == 0 && off < 1e-9 && off > -1e-9) }' said ||
    fault "the columns of compare: $(cat said)"
exits 0 compare three.lua narrow=one.lua -o both.json
grep -q '"model": "narrow", "elpd_loo": -2' both.json || fault "JSON: $(cat both.json)"
exits 0 compare one.lua --format markdown
says '^| one | -2'

# The sum over the observations of `loo` is the value of `compare`.
exits 0 loo one.lua
sed -n 12p said | grep -q '^one  *log_lik.11  *-4\.[0-9]* +- ' || fault "loo: $(cat said)"
exits 0 loo one.lua --format csv
awk -F, 'NR > 1 { sum += $3 } END { printf "%.9f\n", sum }' said >sum
awk -F, '$1 == "narrow" { printf "%.9f\n", $2 }' scenarios.csv >want
cmp -s sum want || fault "the sum is $(cat sum), not $(cat want)"

# A folder of draws and its files have the same results as the scenario.
for name in one three; do
    "$program" run $name.lua --out $name >said 2>err || fault "run: $(cat err)"
done
exits 0 compare three narrow=one --format csv
cmp -s said scenarios.csv || fault "a folder: $(cat said)"
for i in 1 2 3 4; do
    sed 's/^# model = .*/# model = stan_model/; /^# arm/d' one/a_$i.csv >stan_$i.csv
done
exits 0 compare three narrow=stan_1.csv,stan_2.csv,stan_3.csv,stan_4.csv --format csv
cmp -s said scenarios.csv || fault "files: $(cat said) $(cat scenarios.csv)"
# Models with the same name are named by their words.
mkdir other
cp -r one other/
exits 0 compare one other/one
says '^other/one '

# Models that cannot be compared.
exits 1 compare one.lua fewer.lua
says 'one has 12 observations and fewer has 11'
printf 'mu\n1\n2\n3\n' >mu.csv
exits 1 compare mu.csv
says 'mu: the draws have no log likelihood'
exits 1 loo one --log-lik nothing
says "no quantity 'nothing'"
printf 'mu,log_lik[1],log_lik[2]\n' >infinite.csv
i=0
while [ $i -lt 200 ]; do
    i=$((i + 1))
    echo "$i,-1,$([ $i = 77 ] && echo nan || echo -$((i % 7)))" >>infinite.csv
done
exits 1 loo infinite.csv
says 'log_lik.2 is not finite'
exits 2 compare "$2x,one.lua"
exits 2 compare one= three
says 'NAME=FILE'
exits 2 compare one --format pdf
exits 2 compare
exits 1 compare nothing.lua one
says 'nothing'

# An observation that dominates the weights is named.
exits 0 loo far.lua
says 'far: Pareto k is above 0.7 for 1 of 8 observations: log_lik.8 ('
exits 3 compare far.lua --strict
# The largest reliable shape of 800 draws is below 0.7; larger ones have a mark.
model near.lua 1 '0.1, 0.2, 0, -0.1, 0.3, -0.2, 0.1, 5' 10
exits 0 loo near.lua --steps 200
grep -q '^near  *log_lik.8 .* 0\.6[0-9]! ' said || fault "no mark: $(cat said)"
grep -v 'log_lik.8 ' said | grep -q '!' && fault "a mark: $(cat said)"
says 'near: Pareto k is above 0.65 for 1 of 8 observations: log_lik.8 (0.6'
# So are the warnings of a run, without which its results would look right.
exits 0 compare one.lua --steps 30
says 'one: warning in arm a: '
exits 3 loo one.lua --steps 30 --strict
exits 0 compare one.lua --strict

# Groups of ArviZ. Several likelihoods must be named; the log prior is a sum of variables.
cat >groups.awk <<'END'
BEGIN { FS = "," }
/^lp__/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
/^#/ { next }
{ n++; mu[n] = $at["mu"]; prior[n] = $at["log_prior"]
  for (k = 1; k <= 12; k++) lik[n, k] = $at["log_lik." k] }
function vector(v, name, factor,    j) {
    printf "%s = ", name
    for (j = 1; j <= n; j++) printf "%s%.17g", (j > 1 ? ", " : ""), factor * v[j]
    print ";"
}
END {
    print "netcdf both {\ngroup: posterior {\ndimensions: chain = 4; draw = " n / 4 ";"
    print "variables: double mu(chain, draw);\ndata:"
    vector(mu, "mu", 1)
    print "}\ngroup: log_prior {\ndimensions: chain = 4; draw = " n / 4 ";"
    print "variables: double a(chain, draw); double b(chain, draw);\ndata:"
    vector(prior, "a", 0.25)
    vector(prior, "b", 0.75)
    print "}\ngroup: log_likelihood {\ndimensions: chain = 4; draw = " n / 4 "; o = 12;"
    print "variables: double y(chain, draw, o);\ndata:"
    printf "y = "
    for (j = 1; j <= n; j++) for (k = 1; k <= 12; k++) printf "%s%s", (j + k > 2 ? ", " : ""), lik[j, k]
    print ";\n}\n}"
}
END
exits 0 sensitivity one --format csv
cp said sensitivity.csv
grep -q '^a,mu,[^,]*,[^,]*,-$' said || fault "sensitivity: $(cat said)"
if command -v ncgen >ncgen.path && "$program" export one -o own.nc >said 2>&1; then
    cat one/a_1.csv one/a_2.csv one/a_3.csv one/a_4.csv | awk -f groups.awk >both.cdl
    ncgen -4 -o narrow.nc both.cdl || fault "ncgen failed"
    exits 0 compare three narrow.nc --format csv
    cmp -s said scenarios.csv || fault "netCDF: $(cat said)"
    exits 0 sensitivity narrow.nc --format csv
    grep '^draws,mu,' said | cut -c7-18 >nc
    grep '^a,mu,' sensitivity.csv | cut -c3-14 >csv
    cmp -s nc csv || fault "sensitivity of netCDF: $(cat said sensitivity.csv)"
    sed 's/double y(/double z(/; s/^y = /z = /; s/^variables: double z/variables: double y(chain, draw); double z/' both.cdl |
        awk '/^z = / { print "y = " ; sep = ""; for (i = 0; i < '"$(($(grep -vc '^[#l]' one/a_1.csv) * 4))"'; i++) { printf "%s-1", sep; sep = ", " } print ";" } { print }' >two.cdl
    ncgen -4 -o two.nc two.cdl || fault "ncgen failed"
    exits 1 loo two.nc
    says 'several variables'
    exits 0 loo two.nc --log-lik log_likelihood_z
elif [ -n "$CHAINSCOPE_NO_SKIP" ]; then
    fault "no netCDF"
fi

# A file that is neither Lua nor draws is named by its content.
refused() { # FILE, WHAT
    exits 2 compare "$1"
    says "^chainscope: $1 is $2, and neither a scenario nor draws"
}
printf 'hello world\n' >hello.txt
printf 'a;b\nc;d\n' >words.csv
printf '\211PNG\r\n\032\n' >picture.png
printf 'a\000b' >bytes
printf '{"version": "1"}\n' >object
: >nothing
refused hello.txt text
refused words.csv 'a table'
refused picture.png 'a PNG picture'
refused bytes binary
refused object JSON
refused nothing empty
cp one.lua one.txt # Lua is Lua under another name
exits 0 compare one.txt --steps 100
printf 'x = (\n' >broken.lua
exits 1 compare broken.lua
says 'broken.lua:'
exits 2 report hello.txt -o hello.html
says 'hello.txt is text'

# Weighted draws are refused, and a signal ends the command without results.
printf 'lp__,log_weight__,log_lik[1],log_lik[2]\n' >weighted.csv
awk 'BEGIN { for (i = 0; i < 200; i++) printf "0,%g,%g,-1\n", -i % 7 / 7, -i % 5 }' >>weighted.csv
exits 1 compare weighted.csv
says 'weighted: the draws have weights.*resample'
sed 's/steps = 800/steps = 1e9/' one.lua >endless.lua
timeout --preserve-status -s INT 2 "$program" compare endless.lua >said 2>err
[ $? -eq 130 ] || fault "the signal: $(cat err)"
says 'while running endless: there are no results'

# A prior far from the data.
exits 0 sensitivity conflict.lua
says '^a  *mu .*prior-data conflict'
exits 3 sensitivity conflict.lua --strict
exits 0 sensitivity conflict.lua --power 1.25 --format json
says '"verdict": "prior-data conflict"'
exits 1 sensitivity conflict.lua --power 1
says 'must be above 1'
exits 1 sensitivity infinite.csv
says 'the draws have no log prior'
exits 2 sensitivity one three
[ -z "$(ls tmp)" ] || fault "temporary folders remain: $(ls tmp)"
exit $faults
