-- Tests targets with a function `sample`: right and wrong draws, whose laws the check reports, and a
-- fault of a kernel that is found with them and was not found without.
local cs = require "chainscope"
local core = require "chainscope.core"
local M = cs.math

local function refused(what, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and tostring(text):find(what, 1, true), tostring(text))
end

-- Returns the finding of a law: its verdict and its text.
local function found(target, law, kernel, fields)
  local run = cs.open { target = target, seed = fields and fields.seed or 3, chains = 4, start = fields and fields.start,
                        arms = { a = kernel or cs.kernel.random_walk {} } }
  local verdict, text = "none", ""
  for _, one in ipairs(core.run_check(run, fields and fields.seconds or 3600, law, nil, fields and fields.draws or 8000)) do
    if one.law == law or one.verdict == "broken" then verdict, text = one.verdict, one.law .. ": " .. one.text end
    if one.law == "sample" and one.verdict == "broken" then break end
  end
  return verdict, text
end
local function expect(verdict, words, target, law, kernel, fields)
  local got, text = found(target, law, kernel, fields)
  assert(got == verdict and text:find(words), ("%s, not %s: %s"):format(got, verdict, text))
end

-- Two hills, 12 apart, with 30 and 70 % of the mass.
local function hills(sample)
  return cs.target { space = cs.real(1), sample = sample, log_density = function(x)
    return M.log_sum_exp(M.vector { M.log(0.3) - 0.5 * (x[1] + 6)^2, M.log(0.7) - 0.5 * (x[1] - 6)^2 })
  end }
end
local at = { start = { { 6 }, { -6 } } }
local function drawn(share, sd)
  return function(draw) return { (draw:uniform() < share and -6 or 6) + sd * draw:normal() } end
end

-- Draws that follow the density, for ten seeds, and draws with a wrong share, a wrong width, a hill
-- that is missing, without a density, or without any spread.
for seed = 1, 6 do expect("holds", "follow the density", hills(drawn(0.3, 1)), "sample", nil, { start = at.start, seed = seed, draws = 4000 }) end
for _, sample in ipairs { drawn(0.45, 1), drawn(0.3, 1.15), drawn(0, 1) } do
  expect("broken", "sample: .* do not follow", hills(sample), "sample", nil, at)
end
expect("broken", "same in all draws", hills(function() return { 6 } end), "sample", nil, at)
local exponential = cs.target { space = cs.real(1), sample = function(draw) return { draw:normal() } end,
  log_density = function(x) return M.where(M.lt(0, x[1]), -x[1], -math.huge) end }
expect("broken", "%-inf at %d+ of 32 draws", exponential, "sample", nil, { start = { 1 } })
-- An error of the function is reported.
expect("broken", "failed", hills(function() return 6 end), "sample", nil, at)
expect("broken", "failed", hills(function() return { 0 / 0 } end), "sample", nil, at)
refused("field 'sample' is a number", hills, 7)

-- Other spaces: parameters by name, few states, many bits, and a label with a number.
local function gamma(shape)
  return cs.target { params = { tau = cs.positive() }, log_density = function(p) return 2 * M.log(p.tau) - p.tau end,
    sample = function(draw)
      local tau = 0
      for _ = 1, shape do tau = tau + draw:exponential() end
      return { tau = tau }
    end }
end
expect("holds", "follow", gamma(3), "sample")
expect("broken", "do not follow", gamma(2), "sample")
local function islands(share)
  return cs.target { space = cs.ordinal(1, 1, 3), log_density = function(x) return M.log(x[1]) end, sample = function(draw)
    local u = 6 * draw:uniform()
    return { u < share and 1 or u < 3 and 2 or 3 }
  end }
end
expect("holds", "follow", islands(1), "sample")
expect("broken", "total variation", islands(1.3), "sample")
local function bits(p)
  return cs.target { space = cs.binary(40), log_density = function(x) return M.sum(x) end, sample = function(draw)
    local x = {}
    for i = 1, 40 do x[i] = draw:uniform() < p and 1 or 0 end
    return x
  end }
end
expect("holds", "follow", bits(1 / (1 + math.exp(-1))), "sample")
expect("broken", "do not follow", bits(0.75), "sample")
local function mixed(p)
  return cs.target { params = { { z = cs.label(2) }, { x = cs.real() } },
    log_density = function(t) return cs.lpdf.normal(t.x, 4 * t.z, 1) + M.vector { math.log(0.3), math.log(0.7) }[t.z] end,
    sample = function(draw)
      local z = draw:uniform() < p and 1 or 2
      return { z = z, x = 4 * z + draw:normal() }
    end }
end
local function both() return cs.kernel.cycle { cs.kernel.gibbs { on = "z" }, cs.kernel.random_walk { on = "x" } } end
expect("holds", "follow", mixed(0.3), "sample", both())
expect("broken", "do not follow", mixed(0.4), "sample", both())

-- A step that depends on the state, without its log_q, and a power of the density in the ratio: not
-- found without draws, since weighted states around the chains are too uneven between two hills.
local function centre(x) return math.abs(math.abs(x) - 6) end
local function step_of_state()
  return cs.kernel { propose = function(x, draw) return { x[1] + (centre(x[1]) < 1 and 0.5 or 2) * draw:normal() } end }
end
local function power()
  return cs.kernel { omega1 = function(_, draw) return draw:normal() end, propose = function(x, z) return { x[1] + 1.5 * z } end,
    omega2 = function(_, _, z) return -z end,
    log_ratio = function(x, y, _, _, _, target) return 0.9 * (target:log_density(y) - target:log_density(x)) end }
end
local function walk() return cs.kernel { propose = function(x, draw) return { x[1] + 1.5 * draw:normal() } end } end
local long = { start = at.start, draws = 20000 }
for _, kernel in ipairs { step_of_state, power } do
  expect("untried", "no exact draws", hills(), "stationarity", kernel(), long)
  expect("broken", "stationarity: .* no longer follow", hills(drawn(0.3, 1)), "stationarity", kernel(), long)
end
expect("holds", "exact draws still follow", hills(drawn(0.3, 1)), "stationarity", walk(), long)
-- Wrong draws are reported as such, and not as a fault of the kernel.
local run = cs.open { target = hills(drawn(0.3, 1.15)), seed = 3, chains = 4, start = at.start, arms = { a = walk() } }
local wrong = {}
for _, one in ipairs(core.run_check(run, 3600, "stationarity", nil, 20000)) do
  if one.verdict == "broken" then wrong[#wrong + 1] = one.law end
end
assert(#wrong == 1 and wrong[1] == "sample", table.concat(wrong, " "))
