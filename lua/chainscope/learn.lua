-- What an arm learns: its field `learn`, optimisers, and what has been learned.
local m = ...
local core, cs, rows = m.core, m.cs, m.rows

local most = 2 ^ 53
local function whole(help, low, high)
  return { "number", help, whole = true, min = low, max = high or most }
end

rows.learn = {
  data = { "string table", "what is learned from: an IDX file of images, or a CSV file of states; { images = FILE, first =, count =, pool = }; or a list of states", required = "data = \"images-idx3-ubyte.gz\"" },
  test = { "string table", "the same, from which nothing is learned: its log likelihood is told" },
  optimiser = { "optimiser", "how the numbers go up the gradient; cs.optimiser.adam {}" },
  batch = whole("rows of data of an update; 100", 1, 2 ^ 20),
  steps = whole("steps of every chain between two updates; 1", 1, 2 ^ 20),
  updates = { "number", "updates that are made; then the numbers stay, and draws begin", whole = true, min = 1, max = most, required = "updates = 2000" },
  chains = { "string", "\"persistent\", on from where they are, unless it is \"data\": they begin before each update at the rows of its batch" },
  begin = { "string", "the first numbers: \"data\", biases by the data's means and small weights at random, unless it is \"target\": as it was made" },
  states = { "string", "where persistent chains begin: \"mean\", bits with the means of the data, unless it is \"data\": rows of them" },
  buffer = whole("states among which those of the chains are kept, to be drawn from at each update, as many as chains or more; 0: none but the chains'", 0, 2 ^ 20),
  average = { "number", "memory of the mean of the numbers over the updates, which is judged and stays in the end; 0: the last numbers", min = 0, max = 0.999999 },
  cycle = whole("updates of a cycle, before the first of which the chains make `first` steps without their accept step; 0: none", 0, 2 ^ 20),
  first = whole("those steps; 5", 1, 2 ^ 20),
  retune = whole("updates after which the arm's tuner begins again, in place of the steps; 0: it is at work once", 0, 2 ^ 40),
  schedules = { "string", "what the arm's schedules count while it learns: \"steps\", unless it is \"updates\"" },
  judge = { "table", "log likelihoods by annealed importance sampling: at the end, and each so many updates" },
}
rows.images = {
  images = { "string", "an IDX file of images, or a CSV file of states, gzipped or not", required = "images = \"images-idx3-ubyte.gz\"" },
  first = whole("the first that counts, from 1; 1", 1, 2 ^ 40),
  count = whole("how many; all", 1, 2 ^ 40),
  pool = whole("so many pixels by as many become one; 1", 1, 64),
}
rows.judge = {
  every = whole("updates between two; 0: at the end alone", 0, most),
  runs = whole("of annealing, from independent bits; 100", 2, 2 ^ 16),
  temperatures = whole("of each; 1000", 1, 2 ^ 24),
  rows = whole("of each set of data, at most; all", 1, 2 ^ 40),
  kernel = { "kernel", "what moves the runs of annealing; unless given the model's own path, which a Boltzmann machine has" },
}

-- How learned numbers climb: the rate may follow a schedule of the updates.
cs.optimiser = m.family("optimiser", core.optimisers(), function(name, fields)
  local values = {}
  for key, v in next, fields do values[key] = v end
  local rate = m.as_schedule("rate", values.rate)
  if core.kind(rate) ~= "schedule" then return core.optimiser_new(name, values) end
  values.rate = nil
  return core.optimiser_new(name, values, rate)
end, function()
  m.fail("cs.optimiser has no optimiser of one's own", "write cs.optimiser.NAME { ... }")
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
    m.fail(name .. " is no data", name .. " = \"images-idx3-ubyte.gz\", or a list of states")
  end
  return data
end

-- The field `learn` of an arm, checked.
function m.learn_of(learn)
  if learn == nil then return end
  m.check("learn", learn, rows.learn)
  local all = {}
  for key, v in next, learn do all[key] = v end
  for name, list in next, words_of do
    local good = learn[name] == nil
    for _, word in ipairs(list) do good = good or learn[name] == word end
    if not good then
      m.fail(("learn: %s = \"%s\" is none"):format(name, learn[name]), m.suggest(learn[name], list))
    end
  end
  all.data, all.test = data_of("data", learn.data), data_of("test", learn.test)
  if learn.judge then m.check("judge", learn.judge, rows.judge) end
  return all
end

-- As `full` has it: other fields in every arm that learns; retune in those that tune again.
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

-- What it has learned by now, as a table; nil: nothing.
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
