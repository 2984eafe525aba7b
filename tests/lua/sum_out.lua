-- Tests members that sum out discrete parameters: the names of their coordinates, equal draws with one
-- and with eight chains, and messages for bad fields.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf

local function refused(what, hint, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok, "nothing is refused: " .. what)
  assert(text:find(what, 1, true) and text:find(hint, 1, true), text)
end

local y = { -2.1, -1.4, -0.3, 0.2, 0.9, 1.7, 2.2, 3.0 }
local function mixture()
  return cs.target {
    params = { { mu = cs.real(2) }, { z = cs.label(2, #y) } },
    log_density = function(p)
      return lpdf.categorical(p.z, { 0.35, 0.65 }) + lpdf.normal(p.mu, { -1, 1.5 }, 1.5) +
             lpdf.normal(y, M.gather(p.mu, p.z), 1)
    end,
  }
end
local function opened(target, kernel, fields)
  local t = { target = target, seed = 7, chains = 8, warmup = 0, arms = { a = kernel } }
  for key, v in next, fields or {} do t[key] = v end
  return cs.open(t)
end
local function nuts(fields) return cs.kernel.nuts { step = 0.6, on = "mu", sum_out = fields or "z" } end

-- One chain and the first of eight are equal, and so are names and coordinates.
local all = opened(mixture(), cs.kernel.cycle { nuts() })
local one = opened(mixture(), cs.kernel.cycle { nuts { 3, 4, 5, 6, 7, 8, 9, 10 } }, { chains = 1 })
all:step(200)
one:step(200)
local a, b = all:arm("a"):chain(1):state(), one:arm("a"):chain(1):state()
for i = 1, 10 do assert(a[i] == b[i], ("coordinate %d: %.17g, %.17g"):format(i, a[i], b[i])) end
local first, last = all:arm("a"):chain(1):draws()[1], all:arm("a"):chain(1):draws()[200]
assert(first["mu.1"] ~= last["mu.1"])

-- The parts of a mixture that sum out the same labels share the sum.
local both = opened(mixture(), cs.kernel.mixture { nuts(), cs.kernel.random_walk { on = "mu", sum_out = "z", name = "walk" } })
both:step(500)


assert(both:arm("a").log_densities > 0 and both:arm("a").site_differences == 0)

-- A chain for which a site has no probabilities stops, and the reason names the site and the value.
local function stops(kernel, density, reason)
  local bad = cs.target { params = { { mu = cs.real(2) }, { z = cs.label(2, 3) } }, log_density = density }
  local run = opened(bad, kernel, { chains = 1, start = { { mu = { 2, -3 }, z = { 1, 1, 1 } } } })
  local ok, text = pcall(run.step, run, 3)
  text = ok and run:fault() or text
  assert(text:find(reason, 1, true), text)
  assert(run:arm("a"):chain(1):state()[4] == 1)
end
for _, kernel in ipairs { cs.kernel.cycle { nuts() }, cs.kernel.cycle { cs.kernel.cycle { nuts() } } } do
  stops(kernel, function(p) return M.sum(M.log(M.vector { 5, 1, 5 } + M.gather(p.mu, p.z))) - M.sum(p.mu ^ 2) end,
        "log p is NaN for z.2 = 2")
end

-- Refusals.
local function open(target, k) return function() opened(target, k) end end
local function slow() return cs.target { params = { { mu = cs.real() }, { b = cs.bit(2) } }, log_density = function(p) return -(p.mu - p.b[1] * p.b[2]) ^ 2 end } end
refused("'sum_out' must be a list", "sum_out = { 1, 2 }", cs.kernel.nuts, { on = "mu", sum_out = {} })
refused("entry 1 of 'sum_out' is a table", "sum_out = { \"mu\" }", cs.kernel.nuts, { on = "mu", sum_out = { {} } })
refused("arm a: 'sum_out' of a kernel is for the members", "sum_out = ...", open(mixture(), cs.kernel.nuts { sum_out = "z" }))
refused("the target has no parameter 'x'", "z", open(mixture(), cs.kernel.cycle { nuts "x" }))
refused("cannot move z.1 and sum it out", "'sum_out'", open(mixture(), cs.kernel.cycle { cs.kernel.gibbs { on = "z", sum_out = "z" } }))
refused("only discrete coordinates can be summed out", "", open(mixture(), cs.kernel.cycle { cs.kernel.gibbs { on = "z", sum_out = "mu" } }))
refused("b.1 and b.2 cannot be summed out", "sweep", open(slow(), cs.kernel.cycle { cs.kernel.nuts { on = "mu", sum_out = "b" } }))
refused("no member moves z.1", "'on' of a member", open(mixture(), cs.kernel.cycle { cs.kernel.nuts { on = "mu", sum_out = { 4, 5, 6, 7, 8, 9, 10 } } }))
refused("a member sums out coordinates", "wrap", cs.kernel.parallel_tempering, { kernel = cs.kernel.cycle { nuts() } })
refused("a member sums out coordinates", "wrap", cs.kernel.parallel_tempering, { kernel = cs.kernel.cycle { cs.kernel.cycle { nuts() } } })
refused("has no field 'sum_out'", "on", cs.kernel.cycle, { nuts(), sum_out = "z" })

-- The law `reach` counts the draw of the labels as one move, with that of the member's own sites.
local function bits()
  return cs.target {
    params = { { b = cs.bit() }, { z = cs.label(2, 3) } },
    log_density = function(p) return lpdf.normal({ -0.5, 0.3, 2.5 }, M.gather({ 1, -1 }, p.z) * (2 * p.b - 1), 1) end,
  }
end
local core = require "chainscope.core"
local found = core.run_check(opened(bits(), cs.kernel.cycle { cs.kernel.gibbs { on = "b", sum_out = "z" } }), 1, "reach", "a")
assert(found[1].law == "reach" and found[1].verdict == "holds", found[1].text)
