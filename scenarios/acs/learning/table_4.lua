-- Code shared by the scenarios of table 4 of the acs paper: Boltzmann machines that are
-- learned with each sampler.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local table_4 = {}

-- Returns a set of images from the data folder, or 500 draws from a Boltzmann machine of
-- digits.
function table_4.data(name, classes)
  local function file(part) return ("images/%s-%s-images-idx3-ubyte.gz"):format(name, part) end
  if cs.has_data(file "train") and cs.has_data(file "test") then
    return { file = file "train", train = { images = file "train" }, test = { images = file "test" } }
  end
  return { file = file "train", stand_in = true,
           train = { images = "digits_cd_draws.csv.gz", count = 400 },
           test = { images = "digits_cd_draws.csv.gz", first = 401, count = 100 } }
end

-- The quick setting learns little; it only checks that everything runs.
local quick = { batch = 50, steps = 5, updates = 40, judge = { runs = 50, temperatures = 100, rows = 1000 } }
local full = { batch = 100, steps = 20, updates = 300, judge = { runs = 100, temperatures = 500, rows = 2000 } }

-- Returns the arms. `cycle`: number of updates per cycle of acs.
local function arms_of(set, cycle)
  local function learn(more)
    local all = { data = set.train, test = set.test, optimiser = cs.optimiser.adam { rate = 5e-3 } }
    for _, t in ipairs { quick, more or {} } do
      for key, v in next, t do all[key] = v end
    end
    return all
  end
  return {
    block = { kernel = K.block_gibbs {}, learn = learn() },
    gwg   = { kernel = K.gwg {}, learn = learn() },
    dmala = { kernel = K.dmala { step = 0.2 }, learn = learn() },
    acs   = { kernel = K.dmala {},
              tuner = cs.tuner.acs { cycle = "peak", period = cycle, balance_max = 0.9, trials = 40, burn_in = 0, settle = 0, floor = "running" },
              learn = learn { cycle = cycle, first = 5, retune = cycle, schedules = "updates" } },
  }
end

local function last(arm)
  local all = arm:learned().judged
  return all[#all] or error("not judged yet: it has not made all updates", 0)
end

-- Returns the mean log likelihood of held-out images, its error from log Z and from the
-- rows, and the degrees of freedom.
local function held_out(arm)
  local j = last(arm)
  return j.test, j.test_error, 100
end
-- Returns the mean log likelihood of held-out images minus that of independent pixels,
-- its error, and the degrees of freedom. Each independent pixel is 1 with a probability
-- equal to its share of ones in the data.
local function above_pixels(arm)
  local j, all = last(arm), arm:learned()
  return j.test - all.independent, math.sqrt(j.test_error ^ 2 + all.independent_error ^ 2), 100
end
-- Returns the mean log likelihood of held-out images with its error from log Z only, for
-- comparisons of two arms on the same rows.
local function beside(arm)
  local j = last(arm)
  return j.test, j.error, 100
end
table_4.held_out, table_4.above_pixels, table_4.beside = held_out, above_pixels, beside

-- Rows of table 4; the numbers are those of block Gibbs, GWG, DMALA and ACS.
local rows = {
  MNIST = "MNIST -191.98 -387.34 -278.35 -249.55", eMNIST = "eMNIST -317.78 -590.97 -324.34 -304.96",
  kMNIST = "kMNIST -357.69 -681.28 -436.35", Omniglot = "Omniglot -161.73 -276.81 -222.61 -220.71",
  Caltech = "Caltech -511.65 -827.45 -427.29 -396.04",
}
-- Quotations that compare an arm with the next arm, each with its place in the
-- paper.
local said = {
  block = { "the AIS results are consistently close to those achieved by Block-Gibbs", "appendix D.4" },
  acs = { "ACS outperforms all gradient-based baselines across all datasets", "table 4" },
}

-- Returns the claims for a row of the table (nil if the table has no such data set).
-- `found`: whether block is above acs, acs above dmala, and dmala above gwg over five
-- seeds in the full setting. The key is the first arm of each pair. By default the first
-- comparison holds. The other two cannot be decided, since seeds of dmala and gwg differ
-- by up to a hundred nats. `found.begun`: the difference of block from independent pixels
-- in the quick setting.
function table_4.claims(set, name, found)
  local holds = { acs = "cannot tell", dmala = "cannot tell" }
  for arm, what in next, found or {} do holds[arm] = what end
  local row, list = rows[name], {}
  local printed = {}
  for number in (row or ""):gmatch "%-[%d.]+" do printed[#printed + 1] = tonumber(number) end
  printed[4] = printed[4] or row and -407.39
  for i, arm in ipairs(row and { "block", "gwg", "dmala", "acs" } or {}) do
    list[#list + 1] = { arm = arm, stat = "log p held out", measure = held_out, only = "full", data = set.file,
                        near = printed[i], within = 10, holds = false, quote = row, where = "table 4",
                        note = "another setting; the paper's program anneals with moves of the last temperature only, so its log Z belongs to no machine" }
  end
  for _, pair in ipairs { { "block", "acs" }, { "acs", "dmala" }, { "dmala", "gwg" } } do
    local words = row and (said[pair[1]] or { row, "table 4" }) or {}
    list[#list + 1] = { arm = pair[1], than = pair[2], stat = "log p held out", measure = beside, relation = "above",
                        only = "full", holds = holds[pair[1]], data = set.file, quote = words[1], where = words[2],
                        paper = row and pair[1] == "block" and "in four of five rows block Gibbs is above ACS" or nil }
  end
  list[#list + 1] = { arm = "block", stat = "log p above pixels", measure = above_pixels, at_least = 0, only = "full",
                      data = set.file, note = "11 of the 12 comparable entries in table 4 are below independent pixels" }
  local begun = (found or {}).begun
  list[#list + 1] = { arm = "block", stat = "log p above pixels", measure = above_pixels, near = begun, within = begun and 14,
                      at_least = not begun and -10 or nil, only = "quick", data = set.file,
                      note = "after forty updates learning has only begun" }
  return list
end

-- Returns a scenario for a set of images.
function table_4.scenario(fields)
  local set, cycle, full_learn = fields.set, fields.cycle, { retune = 5 * fields.cycle }
  for key, v in next, full do full_learn[key] = v end
  fields.set, fields.cycle = nil, nil
  fields.target = function() return cs.target.rbm { visible = 784, hidden = 24, cols = 28 } end
  fields.arms = arms_of(set, cycle)
  fields.chains = 50
  fields.budget = { steps = 250 }
  fields.probes = { "acceptance", only = true }
  fields.screen = { "learn", "picture", "acceptance" }
  fields.printed = settings.learned_rbm
  fields.setting = "acs is retuned every cycle; 100 temperatures instead of 100,000; one seed"
  fields.full = {
    target = function() return cs.target.rbm { visible = 784, hidden = 48, cols = 28 } end,
    learn = full_learn, budget = { steps = 6800 }, seeds = 5,
    setting = "acs is retuned every 5 cycles instead of 50; rate 0.005 instead of 0.001; 500 temperatures of the tempered model instead of 100,000 of the last one; 5 seeds",
  }
  return cs.scenario(fields)
end

return table_4
