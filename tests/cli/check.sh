#!/bin/sh
# usage: check.sh PROGRAM SCENARIO
# Tests check FILE: the laws hold for correct kernels and targets, and each law
# detects a fault.
. "$(dirname "$0")/../support/begin.sh"
says() { grep -qE -- "$1" "$work/out" || fault "missing in the output: '$1'"; }
# check NAME EXIT [SECONDS [OPTION ...]]: checks NAME.lua and expects the exit
# code.
check() {
    name=$1 want=$2 seconds=${3:-2}
    shift $(($# < 3 ? $# : 3))
    "$program" check "$work/$name.lua" --seconds "$seconds" "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ "$code" = "$want" ] || fault "$name: exit $code: $(cat "$work/out" "$work/err")"
}

# The gradient is wrong in one coordinate.
cat >"$work/slope.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "slope",
  target = cs.target { space = cs.real(2),
    log_density = function(x) return -0.5 * (x[1]^2 + 4 * x[2]^2) end,
    gradient = function(x) return { -x[1], -x[2] } end },
  arms = { mala = cs.kernel.mala { step = 0.5 } },
}
END_LUA
check slope 1
says '^  gradient +BROKEN  along x.2 '
says '^  record +holds '
grep -q 'a law is broken: ' "$work/err" || fault "no error on stderr"

# The possible states are a single state that only the scenario knows, among too
# many states to enumerate.
cat >"$work/nowhere.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "nowhere",
  target = cs.target { space = cs.binary(17), traced = false,
    log_density = function(x)
      local sum = 0
      for i = 1, 17 do sum = sum + x[i] end
      return sum == 17 and 0 or -math.huge
    end },
  arms = { g = cs.kernel.gibbs {} },
  start = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
}
END_LUA
check nowhere 0
says '^  density +holds +finite at 1 state,'
says '^  reach +- +the only known state is the one where chains start, and no other was reached'

# A real space without exact draws, where states are possible only near the
# given start. A kernel that goes right 1 % more often than left is detected.
cat >"$work/walk.lua" <<'END_LUA'
local cs = require "chainscope"
local function steps(by)
  return cs.kernel {
    propose = function(x, draw)
      return { x[1] + 0.05 * draw:normal() + by, x[2] + 0.05 * draw:normal() }
    end,
  }
end
return cs.scenario {
  title = "walk",
  target = cs.target { space = cs.real(2),
    log_density = function(x)
      local far = x[1]^2 + x[2]^2
      return cs.math.where(cs.math.lt(far, 98^2), -math.huge, -(x[1] - 99)^4 - x[2]^2)
    end },
  arms = { right = steps(0), wrong = steps(0.01),
           hmc = cs.kernel.hmc { step = 0.1, leapfrogs = 3 } },
  start = { 99, 0 },
}
END_LUA
check walk 1
says '^  gradient +holds'
says '^  record +holds .* no density of their own'
grep -E '^(arm|  balance)' "$work/out" | tr -s ' \n' ' ' |
    grep -q 'arm right balance holds .* wrong balance BROKEN .* hmc balance holds' ||
    fault "only the asymmetric walk should be broken: $(cat "$work/out")"

# The density has another value at every call.
cat >"$work/clock.lua" <<'END_LUA'
local cs = require "chainscope"
local calls = 0
return cs.scenario {
  title = "clock",
  target = cs.target { space = cs.binary(3), traced = false,
    log_density = function(x) calls = calls + 1 return 1e-3 * calls end },
  arms = { gibbs = cs.kernel.gibbs {} },
}
END_LUA
check clock 1
says '^  density +BROKEN  another value at a second call'

# log_q ignores that the probability of a flip depends on the bit. The state has
# only one bit, and logarithms are precomputed, because one round of the test
# makes hundreds of thousands of calls.
cat >"$work/ratio.lua" <<'END_LUA'
local cs = require "chainscope"
local function flips(forgets)
  local log = {}
  for from = 0, 1 do
    local flip = 0.3 + (forgets and 0 or 0.3 * from)
    log[from] = { [from] = math.log(1 - flip), [1 - from] = math.log(flip) }
  end
  return cs.kernel {
    propose = function(x, draw)
      local from = x[1]
      return { draw:uniform() < 0.3 + 0.3 * from and 1 - from or from }
    end,
    log_q = function(from, to) return log[from[1]][to[1]] end,
  }
