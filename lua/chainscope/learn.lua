-- Learning by an arm: the field `learn` of an arm, optimisers, and the results
-- of learning.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows

local most = 2 ^ 53
local function whole(help, low, high)
  return { "number", help, whole = true, min = low, max = high or most }
end

rows.learn = {
  data = { "string table", "training data: an IDX file of images, or a CSV file of states; { images = FILE, first =, count =, pool = }; or a list of states", required = "data = \"images-idx3-ubyte.gz\"" },
  test = { "string table", "test data, in the same form; only their log likelihood is reported" },
  optimiser = { "optimiser", "the rule by which the parameters follow the gradient; cs.optimiser.adam {} by default" },
  batch = whole("rows of data per update; 100 by default", 1, 2 ^ 20),
  steps = whole("steps of every chain between two updates; 1 by default", 1, 2 ^ 20),
  updates = { "number", "number of updates, after which the parameters stay fixed and draws begin", whole = true, min = 1, max = most, required = "updates = 2000" },
  chains = { "string", "initial states of the chains before each update: \"persistent\", their current states (the default), or \"data\", the rows of the batch" },
  begin = { "string", "initial parameters: \"data\", biases from the data's means and small random weights (the default), or \"target\", the parameters of the target" },
  states = { "string", "initial states of persistent chains: \"mean\", bits with the means of the data (the default), or \"data\", rows of the data" },
  buffer = whole("size of a buffer of states from which each update draws its chains, at least the number of chains; 0: no buffer", 0, 2 ^ 20),
  average = { "number", "decay of the running mean of the parameters over updates. The mean is judged, and is used for the draws at the end; 0: the last parameters are used", min = 0, max = 0.999999 },
  cycle = whole("updates per cycle; at the start of a cycle the chains make `first` steps without their accept step; 0: no cycles", 0, 2 ^ 20),
  first = whole("number of steps without accept step at the start of each cycle; 5 by default", 1, 2 ^ 20),
  retune = whole("number of updates after which the arm's tuner starts again; 0: the tuner runs only once", 0, 2 ^ 40),
  schedules = { "string", "the unit that the arm's schedules count while it learns: \"steps\" (the default) or \"updates\"" },
  judge = { "table", "settings for estimates of log likelihoods by annealed importance sampling, at the end and every n updates" },
}
rows.images = {
  images = { "string", "an IDX file of images, or a CSV file of states, gzipped or not", required = "images = \"images-idx3-ubyte.gz\"" },
  first = whole("index of the first item to use, counted from 1; 1 by default", 1, 2 ^ 40),
  count = whole("number of items; all by default", 1, 2 ^ 40),
  pool = whole("pool = n replaces each square of n x n pixels by its mean; 1 by default", 1, 64),
}
rows.judge = {
  every = whole("updates between two estimates; 0: only at the end", 0, most),
  runs = whole("number of annealing runs, which start from independent bits; 100 by default", 2, 2 ^ 16),
  temperatures = whole("temperatures per run; 1000 by default", 1, 2 ^ 24),
  rows = whole("maximum number of rows per set of data; all by default", 1, 2 ^ 40),
  kernel = { "kernel", "the kernel of the annealing runs; by default the model's own exact path, if it has one (a Boltzmann machine has one)" },
}

-- Creates an optimiser; its rate may be a schedule that counts updates.
cs.optimiser = m.family("optimiser", core.optimisers(), function(name, fields)
  local values = {}
  for key, v in next, fields do values[key] = v end
  local rate = m.as_schedule("rate", values.rate)
  if core.kind(rate) ~= "schedule" then return core.optimiser_new(name, values) end
  values.rate = nil
  return core.optimiser_new(name, values, rate)
end, function()
  m.fail("cs.optimiser cannot be called: optimisers written in Lua are not supported", "write cs.optimiser.NAME { ... }")
end)

local words_of = {
  chains = { "persistent", "data" }, begin = { "data", "target" },
  states = { "mean", "data" }, schedules = { "steps", "updates" },
}

local function data_of(name, data)
  if data == nil then return end
  if type(data) == "string" then return { images = data } end
  if data.images ~= nil then return m.check(name, data, rows.images) end
  if type(data[1]) ~= "table" then
    m.fail(name .. " is not a set of data", "write " .. name .. " = \"images-idx3-ubyte.gz\", or a list of states")
  end
  return data
end

-- Checks the field `learn` of an arm, and returns it.
function m.learn_of(learn)
  if learn == nil then return end
  m.check("learn", learn, rows.learn)
  local all = {}
  for key, v in next, learn do all[key] = v end
  for name, list in next, words_of do
    local good = learn[name] == nil
    for _, word in ipairs(list) do good = good or learn[name] == word end
    if not good then
      m.fail(("learn: unknown value %s = \"%s\""):format(name, learn[name]), m.suggest(learn[name], list))
    end
  end
  all.data, all.test = data_of("data", learn.data), data_of("test", learn.test)
  if learn.judge then m.check("judge", learn.judge, rows.judge) end
  return all
end

-- Adds the fields of full.learn to the field `learn` of every arm that learns. `retune` is added
-- only to arms that already have this field.
function m.learn_fully(arms, fields)
  for _, arm in ipairs(arms) do
    local all = {}
    for key, v in next, arm.learn or {} do all[key] = v end
    for key, v in next, fields do
      if key ~= "retune" or all.retune then all[key] = v end
    end
    arm.learn = arm.learn and m.learn_of(all)
  end
end

-- Returns the current results of learning as a table, or nil if the arm has no
-- results.
function m.learned(arm)
  local said = core.run_report_one(arm.run, arm.index, "learn")
  if not said then return nil end
  local info, out = core.arm_info(arm.run, arm.index), { judged = {}, way = said.way or {} }
  if type(out.way[1]) == "number" then out.way = { out.way } end
  local rows = said.judged or {}
  if type(rows[1]) == "number" then rows = { rows } end
  local names = { "update", "log_z", "error", "kish", "below", "train", "train_error", "test", "test_error" }
  for i, row in ipairs(rows) do
    out.judged[i] = {}
    for k, name in ipairs(names) do out.judged[i][name] = row[k] == row[k] and row[k] or nil end
  end
  for _, name in ipairs { "update", "updates", "independent", "independent_error", "refused", "numbers" } do
    local v = said[name]
    out[name] = type(v) == "table" and v[1] or v
  end
  out.seconds, out.step_seconds = info.learn_seconds, info.learn_step_seconds
  return out
end
