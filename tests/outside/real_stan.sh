#!/bin/sh
# usage: real_stan.sh PROGRAM
# Tests a real compiled Stan model. It is the model in CHAINSCOPE_STAN_MODEL,
# which was compiled by BridgeStan, with its data (NAME.json for NAME_model.so)
# if they are in the same folder. If the variable is not set and rstan
# (r-cran-rstan) and a C++ compiler are installed, a model is compiled here,
# which takes a minute.
. "$(dirname "$0")/../support/begin.sh"
model=$CHAINSCOPE_STAN_MODEL
here=$(cd "$(dirname "$0")" && pwd)

# ---- a model compiled here ---------------------------------------------------
# The stanc of rstan writes C++, and rstan_model.cpp adds BridgeStan's
# interface.
compile() {
    cat >"$work/odd.stan" <<'END'
data { int<lower=0> N; vector[N] y; }
parameters { real mu; real<lower=0> tau; simplex[3] p; vector<lower=-1,upper=4>[2] z; }
transformed parameters { real spread = 2 * tau; }
model {
  mu ~ normal(0, 1); tau ~ gamma(3, 2); p ~ dirichlet(rep_vector(2, 3));
  y ~ normal(mu, 1);
}
END
    echo '{"N": 4, "y": [0.5, 1.25, -0.5, 2]}' >"$work/odd.json"
    cat >"$work/compile.R" <<'END'
suppressMessages(library(rstan))
folder <- commandArgs(TRUE)[1]
code <- stanc(file = file.path(folder, "odd.stan"), model_name = "odd")
cat(code$cppcode, file = file.path(folder, "odd.cpp"))
include <- function(name) system.file("include", package = name)
folders <- c(include("StanHeaders"), file.path(include("StanHeaders"), "src"),
             include("RcppEigen"), include("BH"), include("RcppParallel"),
             "/usr/include/eigen3")
cat(paste0("-I", folders[dir.exists(folders)]), file = file.path(folder, "flags"))
END
    Rscript --vanilla "$work/compile.R" "$work" >"$work/said" 2>&1 &&
        g++ -std=c++14 -O0 -w -shared -fPIC -D_REENTRANT -DBOOST_DISABLE_ASSERTS \
            "-DSTAN_MODEL=\"$work/odd.cpp\"" $(cat "$work/flags") \
            "$here/rstan_model.cpp" -o "$work/odd_model.so" -ltbb >"$work/said" 2>&1
}
if [ -z "$model" ]; then
    for tool in Rscript g++; do
        command -v $tool >/dev/null || {
            echo "skipped: CHAINSCOPE_STAN_MODEL names no model, and there is no $tool to compile one"
            exit 77
        }
    done
    Rscript --vanilla -e 'library(rstan)' >"$work/said" 2>&1 || {
        echo "skipped: CHAINSCOPE_STAN_MODEL names no model, and rstan is not installed"
        exit 77
    }
    compile || {
        cat "$work/said"
        exit 1
    }
    model=$work/odd_model.so
    # The density on the unconstrained scale is known up to a constant: the
    # priors, the data, and the Jacobian factors tau, p1 p2 p3 and (z + 1) (4 -
    # z) / 5.
    cat >"$work/known.lua" <<END
local t = cs.target { stan = "$model", data = "$work/odd.json" }
local y = { 0.5, 1.25, -0.5, 2 }
local function known(mu, tau, p, z)
  local sum = -mu^2 / 2 + 2 * math.log(tau) - 2 * tau + math.log(tau)
  for i = 1, 3 do sum = sum + 2 * math.log(p[i]) end
  for i = 1, 2 do sum = sum + math.log((z[i] + 1) * (4 - z[i])) end
  for i = 1, 4 do sum = sum - (y[i] - mu)^2 / 2 end
  return sum
end
local function off(mu, tau, p, z)
  return t:log_density { mu = mu, tau = tau, ["p.1"] = p[1], ["p.2"] = p[2], ["p.3"] = p[3],
    ["z.1"] = z[1], ["z.2"] = z[2] } - known(mu, tau, p, z)
end
local first = off(0.3, 1, { 0.2, 0.3, 0.5 }, { 0, 1 })
for _, at in ipairs { { -2, 0.01, { 0.9, 0.05, 0.05 }, { -0.99, 3.99 } }, { 1, 5, { 0.1, 0.1, 0.8 }, { 2, 2 } },
                      { 4, 0.5, { 1 / 3, 1 / 3, 1 / 3 }, { 1.5, -0.5 } } } do
  print(math.abs(off(table.unpack(at)) - first) < 1e-9 and "as known" or "another density")
end
END
    tr '\n' ' ' <"$work/known.lua" | "$program" repl --trust >"$work/out" 2>&1
    [ "$(grep -c '^as known' "$work/out")" -eq 3 ] ||
        fault "it is not the density that it is: $(cat "$work/out")"
fi

# ---- any compiled model ------------------------------------------------------
data=${model%_model.so}.json
[ -e "$data" ] && fields="data = \"$data\","
cat >"$work/real.lua" <<END
local cs = require "chainscope"
return cs.scenario {
  title = "real", chains = 4, seed = 1, target = cs.target { stan = "$model", $fields },
  arms = { nuts = cs.kernel.nuts {} }, budget = { steps = 2000 },
}
END
for workers in 1 2; do
    "$program" run "$work/real.lua" --trust --workers $workers --out "$work/$workers" >"$work/out" 2>&1 || fault "$(cat "$work/out")"
done
for chain in 1 2 3 4; do
    [ "$(grep -v '^#' "$work/1/nuts_$chain.csv")" = "$(grep -v '^#' "$work/2/nuts_$chain.csv")" ] || fault "chain $chain: other draws of two workers"
done
"$program" check "$work/real.lua" --trust --seconds 5 >"$work/out" 2>&1 || fault "a law: $(cat "$work/out")"
exit $faults