end
return cs.scenario {
  title = "ratio",
  target = cs.target { space = cs.binary(1), log_density = function(x) return 0.4 * x[1] end },
  arms = { right = flips(false), wrong = flips(true) },
}
END_LUA
check ratio 1
grep -E '^(arm|  stationarity)' "$work/out" | tr -s ' \n' ' ' |
    grep -q 'arm right stationarity holds .* arm wrong stationarity BROKEN' ||
    fault "only the wrong log_q should be broken: $(cat "$work/out")"

# exp(log_q) overflows or underflows at all states, so that its sums cannot be compared.
sed -e 's/local function flips(forgets)/local function flips(by)/' -e 's/(forgets and 0 or 0.3 \* from)/0.3 * from/' \
    -e 's/math.log(1 - flip)/& + by * (1 + from)/' -e 's/math.log(flip)/& + by * (1 + from)/' \
    -e 's/right = flips(false), wrong = flips(true)/differ = flips(1), large = flips(800), small = flips(-800)/' \
    "$work/ratio.lua" >"$work/range.lua"
check range 1 1 --law sums
for says in 'differ sums BROKEN exp(log_q) sums to 2\.718 .* 7\.389' 'large sums - exp(log_q) is too large to sum' \
    'small sums - exp(log_q) is too small to sum'; do
    grep -E '^(arm|  sums)' "$work/out" | tr -s ' \n' ' ' | grep -q "arm $says" || fault "missing: $says: $(cat "$work/out")"
done

# Each step flips one of four bits, and each kernel rejects some flips: there is
# no path to four ones, no path away from four ones, no path down, or no path in
# either direction.
cat >"$work/one_way.lua" <<'END_LUA'
local cs = require "chainscope"
local function ones(x) return x[1] + x[2] + x[3] + x[4] end
local function flips(refused)
  return cs.kernel { propose = function(x, draw)
    local y, i = {}, 1 + math.floor(4 * draw:uniform())
    for k = 1, 4 do y[k] = k == i and 1 - x[k] or x[k] end
    return refused(ones(x), ones(y)) and x or y
  end }
end
return cs.scenario {
  title = "one way",
  target = cs.target.bernoulli4 {},
  arms = {
    right = flips(function() return false end),
    never_to = flips(function(_, to) return to == 4 end),
    never_from = flips(function(from) return from == 4 end),
    up = flips(function(from, to) return to < from end),
    apart = flips(function(from, to) return from == 4 or to == 4 end),
  },
}
END_LUA
check one_way 1 60 --law reach
ones='\(1 1 1 1\)' zeros='\(0 0 0 0\)'
grep -E '^(arm|  reach)' "$work/out" | tr -s ' \n' ' ' >"$work/reach"
for says in 'right reach holds all 16 possible states of 16 reach each other' \
    "never_to reach BROKEN 1 of the 16 possible states is left for good: no chain returned to $ones from $zeros" \
    "never_from reach BROKEN 15 of the 16 possible states are left for good: no chain returned to $zeros from $ones" \
    'up reach BROKEN 15 of the 16' \
    "apart reach BROKEN the 16 possible states form 2 parts with no observed step between them: $zeros and $ones"; do
    grep -qE "arm $says" "$work/reach" || fault "missing: $says: $(cat "$work/reach")"
done

# A drift that is uncertain after one round of the test. With more seconds the
# test makes more steps.
cat >"$work/drift.lua" <<'END_LUA'
local cs = require "chainscope"
local function steps(by)
  return cs.kernel { propose = function(x, draw)
    return { x[1] + draw:normal() + by, x[2] + draw:normal() }
  end }
end
return cs.scenario {
  title = "drift",
  target = cs.target { space = cs.real(2), log_density = function(x)
    return -0.5 * (x[1]^2 + x[2]^2) end },
  arms = { right = steps(0), doubtful = steps(0.07) },
}
END_LUA
check drift 1 5 --law balance
grep -E '^(arm|  balance)' "$work/out" | tr -s ' \n' ' ' >"$work/balance"
grep -qE 'arm right balance holds .* arm doubtful balance BROKEN .* among [3-9][0-9]{4} steps' "$work/balance" ||
    fault "only the drift should be broken, with more steps: $(cat "$work/balance")"
check drift 0 8 --arm right --law balance
says '^  balance +holds +1[5-9][0-9]{3} steps weighted'

