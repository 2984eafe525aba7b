-- Regressions on tables of UCI as in table 1 of csgld: what its scenarios share.
local cs = require "chainscope"
local settings = require "paper.settings"
local uci = {}

-- Rows to learn from and rows held out, in a split from 0 to 19.
local function split_of(table_name, split)
  local columns, names = cs.read_table("uci/" .. table_name .. ".csv")
  local splits = cs.read_table("uci/" .. table_name .. "-splits.csv")
  local held, train, test = {}, {}, {}
  for i, row in ipairs(splits.row) do
    if splits.split[i] == split then held[row] = true end
  end
  for i = 1, #columns[names[1]] do
    local row = {}
    for j, column in ipairs(names) do row[j] = columns[column][i] end
    local to = held[i - 1] and test or train
    to[#to + 1] = row
  end
  return train, test
end

-- The run of seed k learns from split k - 1. The features are brought to mean 0
-- and deviation 1 of the rows to learn from; the response stays as it is, with
-- errors of deviation 1. Without the tables: one at random.
local function network(table_name)
  local here = cs.has_data("uci/" .. table_name .. ".csv")
  return here and function(seed)
    local train, test = split_of(table_name, (seed - 1) % 20)
    return cs.target.perceptron { table = train, held_table = test, precision = 1e-4, standardise = "inputs" }
  end or cs.target.perceptron { inputs = 6, rows = 300, precision = 1e-4, noise = 0.3 }
end

local function kernels(t)
  local K = cs.kernel
  local function kernel(make, more)
    local values = { rate = 5e-6, batch = 50 }
    for name, value in next, more or {} do values[name] = value end
    return make(values)
  end
  local hot = { temperature = t.temperature }
  local bins = { temperature = t.temperature, zeta = t.zeta, first = 100, width = 100, bins = 100,
                 gain = cs.schedule.gain { scale = 10, power = 0.75, offset = 1000 } }
  return {
    { name = "sgd", kernel = kernel(K.sgd) },
    { name = "sgld", kernel = kernel(K.sgld, hot) },
    { name = "csgld", kernel = kernel(K.csgld, bins) },
    { name = "momentum_sgd", kernel = kernel(K.momentum_sgd) },
    { name = "sghmc", kernel = kernel(K.sghmc, hot) },
    { name = "csghmc", kernel = kernel(K.csghmc, bins) },
  }
end

-- The paper's names of arms, and what it says of an arm beside the one it is compared with.
local names = { sgd = "SGD", sgld = "SGLD", csgld = "CSGLD", momentum_sgd = "M-SGD", sghmc = "SGHMC", csghmc = "CSGHMC" }
local improved = "The comparison indicates that some improvements can be achieved by including the momentum"
local said = {
  sgld = "SGLD outperforms the stochastic gradient descent (SGD) algorithm for most datasets",
  csgld = "CSGLD still consistently outperforms all the baselines including SGD and SGLD",
  sghmc = improved, csghmc = improved,
}

-- A claim of what is printed: { arm, mean, deviation, holds = ..., note = ... }.
local function printed(row, data)
  return { arm = row[1], stat = "average_rmse", near = row[2], within = row[3], only = "full", data = data,
           quote = ("%s ... %.2f±%.2f"):format(names[row[1]], row[2], row[3]), where = "table 1", holds = row.holds, note = row.note }
end

-- One that the first arm errs less than the second.
local function ordered(row, data)
  local words = said[row[1]]
  return { arm = row[1], than = row[2], stat = "average_rmse", relation = "better", only = "full", data = data,
           quote = words, where = "section 4.2", paper = "table 1: " .. row[3], holds = row.holds, note = row.note }
end

-- A scenario's table. t: title, table, rows (to learn from), temperature, zeta,
-- count (of steps whose draws count, in full), printed, ordered.
function uci.scenario(t)
  local data = "uci/" .. t.table .. ".csv"
  local epoch = math.ceil(t.rows / 50)
  local claims = {
    { arm = "momentum_sgd", stat = "average_rmse", less = "sgd", at_most = 0, only = "quick",
      note = "200 epochs are too few without momentum" },
  }
  for _, row in ipairs(t.printed) do claims[#claims + 1] = printed(row, data) end
  for _, row in ipairs(t.ordered) do claims[#claims + 1] = ordered(row, data) end
  local setting = "deviation 1 of the errors, 100 bins from 100 and gains 10/(k^0.75 + 1000) are ours, "
    .. "for none is printed; so is which models are averaged: some 50 of the end"
  return {
    title  = t.title,
    shows  = t.shows,
    source = "csgld, section 4.2, table 1",
    target = network(t.table),
    chains = 4, seed = 1, keep = 50,
    arms   = kernels(t),
    budget = { steps = 200 * epoch },
    warmup = 1 - t.count / (5000 * epoch),
    printed = settings.uci(epoch, t.temperature, t.zeta),
    setting = "one split; " .. setting,
    full   = { budget = { steps = 5000 * epoch }, chains = 2, seeds = 10,
               setting = "10 splits of 2 chains; " .. setting },
    probes = { "energy", "weights", only = true },
    screen = { "lesson", { "weights", arm = "csgld" }, "bins", "summary" },
    claims = claims,
  }
end

return uci
