-- Tests the default warm-up of `chainscope run`, for scenarios that specify
-- none.
local cs = require "chainscope"
local words = require("chainscope.core").words

local function open(fields, ...)
  local t = { title = "Warm-ups", target = cs.target.gaussian { dim = 1 }, chains = 2,
              arms = { a = cs.kernel.random_walk { step = 1 } } }
  for name, value in next, fields do t[name] = value end
  return words.open(cs.scenario(t), { ... })
end
local function warmup(...)
  return tonumber(open(...):journal():match "\n0 run warmup (%d+)\n") or 0
end

local usual, saved = "default_warmup=usual", "default_warmup=70"
local steps = { budget = { steps = 4000 } }
for _, row in ipairs {
  { 400, steps, usual },
  { 0, steps }, -- the default of the screen and of cs.open
  { 1000, { budget = { steps = 4e6 } }, usual },
  { 0, { budget = { steps = 9 } }, usual },
  { 0, { budget = { log_densities = 4000 } }, usual },
  { 0, { budget = { steps = 4000, log_densities = 4000 } }, usual }, -- ends at the first limit
  { 0, { budget = { seconds = 1 } }, usual },
  { 0, {}, usual },
  { 25, steps, usual, "steps=250" },
  { 25, { budget = { seconds = 1 } }, usual, "steps=250" },
  -- A warm-up that the scenario specifies is used.
  { 0, { budget = { steps = 4000 }, warmup = 0 }, usual },
  { 900, { budget = { steps = 4000 }, warmup = 900 }, usual },
  { 50, steps, usual, "warmup=50" },
  { 0, { budget = { steps = 4000 }, warmup = 900 }, usual, "warmup=0" },
  -- A resumed run uses the saved warm-up, unless the scenario gives a number of
  -- warm-up steps.
  { 70, steps, saved },
  { 0, steps, "default_warmup=0" },
  { 70, { budget = { log_densities = 4000 } }, saved },
  { 70, { budget = { steps = 4000 }, warmup = 0.5 }, saved },
  { 70, steps, saved, "warmup=0.5" },
  { 900, { budget = { steps = 4000 }, warmup = 900 }, saved },
  { 0, { budget = { steps = 4000 }, warmup = 0 }, saved },
} do
  local is = warmup(table.unpack(row, 2))
  assert(is == row[1], ("%s: %d, not %d"):format(table.concat(row, " ", 3), is, row[1]))
end

-- Steps of the warm-up are not draws. An arm with a tuner has a warm-up of its
-- own.
local kernel = cs.kernel.random_walk { step = 1 }
local run = open({ budget = { steps = 1000 }, keep = 5000, arms = {
  a = kernel, b = { kernel = kernel, tuner = cs.tuner.warmup { steps = 30 } } } }, usual)
run:step(1000)
assert(#run:arm("a"):chain(1):draws() == 900 and run:arm("a").warm_up == 100)
assert(#run:arm("b"):chain(1):draws() == 970 and run:arm("b").warm_up == 30)

-- A warm-up that would leave no steps for draws is refused.
local good, why = pcall(open, { budget = { steps = 60 } }, saved)
assert(not good and why:find "a warm%-up of 70 steps leaves no draws in a budget of 60 steps", why)