# 65536 states are enumerated. This is done also for a script's density, if it
# is fast. A kernel that updates sites in order is not reported as broken
# because of the weights of its steps.
cat >"$work/listed.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "listed",
  target = cs.target.ising { rows = 4, cols = 4, beta = 0.2 },
  arms = { glu = cs.kernel.edmala_glu {}, order = cs.kernel.gibbs { scan = "systematic" } },
}
END_LUA
check listed 0 20
[ "$(grep -c '^  stationarity  *holds ' "$work/out")" = 2 ] || fault "stationarity is not tested on 2^16 states: $(cat "$work/out")"
[ "$(grep -c '^  reach  *holds  *all 65536 ' "$work/out")" = 2 ] || fault "reach is not tested on 2^16 states: $(cat "$work/out")"
cat >"$work/script.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "script",
  target = cs.target { space = cs.binary(13), traced = false,
    log_density = function(x) return 0.5 * x[1] - 0.2 * x[13] end },
  arms = { gibbs = cs.kernel.gibbs {} },
}
END_LUA
check script 0 2 --law stationarity
says '^  stationarity +holds +[0-9]+ exact draws'
cat >"$work/order.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "order",
  target = cs.target.ising { rows = 5, cols = 5, beta = 0.2 },
  arms = { random = cs.kernel.gibbs {}, order = cs.kernel.gibbs { scan = "systematic" } },
}
END_LUA
check order 0
[ "$(grep -c '^  balance  *holds ' "$work/out")" = 2 ] || fault "steps of gibbs are not weighted: $(cat "$work/out")"

# These kernels are correct, but earlier versions of check reported faults: a
# trajectory that ends in NaN is rejected; a chain that hardly moves was seen to
# move in one direction only.
cat >"$work/diverges.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "diverges",
  target = cs.target { space = cs.real(2),
    log_density = function(x) return x[1]^2 - x[1]^4 - x[2]^2 end },
  arms = { hmc = cs.kernel.hmc { step = 3, leapfrogs = 9 } },
}
END_LUA
check diverges 0
says '^  record +holds'
cat >"$work/seldom.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "seldom",
  target = cs.target { space = cs.binary(1),
    log_density = function(x) return 0 * x[1] end },
  arms = { eta = cs.kernel.edmala_glu { step = 1, eta = 0.01 } },
  seed = 31,
}
END_LUA
check seldom 0
says '^  reach +- +(in [0-9]+ steps chains moved [0-9]+ times: too seldom|time ran out)'
# A chain that has not moved when the time ends may still move later.
cat >"$work/slow.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "slow",
  target = cs.target { space = cs.binary(1), log_density = function(x) return 0 * x[1] end },
  arms = { slow = cs.kernel { propose = function(x)
    if not slept then slept = os.execute("sleep 1.1") end
    return x
  end } },
}
END_LUA
check slow 0 1 --law reach --trust
says '^  reach +- +time ran out'

# The target is independent sets of even size. Changing one site at a time
# reaches no other state, changing two sites at a time does.
cat >"$work/parity.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "parity",
  target = cs.target { space = cs.binary(4), traced = false,
    log_density = function(x)
      local n = 0
      for i = 1, 4 do
        n = n + x[i]
        if i > 1 and x[i - 1] + x[i] == 2 then return -math.huge end
      end
      return n % 2 == 0 and 0.3 * x[1] + 0.2 * n or -math.huge
    end },
  arms = { one = cs.kernel.gibbs {}, two = cs.kernel.gibbs { sites = 2 } },
}
END_LUA
check parity 1 60 --law reach
grep -E '^(arm|  reach)' "$work/out" | tr -s ' \n' ' ' |
    grep -q 'arm one reach BROKEN the 4 possible .* arm two reach holds all 4' ||
    fault "only single flips should be stuck: $(cat "$work/out")"

# Kernels on spins are correct, also those with clusters. The bias of a kernel
# that declares it is not a fault.
cat >"$work/right.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "right",
  target = cs.target.ising { rows = 2, cols = 4, field = 0.2 },
  arms = {
    gibbs = cs.kernel.gibbs {}, blocks = cs.kernel.block_gibbs {},
    clusters = cs.kernel.swendsen_wang {}, wolff = cs.kernel.wolff {},
    dula = cs.kernel.dula { step = 2 },
    dmala = cs.kernel.dmala { step = cs.schedule.cosine { max = 5, min = 0.2,
      period = 7 } },
  },
}
END_LUA
check right 0
says '^  reach +holds   all 256 possible states of 256'
says '^  stationarity +noted   biased, as the kernel declares'
grep -q BROKEN "$work/out" && fault "a correct kernel is reported: $(cat "$work/out")"
# Only one law, only one arm, or both are checked; an unknown law is refused.
lines() { "$program" check "$work/right.lua" "$@" 2>"$work/err" | tr -s ' ' | cut -d' ' -f1,2,3 | tr '\n' ';'; }
[ "$(lines --law again --arm wolff)" = 'target ising;arm wolff; again holds;' ] ||
    fault "wrong output for one law of one arm: $(lines --law again --arm wolff)"
