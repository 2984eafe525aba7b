-- Tests that members learn their metrics in the warm-up: nuts as a member of a cycle reaches the
-- metric, the step and the effective sample size per gradient that it reaches as the kernel of an arm.
local cs = require "chainscope"
local lpdf = cs.lpdf

local function density(p) return lpdf.normal(p.a, 0, 1) + lpdf.normal(p.b, 0, 1000) end
local real = cs.target { params = { { a = cs.real(2) }, { b = cs.real(2) } }, log_density = density }
local mixed = cs.target {
  params = { { a = cs.real(2) }, { z = cs.label(3, 2) }, { b = cs.real(2) } },
  log_density = function(p) return density(p) + lpdf.categorical(p.z, { 0.2, 0.3, 0.5 }) end,
}
local function opened(target, kernel, fields)
  local t = { target = target, seed = 3, chains = 8, arms = { arm = kernel } }
  for key, v in next, fields or {} do t[key] = v end
  return cs.open(t)
end
local function near(what, x, y, within)
  assert(math.abs(x / y - 1) < within, ("%s: %g, not %g"):format(what, x, y))
end
local function nuts(fields)
  local all = { on = { "a", "b" }, name = "real" }
  for key, v in next, fields or {} do all[key] = v end
  return cs.kernel.nuts(all)
end
local function cycle(fields) return cs.kernel.cycle { nuts(fields), cs.kernel.gibbs { on = "z" } } end

-- Returns the effective sample size of the sums of squares and of the coordinates, per gradient.
local function worth(run)
  local arm, least = run:arm("arm"), math.huge
  for _, name in ipairs { "a.1", "a.2", "b.1", "b.2" } do least = math.min(least, arm:figure("ess", name)) end
  return least / arm:figure "gradients"
end

local alone, whole = opened(real, cs.kernel.nuts {}), opened(mixed, cycle())
alone:step(6000)
whole:step(6000)
local one, other = alone:arm("arm"):metric(), whole:arm("arm"):metric().real
assert(#one == 4 and #other == 4 and #other.centre == 4)
for i = 1, 4 do
  near("variance " .. i, other[i], i < 3 and 1 or 1e6, 0.2)
  near("variance " .. i, other[i], one[i], 0.2)
end
near("step", whole:arm("arm").params["real.step"], alone:arm("arm").params.step, 0.2)
near("effective sample size per gradient", worth(whole), worth(alone), 0.2)
local text = whole:summary()
assert(text:find("tuned by window_adaptation in 1000 steps: real.step [%d.]+, real diagonal metric"), text)

-- A member with a metric of its own keeps it; only its step is tuned.
local given = opened(mixed, cycle { metric = { 4, 4, 9, 9 } })
given:step(1200)
assert(table.concat(given:arm("arm"):metric().real, " ") == "4.0 4.0 9.0 9.0")

-- Each member of a tree has a metric, also where a mixture makes the steps of one of them. The metric
-- of a member that is not tuned, because another is named, is the unit metric.
local function pair()
  return cs.kernel.cycle {
    cs.kernel.mixture { cs.kernel.mala { on = "a", name = "near" }, cs.kernel.hmc { on = "b", name = "far" }, name = "both" },
    cs.kernel.gibbs { on = "z" },
  }
end
local function learned(parameter)
  local run = opened(mixed, pair(), { arms = { arm = { kernel = pair(),
    tuner = cs.tuner.window_adaptation { steps = 2000, metric = "diagonal", parameter = parameter } } } })
  run:step(2200)
  return run:arm("arm"):metric()
end
local all = learned "step"
for i = 1, 2 do
  near("near " .. i, all["both.near"][i], 1, 0.3)
  near("far " .. i, all["both.far"][i], 1e6, 0.3)
end
local part = learned "both.far.step"
assert(part["both.far"] and not part["both.near"])

-- At most eight members are tuned. A member without a step and without a metric is not one of them.
local eight = cs.target {
  params = { { a = cs.real(8) }, { z = cs.label(3, 2) } },
  log_density = function(p) return lpdf.normal(p.a, 0, 1) + lpdf.categorical(p.z, { 0.2, 0.3, 0.5 }) end,
}
local members = {}
for i = 1, 8 do members[i] = cs.kernel.mala { on = { "a." .. i }, name = "m" .. i, metric = { 1 } } end
members[9] = cs.kernel.locally_balanced { on = "z" }
opened(eight, cs.kernel.cycle(members), { budget = { steps = 10 } }):step(10)
