-- Tests kernels whose proposal is a deterministic map, and the law `returns` of check: leapfrogs
-- that are right, unfinished or crude, a map that changes volumes, and values that are refused.
local cs, core = require "chainscope", require "chainscope.core"

local rho = 0.7
local function pair() return cs.target.gaussian { mean = { 0, 0 }, covariance = { { 1, rho }, { rho, 1 } } } end
local function opened(kernel, seed, target)
  return cs.open { target = target or pair(), chains = 4, seed = seed or 1, start = { { 1, 0.5 }, { -1, 1 } }, arms = { a = kernel } }
end

local function momentum(x, draw)
  local v = {}
  for i = 1, #x do v[i] = draw:normal() end
  return v
end

local function kinetic(v)
  local sum = 0
  for i = 1, #v do sum = sum + v[i]^2 / 2 end
  return sum
end

local function energies(x, y, v, w, _, t) return t:log_density(y) - kinetic(w) - t:log_density(x) + kinetic(v) end

-- Leapfrogs whose first and last changes of the momentum are `first` and `last` steps. They change
-- x and v in place, as most programs do. sign(v) is the factor of the momentum at the end.
local function leapfrogs(first, last, sign)
  return cs.kernel { params = { step = 0.5 }, omega1 = momentum, log_ratio = energies,
    map = function(x, v, p, t)
      for k = 1, 6 do
        local g, kick = t:gradient(x), k == 1 and first or k == 6 and last or 1
        for i = 1, #x do v[i] = v[i] + kick * p.step * g[i] end
        for i = 1, k < 6 and #x or 0 do x[i] = x[i] + p.step * v[i] end
      end
      local factor = sign and sign(v) or 1
      for i = 1, #v do v[i] = factor * v[i] end
      return x, v
    end }
end