[ "$(lines --law differences)" = 'target ising; differences holds;' ] ||
    fault "wrong output for one law of the target: $(lines --law differences)"
[ "$(lines --law record | grep -o 'record' | wc -l)" = 6 ] || fault "wrong output for one law of six arms"
lines --law recrd >/dev/null
grep -q "unknown law 'recrd': use one of: density, .*, record, .* reach" "$work/err" || fault "$(cat "$work/err")"
"$program" check "$work/right.lua" --arm wulff >"$work/out" 2>&1 && fault "an unknown arm is checked"
says "no arm 'wulff'.*did you mean 'wolff'"
# A step depends on values that are kept between calls; a proposal raises an
# error.
cat >"$work/kept.lua" <<'END_LUA'
local cs = require "chainscope"
local n = 0
return cs.scenario {
  title = "kept",
  target = cs.target.gaussian { dim = 1 },
  arms = {
    kept = cs.kernel { propose = function(x, draw)
      n = n + 1
      return { x[1] + draw:normal() + 0.001 * (n % 7) }
    end },
    raises = cs.kernel { propose = function(x, draw)
      local y = x[1] + draw:normal()
      if y > 2 then error("boom") end
      return { y }
    end },
    right = cs.kernel.hmc {},
  },
}
END_LUA
check kept 1
says '^  again +BROKEN +[0-9]+ of 32 chains ended in other states when repeated'
says '^  again +holds +23 and 13 steps of 32 chains .*any error in the last bit would have been detected'
says '^ +a script: .*kept.lua:13: boom'
[ "$(grep -cE '^  again +BROKEN' "$work/out")" -le 1 ] || fault "again is broken for a correct kernel"
# Kernels that count calls with every small period, for each lane or for each
# step.
cat >"$work/periods.lua" <<'END_LUA'
local cs = require "chainscope"
local function counts(period)
  local n = 0
  return cs.kernel { propose = function(x, draw)
    n = (n + 1) % period
    return { x[1] + draw:normal() + 0.001 * n }
  end }
end
return cs.scenario {
  title = "periods",
  target = cs.target.gaussian { dim = 1 },
  arms = { p2 = counts(2), p3 = counts(3), p4 = counts(4), p6 = counts(6), p8 = counts(8),
           p11 = counts(11), p24 = counts(24), p32 = counts(32) },
}
END_LUA
check periods 1 2 --law again
[ "$(grep -cE '^  again +BROKEN' "$work/out")" = 8 ] || fault "a period is not detected: $(cat "$work/out")"

# If a kernel draws no auxiliary variable, its ratio must be exact. This is
# tested with 0.95 times the ratio, without log_q for proposals of unknown
# density, and with an auxiliary variable.
cat >"$work/exact.lua" <<'END_LUA'
local cs = require "chainscope"
local function kernel(by, t)
  t.omega1 = t.omega1 or function() return 0 end
  t.propose = t.propose or function(x, _, draw) return { x[1] + draw:normal() } end
  t.log_ratio = function(x, y, o, _, _, target)
    return by * (target:log_density(y) - target:log_density(x)) + (o or 0)
  end
  return cs.kernel(t)
