-- Tests cs.sweep. The figures of a sweep equal the figures of its runs, at
-- equal work. If results of runs are written as lines and read again, every bit
-- is the same.
local cs = require "chainscope"
local core = require "chainscope.core"
local words = core.words

local fields = {
  target = cs.target.gaussian { dim = 2 }, chains = 4, seed = 3, budget = { steps = 800 },
  arms = { walk = cs.kernel.random_walk { step = 1 }, mala = cs.kernel.mala { step = 1 } },
}
local function with(more)
  local t = {}
  for key, value in next, fields do t[key] = value end
  for key, value in next, more do t[key] = value end
  return t
end

local found = cs.sweep(with { over = { ["walk.step"] = { 0.5, 2 }, chains = { 2, 4 } },
                              figures = { "ess", "mean(1)" } })
assert(#found == 8, #found)
for i, row in ipairs(found) do
  assert(row.chains == (i <= 4 and 2 or 4) and row["walk.step"] == ((i - 1) // 2 % 2 == 0 and 0.5 or 2))
  local run = cs.open(with { chains = row.chains, budget = { steps = 3200 // row.chains } })
  run:arm("walk"):set("step", row["walk.step"])
  run:step(1e6)
  local arm = run:arm(row.arm)
  assert(arm:figure("ess") == row.ess and arm:figure("mean", 1) == row["mean(1)"], i)
  assert(row.figures.ess.error > 0 and row.figures.ess.by == "jackknife of " .. row.chains .. " chains")
end
local lines = {}
for line in tostring(found):gmatch "[^\n]+" do lines[#lines + 1] = line end
assert(#lines == 9 and lines[1]:find "^chains  walk.step  arm +ess +mean%(1%)$", tostring(found))
assert(lines[2]:find "^2 +0.5 +%a+ +%S+ %+%- ")

local function fails(what, t)
  local ok, err = pcall(cs.sweep, t)
  assert(not ok and tostring(err):find(what, 1, true), err)
end
fails("over", with {})
fails("no list of values", with { over = { chains = {} } })
fails("no budget", { target = fields.target, arms = fields.arms, over = { chains = { 1 } } })
fails("did you mean 'walk'", with { over = { ["wolk.step"] = { 1 } } })
fails("there is no figure 'es'", with { over = { chains = { 1 } }, figures = { "es" } })

-- If claims are judged from recorded results, the verdicts, errors and strings
-- are the same as in the run that measured the claims.
local claims = {
  { arm = "walk", stat = "acceptance", at_least = 0.1 },
  { arm = "mala", stat = "mean", of = 1, near = 0, within = 1e-9 },
  { arm = "walk", stat = "mine", at_least = 1, measure = function() return 0 / 0 end },
  { arm = "walk", stat = "acceptance", at_least = 0, data = "no/such\tfile" },
}
local function opened()
  local run = cs.open(with { claims = claims })
  run:step(1e6)
  return run
end
local run = opened()
local here = words.claims(run)
words.results(run, "keep " .. words.results(run, "claims"))
local there = words.claims(run, true)
for i, one in ipairs(here) do
  for key, value in next, one do
    local other = there[i][key]
    assert(value == other or value ~= value and other ~= other, i .. " " .. key .. " " .. tostring(other))
  end
end
for _, text in ipairs { "keep nonsense", "keep 1\t2\t3\t0\t0\t-\t-", "nothing", "ranks" } do
  assert(not pcall(words.results, run, text), text)
end

-- Sweeps over a field of the schedule that drives a parameter.
local driven = { target = fields.target, chains = 4, budget = { steps = 400 }, arms = { a = cs.kernel.mala {
  step = cs.schedule.cosine { max = 2, min = 0.1, period = 20 } } }, over = { ["a.step.max"] = { 0.5, 4 } } }
local rows = cs.sweep(driven)
for _, row in ipairs(rows) do
  local run = cs.open { target = fields.target, chains = 4, arms = { a = cs.kernel.mala {
    step = cs.schedule.cosine { max = row["a.step.max"], min = 0.1, period = 20 } } } }
  run:step(400)
  assert(run:arm("a"):figure("acceptance") == row.acceptance)
end
assert(rows[1].acceptance > rows[2].acceptance)
driven.over = { ["a.step.mix"] = { 1 } }
fails("did you mean 'max'", driven)
driven.over = { ["a.stop.max"] = { 1 } }
fails("mala has no parameter 'stop'", driven)
print "ok"
