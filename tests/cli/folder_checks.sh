#!/bin/sh
# usage: folder_checks.sh PROGRAM SCENARIO
# Tests predictive checks and leave-one-out densities of draws without their scenario: a
# folder of a run, netCDF of another program, and a file with log likelihoods only.
. "$(dirname "$0")/../support/begin.sh"
scenarios=$(dirname "$2")/../../scenarios
cd "$work" || exit 1

# The table of a folder is that of its run.
"$program" run "$scenarios/targets/schools_pooled.lua" --steps 200 --out runs >run.txt 2>&1
grep -e '^check ' -e '^[a-z]*  *nuts  *\(mean\|sd\|max\|min\) ' -e '^[a-z]*, nuts: ' -e '^\(model\|pooled\|schools\)  *[-e0-9]' run.txt >want.txt
[ "$(wc -l <want.txt)" -eq 16 ] || fault "the table of the run: $(cat run.txt)"
exits 0 summary runs
sed -n '/^predictive checks/,$p' said | sed '1d;/^$/d' >got.txt
cmp -s want.txt got.txt || fault "another table: $(diff want.txt got.txt)"
exits 0 summary runs --format csv
says '^arm,'
grep -q 'predictive checks' said && fault "csv with another table"
exits 0 report runs -o page.html
grep -q '<h2>Predictive checks</h2>' page.html || fault "the page has no checks"
grep -q -F "$(grep '^schools, nuts: elpd' want.txt)" page.html || fault "the page has no density"
exits 0 shot runs -o frame.txt --size 150x50
grep -q 'predictive check' frame.txt || fault "no panel: $(cat frame.txt)"

# A log likelihood without data has the leave-one-out density only.
grep -v -e '^# posterior_' -e '^# observed_' -e '^# log_' -e '^# constant_' runs/nuts_1.csv |
    sed 's/log_lik_schools/log_lik/g' >bare.csv
exits 0 loo bare.csv --format csv
awk -F, 'NR > 1 { sum += $3 } END { printf "nuts: elpd_loo %.1f ", sum }' said >density.txt
[ "$(wc -l <said)" -eq 9 ] || fault "loo: $(cat said)"
exits 0 summary bare.csv
says "$(cat density.txt)"
exits 0 report bare.csv -o bare.html
grep -q 'Leave-one-out cross-validation' bare.html || fault "the page has no density"
sed 's/log_lik/other/g' bare.csv >none.csv
exits 0 summary none.csv
grep -q 'elpd' said && fault "a density without log likelihood"

# netCDF: data of two dimensions belong to the elements of the replicated data.
cat >two.cdl <<'END'
netcdf two {
group: posterior { dimensions: chain = 1; draw = 4; variables: double mu(chain, draw); data: mu = 1, 2, 3, 4; }
group: posterior_predictive { dimensions: chain = 1; draw = 4; a = 2; b = 3;
variables: double y(chain, draw, a, b);
data: y = 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6; }
group: observed_data { dimensions: a = 2; b = 3; variables: double y(a, b); data: y = 1, 2, 3, 4, 5, 60; }
}
END
"$program" export bare.csv -o any.nc >said 2>&1
if [ $? -eq 0 ] && command -v ncgen >/dev/null; then
    ncgen -4 -o two.nc two.cdl || fault "ncgen failed"
    exits 0 summary two.nc --groups all
    says '^y  *draws  *mean  *12.5  *3.5 '
    # five of six observations equal their replications: another order would have fewer
    says '83 % of 6 observations are inside their 50 % interval'
    exits 0 report two.nc -o two.html
    grep -q '<h2>Predictive checks</h2>' two.html || fault "the page of netCDF has no checks"
    # a group with other draws than the posterior, or with many numbers, is not read unasked
    sed '/posterior_predictive/s/draw = 4/draw = 3/; s/, 1, 2, 3, 4, 5, 6; }/; }/' two.cdl | ncgen -4 -o thin.nc || fault "ncgen failed"
    exits 0 report thin.nc -o thin.html
    says 'not read: posterior_predictive'
    exits 1 summary thin.nc --groups all
    says 'has 1 chains of 3 draws, but another variable has 1 of 4'
    sed 's/a = 2/a = 334/; s/data: y .*/}/' two.cdl | ncgen -4 -o many.nc || fault "ncgen failed"
    exits 0 report many.nc -o many.html
    says 'not read: posterior_predictive'
    # the groups that are asked for have their own groups in the export
    exits 0 export two.nc --groups all -o back.nc
    ncdump back.nc | tr -d ' \n\t' >back.txt
    grep -q 'group:posterior_predictive{.*y=1,2,3,4,5,6,1,2,.*group:observed_data{' back.txt || fault "$(cat back.txt)"
elif [ -n "$CHAINSCOPE_NO_SKIP" ]; then
    fault "no netCDF: $(cat said)"
fi
exit $faults