end
local function shrink(x, _, draw) return { 0.5 * x[1] + draw:normal() } end
local function log_q(from, to) return -0.5 * (to[1] - 0.5 * from[1])^2 end
return cs.scenario {
  title = "exact",
  target = cs.target { space = cs.real(1), traced = false,
    log_density = function(x) return -0.5 * x[1]^2 end },
  arms = {
    { name = "right", kernel = kernel(1, {}) },
    { name = "cold", kernel = kernel(0.95, {}) },
    { name = "barker", kernel = kernel(1, { accept = "barker" }) },
    { name = "shrinks", kernel = kernel(1, { propose = shrink, log_q = log_q }) },
    { name = "shrinks_cold", kernel = kernel(0.95, { propose = shrink, log_q = log_q }) },
    { name = "unknown", kernel = kernel(0.95, { propose = shrink }) },
    { name = "excused", kernel = kernel(1, { omega1 = function(_, draw) return 0.5 * draw:normal() end }) },
  },
}
END_LUA
check exact 1 5 --law record
grep -E '^(arm|  record)' "$work/out" | tr -s ' \n' ' ' >"$work/record"
for says in 'right record holds 512 log ratios .* an error of [0-9.e-]+ in the log ratio would have been detected' \
    'cold record BROKEN the log ratio is not that of Metropolis and Hastings' \
    'barker record holds' 'shrinks record holds' 'shrinks_cold record BROKEN .* change of log p and log_q' \
    'unknown record - the log ratio differs .* give log_q' 'excused record holds .* an estimate, with a root mean square error of 0\.[0-9]+'; do
    grep -qE "arm $says" "$work/record" || fault "missing: $says: $(cat "$work/record")"
done

# A wrong log_q makes the standard deviation 18 % too small, on a target without
# exact draws. All laws that hold report the error that they would have
# detected, also in JSON.
cat >"$work/narrow.lua" <<'END_LUA'
local cs = require "chainscope"
local function walk(by)
  return cs.kernel { propose = function(x, draw) return { x[1] + draw:normal() } end,
    log_q = function(from) return by * from[1]^2 end }
end
return cs.scenario {
  title = "narrow",
  target = cs.target { space = cs.real(1), traced = false,
    log_density = function(x) return -0.5 * x[1]^2 end },
  arms = { right = walk(0), narrow = walk(-0.2436) },
}
END_LUA
for seed in 1 2 3; do
    check narrow 1 20 --law stationarity --arm narrow --set seed=$seed
    says '^  stationarity BROKEN +[0-9]+ weighted draws no longer follow the target after'
done
check narrow 0 1 --arm right
grep -E ' holds ' "$work/out" | grep -vE 'error .* would have been detected' && fault "no power is reported"
says '^  stationarity holds .* an error of 0[.0-9]+ sds in the mean or the sd of a coordinate would have been detected \(power 99 %\)'
check narrow 0 1 --arm right --format json
grep -v '^{"arm": .*, "law": ".*", "verdict": "\(holds\|untried\)", "error": .*, "unit": .*, "power": .*, "text": ".*"}$' "$work/out" &&
    fault "not one JSON object per line"
grep -q '"law": "balance", "verdict": "holds", "error": 0[.0-9]*, "unit": "in the share of steps that go one way", "power": 0.99' "$work/out" ||
    fault "no power in JSON: $(cat "$work/out")"

# In a space with few states the transition matrix is used.
cat >"$work/matrix.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "matrix",
  target = cs.target.bernoulli4 {},
  arms = { right = cs.kernel.dmala { step = 1 },
    wrong = cs.kernel { propose = function(x, draw) -- sites 1 and 2 are left by other chances than entered
      local y, i = { x[1], x[2], x[3], x[4] }, draw:below(4)
      if i > 2 or draw:uniform() < 0.5 + 0.1 * x[1] then y[i] = 1 - y[i] end
      return y
    end },
  },
}
END_LUA
check matrix 1 10 --law transitions
grep -E '^(arm|  transitions)' "$work/out" | tr -s ' \n' ' ' |
    grep -qE 'right transitions holds [0-9]+ steps from each of 16 states .* an error of 0[.0-9]+ in the probability of a state would .* wrong transitions BROKEN .* off by up to 0\.[0-9]+' ||
    fault "wrong result for the matrix: $(cat "$work/out")"

# Two members that redraw the same bits may return to the state before the step.
# Such a step counts as moved.
cat >"$work/back.lua" <<'END_LUA'
local cs = require "chainscope"
return cs.scenario {
  title = "back",
  target = cs.target { params = { { z = cs.bit(2) }, { x = cs.real() } },
    log_density = function(p) return cs.lpdf.normal(p.x, p.z[1] - p.z[2], 1) end },
  arms = { twice = cs.kernel.mixture {
    cs.kernel.cycle { cs.kernel.gibbs { on = "z" }, cs.kernel.gibbs { on = "z", name = "again" } },
    cs.kernel.random_walk { on = "x" } } },
}
END_LUA
check back 0 1 --law record
says '^  record +holds'

# Arrays that are passed to targets are aligned. (With a misaligned array five
# of six runs crashed.)
check exact 0 1 --law record --arm right
exit "$faults"
