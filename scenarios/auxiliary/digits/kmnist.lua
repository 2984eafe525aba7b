-- Logistic regressions on two classes of images, as in section 5.3 of the auxiliary
-- paper. Several scenarios share this module.
local cs = require "chainscope"
local K = cs.kernel
local settings = require "paper.settings"
local kmnist = {}

local function file(part, what) return "images/kmnist10k-" .. part .. "-" .. what .. "-ubyte.gz" end
kmnist.data = file("train", "images-idx3")
kmnist.here = cs.has_data(kmnist.data)

-- Returns random rows. The small generator in this function gives equal rows on
-- every computer.
local function at_random(rows)
  local word, list = 1, {}
  local function uniform()
    word = (word * 16807) % 2147483647
    return word / 2147483647
  end
  for i = 1, rows do
    local row, e = {}, 0
    for j = 1, 50 do
      row[j] = 2.2 / math.sqrt(j) * math.sqrt(-2 * math.log(uniform())) * math.cos(6.283185307179586 * uniform())
      e = e + row[j] * math.cos(j - 1)
    end
    row[51] = uniform() < 1 / (1 + math.exp(-e)) and 1 or 0
    list[i] = row
  end
  return list
end

local function target_of(t)
  return cs.target.logistic_regression {
    table = t.table, held_out = t.held_out_table, standardise = false, intercept = false, radius = 1000,
  }
end

-- Returns a random table of the same shape: 1600 rows, of which 200 are held
-- out, and fifty columns.
function kmnist.table_at_random()
  local all = at_random(1800)
  return target_of { table = table.move(all, 1, 1600, 1, {}), held_out_table = table.move(all, 1601, 1800, 1, {}) }
end

-- Returns the target: fifty principal components of the images of two classes or, without
-- the files, a random table. The prior is flat in a ball that is far larger than the
-- posterior.
function kmnist.target(classes)
  if not kmnist.here then return kmnist.table_at_random end
  return function()
    return target_of(cs.principal_components {
      images = kmnist.data, labels = file("train", "labels-idx1"),
      held_out_images = file("test", "images-idx3"), held_out_labels = file("test", "labels-idx1"),
      classes = classes, components = 50,
    })
  end
end

-- Returns sixteen start states. Each coordinate is uniform within 1 / sqrt(50) of 0, as
-- in the paper's programs.
function kmnist.starts()
  local word, list = 7, {}
  for i = 1, 16 do
    list[i] = {}
    for j = 1, 50 do
      word = (word * 16807) % 2147483647
      list[i][j] = (2 * word / 2147483647 - 1) / math.sqrt(50)
    end
  end
  return list
end

-- ---- the scenarios of four steps ------------------------------------------

-- Returns the arms of the paper with one step size; their names end with `suffix`.
function kmnist.arms(step, suffix)
  local arms = {
    { name = "tuna_mh", kernel = K.tuna_mh { step = step, chi = 1e-5 } },
    { name = "tuna_sgld", kernel = K.tuna_sgld { step = step, chi = 1e-5, batch = 20, gradient_length = 2 } },
    { name = "random_walk", kernel = K.random_walk { step = step } },
    { name = "mala", kernel = K.mala { step = step } },
    { name = "barker", kernel = K.barker { step = step } },
    { name = "hmc", kernel = K.hmc { step = step, leapfrogs = 5, jitter = 0 } },
    { name = "sgld", kernel = K.sgld { rate = step ^ 2 / 2, batch = 20, order = "without_replacement" } },
  }
  for _, arm in ipairs(arms) do arm.name = arm.name .. (suffix or "") end
  return arms
end

-- Quotations from the paper, each with its section.
kmnist.said = {
  gradient = { "Tuna–SGLD converges faster than TunaMH for all step sizes", "section 5.3" },
  full = { "Both of them significantly outperform full-batch methods", "section 5.3" },
  hmc = { "HMC converges poorly with the step sizes considered", "section 5.3" },
}

-- Creates claims about two arms after 360,000 rows: the mean of the first arm's draws
-- classifies more held-out images correctly than the mean of the second arm's draws.
-- The argument is a list of { arm, other, { quote, where }, holds = , note = , only =
-- , of = }.
function kmnist.ahead(rows)
  local list = {}
  for i, row in ipairs(rows) do
    local said = row[3] or {}
    list[i] = { arm = row[1], than = row[2], stat = "mean_accuracy_at", of = row.of or "3.6e5 rows",
                relation = row.behind and "slower" or "faster", quote = said[1], where = said[2],
                data = row.anywhere == nil and kmnist.data or nil, holds = row.holds, note = row.note,
                only = row.only }
  end
  return list
end

-- Returns the fields of a scenario. t: title, shows, source, classes, images (numbers of
-- images, ours and the paper's), printed (the paper's settings), arms, claims, screen.
function kmnist.scenario(t)
  return {
    title  = t.title,
    shows  = t.shows,
    source = t.source,
    target = kmnist.target(t.classes),
    chains = 8, seed = 17, start = kmnist.starts(), keep = 100,
    arms   = t.arms,
    budget = { data_terms = 3.8e5, each = "chain" },
    printed = t.printed or settings.digits,
    setting = (kmnist.here and ("KMNIST in place of MNIST, %s; "):format(t.images) or "a random table in place of MNIST; ")
      .. "compared by evaluated rows, not by time; our HMC is a true leapfrog; gradients of all rows are unscaled (the paper's programs scale them to length 2)",
    full   = { chains = 64 },
    warmup = 0,
    probes = { means = { coordinates = 50 } },
    screen = t.screen,
    claims = t.claims,
  }
end

return kmnist
