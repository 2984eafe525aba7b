#!/bin/sh
# usage: weighted.sh PROGRAM SCENARIO
# Tests weighted draws: the column log_weight__, the summary compared with sums
# over the files, a resumed run, and resampled draws.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >two.lua <<'END'
local cs = require "chainscope"
local function falling(scale)
  return cs.schedule.polynomial { scale = scale, offset = 1, power = 0.5 }
end
return cs.scenario {
  title = "weighted", target = cs.target.gaussian { dim = 2 }, chains = 3, seed = 3, warmup = 0,
  arms = {
    falling = cs.kernel.sgld { rate = falling(0.5), weight = falling(1) },
    flat = cs.kernel.sgld { rate = 0.1, weight = 7 },
  },
  budget = { steps = 3000 },
}
END
"$program" run two.lua --out whole >said || fault "it does not run: $(cat said)"
grep -q '^lp__,accept_stat__,log_weight__,x.1,x.2$' whole/falling_1.csv || fault "no column of weights"
grep -q '^# log_weight = known up to a constant of this chain' whole/falling_1.csv || fault "the header does not explain the weights"
grep -q 'weighted: 3000 draws per chain' said || fault "the summary does not say that draws are weighted"
grep -q 'the draws have weights: R-hat' said || fault "the summary does not say why R-hat is missing"

# Compares the summary with sums over the files. The weights of each chain are
# divided by their sum.
sums() {
    awk -F, 'FNR == 1 { chain++ } !/^[-0-9]/ { next }
        { w = exp($3 - 100); n[chain]++; weight[chain] += w; square[chain] += w * w; sum[chain] += w * $4 }
        END {
            for (c in n) { m += sum[c] / weight[c] / chain; kish += square[c] / weight[c]^2 / chain^2 }
            printf "%.10g %.10g\n", m, 1 / kish
        }' "$@"
}
of() { sed -n "s/.*\"$1\": {.*\"$2\": \\([^,}]*\\).*/\\1/p" whole/summary.json | head -n 1; }
close() {
    awk "BEGIN { d = $1 - $2; if (d < 0) d = -d; exit !(d <= 1e-6 * ($1 > 1 ? $1 : 1)) }" || fault "$3: $1 is not $2"
}
set -- $(sums whole/falling_?.csv)
close "$(of x.1 mean)" "$1" "the weighted mean"
close "$(sed -n 's/.*"kish": \([^,]*\).*/\1/p' whole/summary.json)" "$2" "Kish's size"
grep -q "3000 draws per chain; ESS of all weights (Kish) $(printf %.0f "$2")" said || fault "wrong effective size (Kish): $2"
[ "$(grep -c '"kish"' whole/summary.json)" = 1 ] || fault "equal weights are reported as weights"
grep -A 4 '^flat' said | grep -q 'rhat' || fault "no R-hat for equal weights"

# A resumed run is the same run, to the last digit.
"$program" run two.lua --out part --steps 1234 >part.said || fault "no part"
"$program" run two.lua --out part --resume >part.said || fault "it does not resume"
for f in falling_1.csv falling_3.csv; do
    grep -v '^#' "whole/$f" >a; grep -v '^#' "part/$f" >b
    cmp -s a b || fault "$f differs after a resume"
done
sed -n '/^falling/,/^flat/p' said >a; sed -n '/^falling/,/^flat/p' part.said >b
cmp -s a b || fault "the summary differs after a resume: $(diff a b)"

