-- Tests the estimate of the bias of kernels without an accept step. The estimate comes from a
-- second run at half the step size, and is compared with the exact value. On a standard Gaussian,
-- where a step leads from x to x - rate x + sqrt(2 rate) z, the variance of the chain is 1 / (1 -
-- rate / 2).
local cs = require "chainscope"
local K = cs.kernel

local function rows_of(spec)
  spec.seed, spec.budget = spec.seed or 3, { steps = 40000 }
  local run = cs.open(spec)
  run:step(40000)
  return run:bias(), run
end

local rate = 0.2
local sd = 1 / math.sqrt(1 - rate / 2)
local rows = rows_of {
  target = cs.target.gaussian { dim = 2 },
  arms = { sgld = K.sgld { rate = rate }, exact = K.mala { step = 1 } },
}
assert(#rows == 1 and rows[1].arm == "sgld" and rows[1].param == "rate" and rows[1].half == 0.1)
local of_sd, of_mean = rows[1].sd, rows[1].mean
assert(math.abs(of_sd.bias - math.log(sd)) < 4 * of_sd.error, tostring(of_sd.bias))
assert(of_sd.bias > 3 * of_sd.error, "not seen: " .. tostring(of_sd.bias / of_sd.error))
assert(math.abs(of_mean.bias) < 4 * of_mean.error)
assert(of_mean.most >= math.abs(of_mean.bias) + 2 * of_mean.error and of_sd.most < 0.2)
assert(tostring(rows):find "^bias of sgld %(sgld%), from an equally long run at half its rate %(0.1%): no bias found in any mean, at most 0.%d+ sd; %+%S+ %+%- %S+ %% in the sd of x.[12]$",
       tostring(rows))

-- The mean under a biased kernel is compared with the mean of an arm that has an accept step. The
-- scenario gives its arms as a list. The second run, at half the step size, omits the events and
-- the claims of a scenario.
local skewed = cs.target { space = cs.real(1), log_density = function(x) return 2 * x[1] - math.exp(1) ^ x[1] end }
local bias, run = rows_of {
  target = skewed, start = { { 0 } }, chains = 8,
  arms = { { name = "fast", kernel = K.sgld { rate = 0.3 } }, { name = "exact", kernel = K.mala { step = 0.8 } } },
}
local fast, exact = run:arm("fast"), run:arm("exact")
local sds = exact:figure("sd", "x.1")
local off = (fast:figure("mean", "x.1") - exact:figure("mean", "x.1")) / sds
local said = bias[1].mean
assert(math.abs(off) > 0.03 and math.abs(said.bias - off) < 4 * said.error + 0.15 * math.abs(off),
       ("%g is said, %g is measured"):format(said.bias, off))

-- If the bias cannot be estimated, the reason is reported.
local function why(kernel)
  local list = rows_of { target = cs.target.gaussian { dim = 1 }, arms = { a = kernel } }
  return tostring(list)
end
assert(why(K.sgld { rate = cs.schedule.cosine { period = 100, max = 0.2, min = 0.1 } }):find "its rate follows a schedule")
assert(why(K.random_walk { step = 1 }) == "no arm has a kernel without an accept step")
local short = cs.open { target = cs.target.gaussian { dim = 1 }, arms = { a = K.sgld { rate = 0.1 } } }
short:step(100)
short:step(900)
assert(tostring(short:bias()):find "not estimated: a quantity has %d+ effective draws, but 160 are needed")
short = cs.open { target = cs.target.gaussian { dim = 1 }, arms = { a = K.sgld { rate = 0.1 } } }
short:step(100)
assert(tostring(short:bias()):find "not estimated: chain 1 has 100 draws, but 256 are needed")
local changed = cs.open { target = cs.target.gaussian { dim = 1 }, arms = { a = K.sgld { rate = 0.1 } } }
changed:step(3000)
changed:set "a.rate=0.2"
changed:step(3000)
assert(tostring(changed:bias()):find "not estimated: its parameters were changed during the run", changed:journal())