local function finding(kernel, seed, target)
  local list = core.run_check(opened(kernel, seed, target), 1, "returns", nil)
  assert(#list == 1 and list[1].law == "returns" and list[1].arm == "a")
  return list[1]
end

local function holds(kernel, words)
  for seed = 1, 3 do
    local f = finding(kernel, seed)
    assert(f.verdict == "holds" and f.text:find(words, 1, true), f.verdict .. ": " .. f.text)
  end
end

local function breaks(kernel, words)
  for seed = 1, 3 do
    local f = finding(kernel, seed)
    assert(f.verdict == "broken" and f.text:find(words, 1, true), f.verdict .. ": " .. f.text)
  end
end

-- ---- the law ----------------------------------------------------------------------

holds(leapfrogs(0.5, 0.5), "512 runs of the map return")
holds(leapfrogs(0.5, 0.5), "preserves volumes at 16 states")
-- A map may reverse the momentum itself, but not at some states only.
holds(leapfrogs(0.5, 0.5, function() return -1 end), "run again from its end, and it preserves volumes")
breaks(leapfrogs(0.5, 1, function() return -1 end), "do not return")
breaks(leapfrogs(0.5, 0.5, function(v) return v[1] > 0.5 and -1 or 1 end), "do not return")
holds(cs.plain.hmc { step = 0.4, leapfrogs = 6 }, "preserves volumes at 16 states")
holds(leapfrogs(1, 1), "preserves volumes") -- symmetric, and therefore right, though crude
breaks(leapfrogs(0.5, 1), "512 of 512 runs of the map do not return")
breaks(leapfrogs(0.6, 0.5), "runs of the map do not return")

-- A small error of the return is found, and an error within rounding is not.
local function shifted(by)
  return cs.kernel { omega1 = momentum, log_ratio = energies,
    map = function(x, v) return { x[1] + v[1] + by, x[2] + v[2] }, v end }
end
breaks(shifted(1e-6), "x.1: 2e-06 away")
holds(shifted(1e-12), "return")

-- A map may return and still change volumes: y = x exp(v) multiplies them by exp(v).
local function scale(x, v) return { x[1] * math.exp(v[1]), x[2] }, v end
breaks(cs.kernel { omega1 = momentum, map = scale, log_ratio = energies }, "does not preserve volumes")
-- A smaller error of the volume: 1 + 1e-3 for each of two coordinates.
local function swell(x, v) return { v[1] * 1.001, v[2] * 1.001 }, { -x[1] / 1.001, -x[2] / 1.001 } end
holds(cs.kernel { omega1 = momentum, map = swell, log_ratio = energies }, "preserves volumes")
local function shrink(x, v) return { x[1] * math.exp(0.001 * v[1]), x[2] }, v end
breaks(cs.kernel { omega1 = momentum, map = shrink, log_ratio = energies }, "does not preserve volumes")

-- On a discrete target only the return is tested.
local bits = cs.target.ising { rows = 3, cols = 3, beta = 0.2 }
local function some(_, draw) return { draw:uniform() < 0.5 and -1 or 1, draw:normal() } end
local function turn(x, v)
  x[5] = 1 - x[5]
  return x, v
end
local function kernel_of_bits(map) return cs.kernel { omega1 = some, map = map, log_ratio = function(x, y, _, _, _, t)
  return t:log_density(y) - t:log_density(x)
end } end
local function bits_finding(map)
  return core.run_check(cs.open { target = bits, chains = 4, seed = 1, arms = { a = kernel_of_bits(map) } }, 1, "returns", nil)[1]
end
assert(bits_finding(turn).text:find "volumes were not tested")
assert(bits_finding(function(x, v)
  x[5] = v[1] < 0 and 1 or x[5]
  return x, v
end).verdict == "broken")

-- A map that spreads neighbouring states too much is not decided.
local function chaos(x, v)
  for _ = 1, 2 do v[1] = v[1] + 1e3 * math.sin(1e3 * x[1]) end
  return x, v
end
assert(finding(cs.kernel { omega1 = momentum, map = chaos, log_ratio = energies }).verdict == "untried")
-- Other kernels have no map.
assert(#core.run_check(opened(cs.kernel.hmc {}), 1, "returns", nil) == 0)

-- ---- the chain ------------------------------------------------------------------------

-- The kernel accepts as often as the built-in one with the same parameters: three errors of the
-- difference of two rates, with some 4 x 4000 proposals each.
local run = cs.open { target = pair(), chains = 4, seed = 3, arms = {
  own = leapfrogs(0.5, 0.5), hmc = cs.kernel.hmc { step = 0.5, leapfrogs = 5, jitter = 0 } } }
run:step(4000)
local function rate(name) return run:judge({ { arm = name, stat = "acceptance", at_least = 0 } })[1].value end
local p = rate "hmc"
assert(p > 0.5 and p < 0.99 and math.abs(rate "own" - p) < 3 * math.sqrt(2 * p * (1 - p) / 16000), rate "own" .. " and " .. p)

-- omega1 keeps its values though the map changes its argument, so that energies differ.
run = opened(leapfrogs(0.5, 0.5))
local different = false
for _ = 1, 20 do
  run:step(1)
  different = different or math.abs(run:arm("a"):chain(1):info().log_ratio) > 1e-3
end
assert(different)

-- A trajectory whose momentum has no value at its end is rejected, as one outside of the support of
-- the target: the gradient of log x is taken to be unknown for x < 0.
local half = cs.target { space = cs.real(1), log_density = function(x)
  return cs.math.where(cs.math.lt(0, x[1]), cs.math.log(cs.math.abs(x[1])) - x[1], -math.huge)
end }
local function one_leap(x, v)
  local function slope(y) return y > 0 and 1 / y - 1 or 0 / 0 end
  v[1] = v[1] + 0.5 * slope(x[1])
  x[1] = x[1] + v[1]
  v[1] = v[1] + 0.5 * slope(x[1])
  return x, v
end
local leaps = cs.kernel { omega1 = momentum, log_ratio = energies, map = one_leap }
run = cs.open { target = half, chains = 4, seed = 4, start = { { 2 } }, arms = { a = leaps } }
run:step(4000)
local mean, acceptance = run:arm("a"):figure("mean", 1), run:judge({ { arm = "a", stat = "acceptance", at_least = 0 } })[1].value
assert(math.abs(mean - 2) < 3 * run:arm("a"):figure("mcse", 1), mean) -- gamma(2, 1)
assert(acceptance > 0.3 and acceptance < 0.95, acceptance)
local outside = core.run_check(cs.open { target = half, chains = 4, seed = 4, start = { { 2 } }, arms = { a = leaps } }, 1, "returns", nil)[1]
assert(outside.verdict == "holds", outside.text)

-- ---- errors --------------------------------------------------------------------------

local function refused(words, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and tostring(text):find(words, 1, true), tostring(text))
end
local function stops(words, fields)
  local t = { omega1 = momentum, log_ratio = energies, map = function(x, v) return x, v end }
  for key, value in pairs(fields) do t[key] = value end
  local r = opened(cs.kernel(t))
  refused(words, r.step, r, 1)
end
refused("needs the field 'omega1'", cs.kernel, { map = scale, log_ratio = energies })
refused("needs the field 'log_ratio'", cs.kernel, { map = scale, omega1 = momentum })
refused("propose", cs.kernel, { map = scale, omega1 = momentum, log_ratio = energies, propose = print })
stops("the value of omega1 is a number: a kernel with a map needs a list of numbers", { omega1 = function() return 1 end })
stops("the value of omega1 is a table without numbers", { omega1 = function() return {} end })
stops("a number of omega1 is not finite", { omega1 = function() return { 0 / 0 } end })
stops("the second value of map is a nil: return y, and the variable at the end", { map = function(x) return x end })
stops("the second value of map has 1 numbers, and omega1 has 2", { map = function(x, v) return x, { v[1] } end })
stops("the value of map is a nil, not a state", { map = function(_, v) return nil, v end })
stops("a coordinate of map is not finite", { map = function(_, v) return { 1 / 0, 0 }, v end })
stops("a number of the second value of map is a nil", { map = function(x, v) return x, { nil, v[2] } end })
local f = finding(cs.kernel { omega1 = momentum, log_ratio = energies, map = function(x) return x end })
assert(f.verdict == "broken" and f.text:find("omega1 or map failed", 1, true), f.text)