# After resampling, each draw appears floor or ceil of M w / sum w times, and is
# otherwise unchanged.
"$program" resample whole --arm falling --draws 5000 --seed 4 --out many.csv >said || fault "no resampling"
for seed in 4 5; do "$program" resample whole --arm falling --draws 5000 --seed $seed --out seed$seed.csv >null; done
for f in many seed4 seed5; do grep -v '^#' $f.csv >$f.rows; done
cmp -s many.rows seed4.rows || fault "the same seed gives other draws"
cmp -s many.rows seed5.rows && fault "another seed gives the same draws"
grep -q '^wrote 5000 of them to many.csv' said && grep -q 'some draws are repeated' said || fault "message of resample: $(cat said)"
grep -q '^lp__,accept_stat__,x.1,x.2$' many.csv || fault "the weights were not removed"
[ "$(grep -c '^-*[0-9]' many.csv)" = 5000 ] || fault "not 5000 draws"
# as_weighed FILE FILES: checks the number of times that FILE contains each draw of
# FILES. FILE has 5000 draws, the same number from each chain.
as_weighed() {
    awk -F, -v drawn="$1" '!/^-*[0-9]/ { next }
        FILENAME == drawn { count[$1 "," $3 "," $4]++; next }
        { key = $1 "," $4 "," $5; at[key] = FILENAME; w[key] = exp($3); sum[FILENAME] += w[key] }
        END {
            for (key in w) {
                off = count[key] - 5000 * w[key] / sum[at[key]] / 3
                if (off <= -1 || off >= 1) bad++
                seen += count[key]
            }
            exit bad > 0 || seen != 5000
        }' "$@"
}
as_weighed many.csv whole/falling_?.csv || fault "copies are not in proportion to the weights"
sed 's/^\([^#l][^,]*,[^,]*\),[^,]*/\1,3/' whole/falling_2.csv >even_2.csv
awk -F, -v OFS=, '/^-*[0-9]/ { $3 += 500 } { print }' OFMT='%.17g' CONVFMT='%.17g' whole/falling_3.csv >far_3.csv
"$program" resample whole/falling_1.csv even_2.csv far_3.csv --draws 5000 --out odd.csv >said || fault "wrong chains"
as_weighed odd.csv whole/falling_1.csv even_2.csv far_3.csv || fault "chains do not count equally"
"$program" resample whole/falling_1.csv whole/falling_2.csv whole/falling_3.csv --draws 5000 --seed 4 \
    --out same.csv >said || fault "no resampling of files"
cmp -s many.csv same.csv || fault "the folder gives other draws than its files"
"$program" resample whole --arm falling --out few.csv >said || fault "resampling needs a number"
[ "$(grep -c '^-*[0-9]' few.csv)" = "$(printf '%.0f' "$(echo "$2" | sed 's/\..*//')")" ] ||
    fault "the default number is not the effective size (Kish)'s size of draws: $(cat said)"
"$program" resample whole/flat_1.csv --draws 1500 --out half.csv >said || fault "draws of equal weight are not resampled"
grep '^-*[0-9]' whole/flat_1.csv | cut -d, -f1 | awk 'NR % 2 == 1' >a
grep '^-*[0-9]' whole/flat_1.csv | cut -d, -f1 | awk 'NR % 2 == 0' >c
grep '^-*[0-9]' half.csv | cut -d, -f1 >b
cmp -s a b || cmp -s c b || fault "draws of equal weight: not every second one is copied"

# refuses MESSAGE WORDS...: checks that the request is refused with MESSAGE.
refuses() {
    want=$1
    shift
    "$program" resample "$@" >said 2>err && fault "resample $* is accepted"
    grep -q -- "$want" err || fault "resample $*: $(cat err)"
}
refuses 'has draws of several arms: give --arm f' whole --out none.csv
refuses 'no draws of arm steep: give --arm f' whole --arm steep --out none.csv
refuses 'few.csv already exists' whole --arm flat --out few.csv
refuses 'no column log_weight__: the draws are unweighted' few.csv --out none.csv
refuses 'cannot be read' nothing.csv --out none.csv
refuses 'belongs to arm flat' whole/falling_1.csv whole/flat_1.csv --out none.csv
refuses 'add --out FILE.csv' whole
refuses 'is not a file of draws' two.lua --out none.csv
refuses '--draws must be at least 1' whole --draws 0 --out none.csv
mkdir empty
refuses 'has no files of draws' empty --out none.csv
refuses 'cannot write\|No such' whole --arm flat --out no/where.csv
sed 's/^\([^#l][^,]*,[^,]*\),[^,]*/\1,-Inf/' whole/flat_1.csv >none_1.csv
refuses 'all draws in none_1.csv have weight 0' none_1.csv --out none.csv
sed 's/^\([^#l][^,]*,[^,]*\),[^,]*/\1,NaN/' whole/flat_1.csv >nan_1.csv
refuses 'log_weight__ of draw 1 is' nan_1.csv --out none.csv
[ -e none.csv ] && fault "a file remains after an invalid request"
# The program neither writes through a link nor removes it.
ln -s nowhere.csv link.csv
"$program" resample whole --arm falling --out link.csv >said 2>err && fault "a link to a missing file is written through"
[ -h link.csv ] && [ ! -e nowhere.csv ] || fault "the link or its target changed: $(ls -l link.csv nowhere.csv 2>&1)"
CHAINSCOPE_IOFAIL=3 "$program" resample whole --arm falling --out full.csv >said 2>err && fault "a full disk is not reported"
[ ! -e full.csv ] || fault "an incomplete file remains"

exit $faults
