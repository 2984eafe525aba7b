-- Sampling a deep energy: figures 3 (bottom) and 10 of the paper.
--
-- The energy is a residual convolutional network with a base measure, learned as in
-- table_1.lua by dmala (1000 updates of 10 steps) from the draws of a machine of digits
-- that come with the program: 14 x 14 bits, 8 maps, three blocks. All chains start at
-- random. Press u to count gradients, the main cost of a network.
--
-- Watch the panel `trace`: `dmala`, with the step of 0.2 of the paper's program, falls in
-- ten steps and then stops 33 nats above the others, with 4 proposals in a thousand
-- accepted. `any` adapts its step for 200 steps, `acs` tunes its cycle for 300, `gwg`
-- changes one pixel per step: all three reach the same energies, `any` first.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local bits = require "learning.images_of_bits"

local function target()
  return cs.target.energy_network {
    rows = 14, cols = 14, channels = 8, blocks = 3, halvings = 2,
    file = "digits_energy.csv.gz", mean = bits.means(bits.data(nil, 400, 14).states),
  }
end

-- The mean energy of the chains' current states, its standard error, degrees of freedom.
local function energy(arm)
  local sum, square, n = 0, 0, #arm.chains
  for _, chain in ipairs(arm.chains) do
    local x = -chain:state().log_density
    sum, square = sum + x, square + x * x
  end
  return sum / n, math.sqrt((square / n - (sum / n) ^ 2) / (n - 1)), n - 1
end

local competitive = "our proposed ACS method performs competitively for both RBMs and EBMs across all datasets"

return cs.scenario {
  title  = "Sampling a deep energy",
  shows  = "How fast samplers reach the energies of images of digits",
  source = "acs, section 6.1, figures 3 (bottom) and 10",
  tags   = "images cyclical",
  target = target,
  chains = 16, seed = 1,
  arms   = {
    gwg   = K.gwg {},
    dmala = K.dmala { step = 0.2 },
    any   = K.any_scale { step = 0.1, adapt = 200 },
    acs   = { kernel = K.dmala {}, tuner = cs.tuner.acs { period = 20, balance_max = 0.8, trials = 100 } },
  },
  budget = { steps = 1000 },
  screen = { "trace", "picture", "acceptance" },
  probes = { "trace", "acceptance", only = true },
  printed = settings.energy,
  setting = "16 chains instead of 128; a network learned from draws of a machine of digits",
  claims = {
    -- "Competitively" means, compared with all three: lower energy than dmala, and no
    -- further from the other two than they are from each other.
    { arm = "acs", than = "dmala", stat = "energy", measure = energy, relation = "better", better = "less",
      quote = competitive, where = "section 6.1" },
    { arm = "acs", than = "any", stat = "energy", measure = energy, relation = "alike", within = 15,
      quote = competitive, where = "section 6.1" },
    { arm = "acs", than = "gwg", stat = "energy", measure = energy, relation = "alike", within = 15,
      quote = competitive, where = "section 6.1" },
    { arm = "gwg", than = "any", stat = "energy", measure = energy, relation = "alike", within = 15 },
    { arm = "dmala", stat = "acceptance", at_most = 0.02,
      note = "at the step of 0.2 of the paper's program" },
  },
}
