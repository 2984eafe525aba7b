-- Sampling a deep energy-based model of digits with four samplers.
--
-- The energy is a residual convolutional network with a base measure (independent
-- pixels). It was trained on images of 14 x 14 bits, drawn from a Boltzmann machine of
-- digits. Chains start from random pixels. Press u to count gradients, the main cost.
--
-- Watch the panel `trace`. The energy of `dmala` (discrete Metropolis-adjusted Langevin,
-- step 0.2) falls for ten steps and then stays 33 nats above that of the others, with an
-- acceptance of 0.004. `any` (any-scale balanced) adapts its step for 200 steps, `acs`
-- (the cyclical sampler) tunes its cycle for 300, and `gwg` (Gibbs with gradients)
-- changes one pixel per step. These three samplers reach the same energies; `any` is
-- first.
local cs = require "chainscope"
local settings = require "paper.settings"
local K = cs.kernel
local bits = require "learning.images_of_bits"

-- Figures 3 (bottom) and 10 of the acs paper show this experiment. The step of `dmala` is
-- that of the paper's program. The network has 8 maps and three blocks; it was trained as
-- in table_1.lua by dmala (1000 updates of 10 steps). Its training images come with this
-- program.
local function target()
  return cs.target.energy_network {
    rows = 14, cols = 14, channels = 8, blocks = 3, halvings = 2,
    file = "digits_energy.csv.gz", mean = bits.means(bits.data(nil, 400, 14).states),
  }
end

-- Returns the mean energy of the chains' current states, its standard error, and the
-- degrees of freedom.
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
  setting = "16 chains instead of 128; a network trained on draws from a Boltzmann machine of digits",
  claims = {
    -- The claims interpret "competitively" as follows: the energy of acs is lower than
    -- that of dmala, and its differences from the energies of `any` and `gwg` are at
    -- most as large as the difference between `any` and `gwg`.
    { arm = "acs", than = "dmala", stat = "energy", measure = energy, relation = "better", better = "less",
      quote = competitive, where = "section 6.1" },
    { arm = "acs", than = "any", stat = "energy", measure = energy, relation = "alike", within = 15,
      quote = competitive, where = "section 6.1" },
    { arm = "acs", than = "gwg", stat = "energy", measure = energy, relation = "alike", within = 15,
      quote = competitive, where = "section 6.1" },
    { arm = "gwg", than = "any", stat = "energy", measure = energy, relation = "alike", within = 15 },
    { arm = "dmala", stat = "acceptance", at_most = 0.02,
      note = "at step 0.2, as in the paper's program" },
  },
}
