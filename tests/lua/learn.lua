-- Tests arms that learn, in runs that a script controls. Errors are reported,
-- three kinds of data are accepted, results can be read, and each method of
-- learning improves the fit.
local cs = require "chainscope"

local function fails(text, f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok and why:find(text, 1, true), tostring(why))
end

-- The data are bars and stripes of 3 x 3 pixels.
local bars = {}
for i = 0, 7 do
  for _, down in ipairs { true, false } do
    local x = {}
    for r = 0, 2 do for c = 0, 2 do x[#x + 1] = i >> (down and c or r) & 1 end end
    bars[#bars + 1] = x
  end
end

local function open(learn, arm, target)
  local t = { kernel = cs.kernel.block_gibbs {}, learn = learn }
  for key, v in pairs(arm or {}) do t[key] = v end
  return cs.open { target = target or cs.target.rbm { visible = 9, hidden = 6, cols = 3 },
                   arms = { a = t }, chains = 40, seed = 2 }
end
local function learn(more)
  local t = { data = bars, updates = 300, steps = 2, batch = 16, optimiser = cs.optimiser.adam { rate = 0.03 },
              judge = { runs = 60, temperatures = 60 } }
  for key, v in pairs(more or {}) do t[key] = v end
  return t
end

-- ---- errors ----

fails("needs the field 'updates'", open, { data = bars })
fails("needs the field 'data'", open, { updates = 10 })
fails("no field 'rat'", open, learn { rat = 1 })
fails("unknown value chains = \"datum\"", open, learn { chains = "datum" })
fails("the data have 16 states of 9 coordinates; the target has 12", open, learn(), nil, cs.target.rbm { visible = 12 })
fails("row 2 is not a state", open, learn { data = { { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 2, 0, 0, 0, 0 } } })
fails("target ising cannot be trained", open, learn(), nil, cs.target.ising { rows = 3, cols = 3 })
fails("has 'retune' but no tuner", open, learn { retune = 8 })
fails("cannot run unadjusted", open, learn { cycle = 8 })
fails("the parity of the state never changes", open, nil, { kernel = cs.kernel.path_auxiliary { sites = 4 } })
open(nil, { kernel = cs.kernel.path_auxiliary { sites = 3 } })
fails("cannot open the IDX file", open, learn { data = "/no/such/images.gz" })
fails("has no 'lamb'", function() return cs.optimiser.lamb {} end)
fails("rate", cs.optimiser.sgd, { rate = -1 })

-- ---- learning ----

-- The largest log likelihood per row: the 16 rows have 14 states, two of which occur twice.
local best = -math.log(16) + 4 / 16 * math.log(2)
local function learned(more, arm, steps)
  local run = open(learn(more), arm)
  run:step(steps or 600)
  local l = run.arms.a:learned()
  assert(l.update == l.updates, ("%d of %d"):format(l.update, l.updates))
  assert(l.refused == 0 and #l.way > 10 and #l.judged >= 1)
  local j = l.judged[#l.judged]
  assert(j.train > l.independent + 0.2, ("%g after %g"):format(j.train, l.independent))
  assert(j.train < best + 5 * j.error + 0.05)
  return l, run
end
learned()
learned({ chains = "data" })
learned({ buffer = 60, states = "data" })
learned({ average = 0.9, optimiser = cs.optimiser.adam { rate = cs.schedule.linear { from = 0.05, to = 0, steps = 300 } } })
learned({ optimiser = cs.optimiser.momentum { rate = 0.1 } })
learned({ optimiser = cs.optimiser.sgd { rate = function(update) return 1 / (1 + update / 300) end } })
learned({ steps = 6 }, { kernel = cs.kernel.gwg {} }, 1800)
learned({ judge = { runs = 60, temperatures = 60, kernel = cs.kernel.gwg {} } })
learned({ steps = 4, cycle = 8, first = 2, retune = 80, schedules = "updates" },
        { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { cycle = "peak", period = 8, trials = 8, burn_in = 0, settle = 0 } }, 1400)

-- ---- results ----

-- Tests the error of a log likelihood. For a single row it is the error of log
-- Z. For n rows with two distinct values it is the error of the difference
-- between the two values.
do
  local one, other = { 1, 0, 1, 0, 1, 0, 1, 0, 1 }, { 1, 1, 1, 0, 0, 0, 1, 1, 1 }
  local single = learned({ test = { one } }).judged
  single = single[#single]
  assert(single.error > 0 and math.abs(single.test_error - single.error) < 1e-12, single.test_error)
  local of = {}
  for k, times in ipairs { 1, 8 } do
    local rows = {}
    for _ = 1, times do rows[#rows + 1], rows[#rows + 2] = one, other end
    local j = learned({ test = rows }).judged
    of[k] = j[#j].test_error^2 - j[#j].error^2
  end
  assert(of[1] > 0 and math.abs(of[1] / of[2] - 8) < 1e-6, of[1] / of[2])
end
local l, run = learned({ test = { { 1, 0, 1, 0, 1, 0, 1, 0, 1 } }, judge = { every = 100, runs = 60, temperatures = 60 } })
assert(#l.judged == 3 and l.judged[1].update == 100 and l.judged[3].update == 300)
assert(l.judged[3].test < l.judged[3].train - 1) -- the test row is not a bar
assert(l.numbers == 9 * 6 + 9 + 6)
assert(run.arms.a:report("learn/updates")[1] == 300)
local before = l.judged[3].log_z
run:step(100)
assert(run.arms.a:learned().judged[3].log_z == before)
assert(#run.arms.a.chains[1]:draws() == 100) -- these are draws of the trained machine
run:rewind_to(150)
assert(run.arms.a:learned().update == 75 and #run.arms.a:learned().judged == 0)
run:step(550)
assert(run.arms.a:learned().judged[3].log_z == before)

-- ---- files of images --------------------------------------------------------

local name = os.tmpname()
local file = assert(io.open(name .. ".csv", "w"))
for _, x in ipairs(bars) do file:write(table.concat(x, ","), "\n") end
file:close()
learned({ data = name .. ".csv" })
assert(os.remove(name .. ".csv"))
-- Images of 6 x 6 pixels, in which blocks of 2 x 2 pixels are averaged.
file = assert(io.open(name .. ".idx", "wb"))
file:write(string.pack(">I4I4I4I4", 0x0803, #bars, 6, 6))
for _, x in ipairs(bars) do
  for r = 0, 5 do for c = 0, 5 do file:write(string.char(255 * x[r // 2 * 3 + c // 2 + 1])) end end
end
file:close()
learned({ data = { images = name .. ".idx", pool = 2 }, test = { images = name .. ".idx", pool = 2, first = 3, count = 4 } })
fails("images of 6 x 6 pixels", open, learn { data = name .. ".idx" })
fails("only 16 images", open, learn { data = { images = name .. ".idx", pool = 2, count = 17 } })
assert(os.remove(name .. ".idx") and os.remove(name))
