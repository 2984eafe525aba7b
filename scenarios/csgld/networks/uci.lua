-- Regressions on UCI tables as in table 1 of the csgld paper. The scenarios
-- csgld/table_1*.lua share this module.
local cs = require "chainscope"
local settings = require "paper.settings"
local uci = {}

-- Returns the training rows and the held-out rows of a split. Splits have the
-- numbers 0 to 19.
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

-- The run with seed k uses split k - 1. The features are standardised to mean 0 and
-- standard deviation 1 over the training rows. The response is not scaled, and its errors
-- have the standard deviation 1. Without the tables random data are used.
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

-- The paper's names of the arms, and its statements comparing an arm with another.
local names = { sgd = "SGD", sgld = "SGLD", csgld = "CSGLD", momentum_sgd = "M-SGD", sghmc = "SGHMC", csghmc = "CSGHMC" }
local improved = "The comparison indicates that some improvements can be achieved by including the momentum"
local said = {
  sgld = "SGLD outperforms the stochastic gradient descent (SGD) algorithm for most datasets",
  csgld = "CSGLD still consistently outperforms all the baselines including SGD and SGLD",
  sghmc = improved, csghmc = improved,
}

-- Returns a claim on an error stated in the paper: { arm, mean, deviation, holds = ...,
-- note = ... }.
local function printed(row, data)
  return { arm = row[1], stat = "average_rmse", near = row[2], within = row[3], only = "full", data = data,
           quote = ("%s ... %.2f±%.2f"):format(names[row[1]], row[2], row[3]), where = "table 1", holds = row.holds, note = row.note }
end

-- Returns a claim that the first arm has a smaller error than the second.
local function ordered(row, data)
  local words = said[row[1]]
  return { arm = row[1], than = row[2], stat = "average_rmse", relation = "better", only = "full", data = data,
           quote = words, where = "section 4.2", paper = "table 1: " .. row[3], holds = row.holds, note = row.note }
end

-- Returns the fields of a scenario. The fields of t are title, table, rows (number of
-- training rows), temperature, zeta, count (number of steps whose draws count in the
-- full setting), printed and ordered (lists of rows for the two functions above).
function uci.scenario(t)
  local data = "uci/" .. t.table .. ".csv"
  local epoch = math.ceil(t.rows / 50)
  local claims = {
    { arm = "momentum_sgd", stat = "average_rmse", less_than = "sgd", at_most = 0, only = "quick",
      note = "200 epochs are too few without momentum" },
  }
  for _, row in ipairs(t.printed) do claims[#claims + 1] = printed(row, data) end
  for _, row in ipairs(t.ordered) do claims[#claims + 1] = ordered(row, data) end
  local setting = "our own choices, since the paper states none: deviation 1 of the errors, 100 bins from 100, gains "
    .. "10/(k^0.75 + 1000), and the averaged models, about 50 from the end"
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
