-- Does acceptance fall as the step grows? Not with a balance above one half.
--
-- A discrete Langevin sampler proposes to change pixel i of an image from x_i to x_i'
-- with odds exp(balance g_i (x_i' - x_i) - 1 / (2 step)); g is the gradient of log p.
-- Here the step cycles through twenty sizes from 0.05 to 60, and each arm has its own
-- balance. The panel `cycle` plots the acceptance against the step.
--
-- Watch: with balance 1/2 (`b50`) small steps are accepted and large steps are not. With
-- 0.8 and 0.95 (`b80`, `b95`) acceptance falls, has a minimum near a step of 0.2, and
-- rises again. For each step `matched` has the balance with the highest acceptance (Eq.
-- 8). High acceptance is not good mixing: a step of 60 changes about sixty pixels, but
-- seldom the digit.
local cs = require "chainscope"

local function machine() return cs.target.rbm { file = "digits_rbm.csv.gz", cols = 28 } end

-- A large step that follows the gradient fully is nearly a draw from an approximation of
-- the target, so it is accepted.
--
-- Two step sizes can have equal acceptances, and a tuner that searches upwards finds the
-- smaller step size. Therefore the tuner of the cyclical sampler searches downwards for
-- the largest step. The acs paper shows this for an energy network on MNIST; here the
-- target is a Boltzmann machine trained on the same images (see rbm.lua).
local steps = { 0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.56, 0.8, 1.1,
                1.6, 2.2, 3.2, 4.5, 6.4, 9, 13, 18, 30, 60 }
local matched = { 0.5, 0.5, 0.5, 0.55, 0.6, 0.6, 0.7, 0.75, 0.8, 0.85 }
for k = 11, 20 do matched[k] = k < 13 and 0.9 or 0.95 end

local function ladder(balance) return cs.kernel.dmala { step = steps, balance = balance } end

local arms = { b50 = ladder(0.5), b80 = ladder(0.8), b95 = ladder(0.95), matched = ladder(matched) }

-- Starts every chain at a state from 100 steps of block Gibbs; `b95` would not converge
-- from noise.
local function settle(run)
  local chains = #run:arm("b50").chains
  local first = cs.open { target = machine, chains = chains, seed = run.seed,
                          arms = { cs.kernel.block_gibbs {} } }
  first:step(100)
  for c = 1, chains do
    local x = first:arm(1):chain(c):state()
    for _, name in ipairs { "b50", "b80", "b95", "matched" } do
      run:arm(name):chain(c):set_state(x)
    end
  end
end

local non_monotonic = "Acceptance rate v.s. step size on EBM sampling on MNIST shows a non-monotonic relationship"

return cs.scenario {
  title  = "Step, balance and acceptance",
  shows  = "Above balance 1/2 the acceptance rate has a minimum, so each step size needs its own balance",
  source = "acs, section 4.4, figure 2b",

  target = machine, setup = settle,
  chains = 16, seed = 11,
  arms   = arms,
  probes = { cycle = { period = 20 }, "acceptance", "energy", "movement", only = true },
  budget = { steps = 2000 },
  warmup = 0, -- steps are counted from the start, as in the paper
  setting = "a Boltzmann machine of MNIST in place of the paper's energy network",
  full   = { budget = { steps = 10000 }, chains = 64,
             setting = "a Boltzmann machine of MNIST in place of the paper's energy network" },
  screen = { "cycle", "picture" },

  claims = {
    { arm = "b50", stat = "cycle_acceptance", of = 1, at_least = 0.99, note = "a step of 0.05" },
    { arm = "b50", stat = "cycle_acceptance", of = 5, near = 0.6, within = 0.05,
      note = "a step of 0.2; without the other steps the acceptance is 0.58" },
    { arm = "b50", stat = "cycle_acceptance", of = 9, at_most = 0.003, note = "a step of 0.8" },
    { arm = "b80", stat = "cycle_acceptance", of = 1, at_least = 0.98, note = "a step of 0.05" },
    { arm = "b80", stat = "cycle_acceptance", of = 6, at_most = 0.35,
      quote = non_monotonic, where = "figure 2", paper = "it falls ...", note = "a step of 0.28" },
    { arm = "b80", stat = "cycle_acceptance", of = 9, at_least = 0.45,
      quote = non_monotonic, where = "figure 2", paper = "... rises ...", note = "a step of 0.8" },
    { arm = "b80", stat = "cycle_acceptance", of = 19, at_most = 0.22,
      quote = non_monotonic, where = "figure 2", paper = "... and falls", note = "a step of 30" },
    { arm = "b95", stat = "cycle_acceptance", of = 6, at_most = 0.15, note = "a step of 0.28" },
    { arm = "b95", stat = "cycle_acceptance", of = 15, at_least = 0.37, note = "a step of 6.4" },
    { arm = "matched", stat = "cycle_acceptance", at_least = 0.36,
      quote = "which enables reasonable acceptance rates for large step sizes", where = "section 4.3", note = "the lowest acceptance of all steps" },
  },
}
