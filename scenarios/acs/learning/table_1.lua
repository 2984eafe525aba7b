-- Code shared by the scenarios of table 1 of the acs paper: energy networks that are
-- learned with dmala and acs.
local cs = require "chainscope"
local settings = require "paper.settings"
local bits = require "learning.images_of_bits"
local K = cs.kernel
local table_1 = {}

-- The quick setting learns little; it only checks that everything runs.
local judge = { runs = 40, temperatures = 60, kernel = K.dmala { step = 0.2 } }
local quick = { batch = 40, steps = 4, updates = 20, judge = judge }
local full = { batch = 100, steps = 10, updates = 400, average = 0.99,
               judge = { runs = 100, temperatures = 1000, rows = 500, kernel = K.dmala { step = 0.2 } } }

local function judged(arm)
  local all = arm:learned().judged
  return all[#all] or error("not judged yet: it has not made all updates", 0)
end
-- Returns the mean log likelihood of held-out images, the part of its error that
-- comes from log Z (both arms have the same rows), and the degrees of freedom.
local function held_out(arm)
  local j = judged(arm)
  return j.test, j.error, 40
end
-- Returns the mean log likelihood of held-out images minus that under the base measure,
-- its error, and the degrees of freedom.
local function above_pixels(arm)
  local j, all = judged(arm), arm:learned()
  return j.test - all.independent, math.sqrt(j.test_error ^ 2 + all.independent_error ^ 2), 40
end

local function arms_of(images)
  local function learn(more)
    local all = { data = images().learn, test = images().test, begin = "target",
                  optimiser = cs.optimiser.adam { rate = 3e-4 }, buffer = 200, average = 0.9 }
    for _, t in ipairs { quick, more or {} } do
      for key, v in next, t do all[key] = v end
    end
    return all
  end
  return {
    dmala = { kernel = K.dmala { step = 0.15 }, learn = learn() },
    acs   = { kernel = K.dmala {},
              tuner = cs.tuner.acs { cycle = "peak", period = 50, balance_max = 0.8, trials = 20, burn_in = 0, settle = 0 },
              learn = learn { cycle = 50, first = 4, retune = 100, schedules = "updates" } },
  }
end

-- Rows of table 1; the numbers are those of DMALA, then of ACS.
local rows = {
  ["static MNIST"] = "Static MNIST ... 80.031±0.038 ... 79.905±0.057", ["dynamic MNIST"] = "Dynamic MNIST ... 80.120±0.036 ... 79.634±0.024",
  Omniglot = "Omniglot ... 99.243±2.101 ... 91.487±0.128", Caltech = "Caltech ... 98.001±0.371 ... 89.262±0.290",
}

-- `sets`: names of rows of the table. `holds`: whether acs is above dmala over five seeds
-- in the full setting. `pixels`: whether dmala is above independent pixels in the full
-- setting; nil means true.
local function claims_of(file, sets, holds, pixels)
  local list = {}
  for _, name in ipairs(sets) do
    list[#list + 1] = { arm = "acs", than = "dmala", stat = "log p held out", measure = held_out, relation = "above",
                        only = "full", holds = holds, data = file, quote = rows[name], where = "table 1",
                        paper = "negative log likelihood, " .. name }
  end
  list[#list + 1] = { arm = "dmala", stat = "log p held out above pixels", measure = above_pixels, only = "full", at_least = 0,
                      data = file, holds = pixels }
  list[#list + 1] = { arm = "dmala", stat = "log p held out above pixels", measure = above_pixels, only = "quick",
                      near = 0, within = 4, data = file, note = "after twenty updates learning has only begun" }
  return list
end

-- Returns the fields of a scenario for a set of images. `name`: data set in the file
-- names; `size`: 14 or 28 pixels per side; `channels`: maps per layer; `sets`,
-- `holds` and `pixels` as in claims_of.
function table_1.of(f)
  local data
  local function images()
    data = data or bits.data(f.name, 2000, f.size)
    return data
  end
  local printed = f.name:find "caltech" and settings.learned_energy_caltech or settings.learned_energy
  return {
    target = function()
      return cs.target.energy_network {
        rows = f.size, cols = f.size, channels = f.channels, blocks = 3, halvings = 2, gain = 0.7,
        mean = bits.means(images().states),
      }
    end,
    arms = arms_of(images),
    printed = printed,
    setting = "acs is retuned every 2 cycles instead of 25; 60 temperatures instead of 300,000; one seed",
    full = { learn = full, budget = { steps = 4400 }, seeds = 5, setting = "acs is retuned every 2 cycles instead of 25; 1000 temperatures instead of 300,000; 5 seeds" },
    claims = claims_of(images().file, f.sets, f.holds, f.pixels),
  }
end

return table_1
