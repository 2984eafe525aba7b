-- Tests modes that a script declares for its own target: the visits to the
-- modes, their shares, and errors.
local cs = require "chainscope"

local function wells(x) -- wells at -3 and 3; the second has three times the mass
  local a, b = x[1] + 3, x[1] - 3
  return cs.math.log(0.25 * cs.math.exp(-0.5 * a * a) + 0.75 * cs.math.exp(-0.5 * b * b))
end

local function target(more)
  local t = { space = cs.real(1), log_density = wells }
  for k, v in pairs(more) do t[k] = v end
  return cs.target(t)
end

local function run_of(t)
  local run = cs.open {
    title = "two wells", target = t, chains = 8, seed = 4, start = { 0 },
    arms = { a = cs.kernel.random_walk { step = 5 } }, budget = { steps = 4000 }, warmup = 0,
    screen = { "visits" },
  }
  run:step(4000)
  return run
end

for _, traced in ipairs { true, false } do
  local run = run_of(target { modes = { { -3 }, { 3 } }, mode_shares = { 0.25, 0.75 }, traced = traced })
  local weight = run:report "arm/a/modes/weight"
  local all = run:report "arm/a/modes/all"
  assert(weight[1] == 0.25 and weight[2] == 0.75)
  local share = all[1] / (all[1] + all[2])
  assert(math.abs(share - 0.25) < 0.03, share)
end

-- A draw belongs to a mode if its distance from the mode is at most
-- `mode_radius`, otherwise to no mode. Without exact shares no comparison is
-- made.
local run = run_of(target { modes = { { -3 }, { 3 } }, mode_radius = 0.5 })
assert(not run:report "arm/a/modes/weight" and not run:report "arm/a/modes/tv")
local near = { 0, 0 }
for _, chain in ipairs(run.arms.a.chains) do
  for _, x in ipairs(chain:draws()) do
    for k, mode in ipairs { -3, 3 } do near[k] = near[k] + (math.abs(x[1] - mode) <= 0.5 and 1 or 0) end
  end
end
local all = { 0, 0 }
for _, row in ipairs(run:report "arm/a/modes/visits") do
  for k = 1, 2 do all[k] = all[k] + row[k] end
end
assert(near[1] > 100 and all[1] == near[1] and all[2] == near[2],
  ("%g and %g visits of %d and %d draws"):format(all[1], all[2], near[1], near[2]))

local function refused(more, words)
  local good, why = pcall(target, more)
  if good or not tostring(why):find(words, 1, true) then error(words .. ": " .. tostring(why), 2) end
end
refused({ modes = { { 1, 2 } } }, "1 points of 2 numbers; a point must have 1")
refused({ modes = { { 1 }, { 2 } }, mode_shares = { 1 } }, "must be probabilities of the 2 modes")
refused({ modes = { { 1 }, { 2 } }, mode_shares = { 0.5, 0.4 } }, "must be probabilities")
refused({ modes = { { 1 }, { 2 } }, mode_shares = { 1.5, -0.5 } }, "must be probabilities")
refused({ modes = { { 1 } }, mode_radius = 0 }, "mode_radius")
refused({ mode_radius = 1 }, "'mode_radius' needs modes")
refused({ modes = {} }, "modes")
refused({ modes = { { "a" } } }, "modes")
refused({ modes = { { 0 / 0 } } }, "modes")
