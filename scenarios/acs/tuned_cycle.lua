-- A schedule that tunes itself, on a Boltzmann machine.
--
-- The steps of a discrete Langevin sampler are either small and accepted, or
-- large and refused. The cyclical sampler goes through both: each cycle begins
-- with its largest step, whose proposals follow the gradient more closely (the
-- balance), and ends with its smallest. Which steps and balances these are is
-- found in a warm-up: watch the panel `tuner` while it searches, then the panel
-- `cycle`, which shows the plan it has left behind. It can be read, too:
--
--   run:arm("acs"):plan()       -- { step = { 5, ... }, weight = { 0.95, ... } }
--   cs.kernel.dmala(run:arm("acs"):plan())       -- a kernel with that plan
--
-- The machine has 12 visible and 6 hidden units, so that everything can be
-- summed. `acs` is the algorithm of the paper, `released` that of its program.
-- (There is a third variant, "printed": the paper's to the letter. Its search
-- for the largest step goes on shrinking it here, though it was accepted more
-- often than wanted from the first trial on, until it is below the smallest: of
-- the cycle nothing is left, and the arm is dmala with a step of about 1.)
local cs = require "chainscope"

local function machine()
  local rows = { { 0 } }
  for i = 1, 12 do rows[1][i + 1] = 0.2 * math.cos(i - 1) end
  for j = 1, 6 do
    local row = { 0.1 * (j - 3.5) }
    for i = 1, 12 do row[i + 1] = math.sin(0.7 * j * i) end
    rows[j + 1] = row
  end
  return cs.target.rbm { weights = rows }
end

-- A test of five steps of 20 chains is as sure as one step of 100.
local function tuned(variant)
  return { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { variant = variant, trial_steps = 5 } }
end

return cs.scenario {
  title  = "A cycle that tunes itself",
  shows  = "Large and small steps, both accepted, are found during the warm-up",
  source = "acs, section 4.4 and appendix A",
  tags   = "tuner discrete cyclical",

  target = machine(),
  chains = 20, seed = 4,
  arms   = {
    acs      = tuned "paper",
    released = tuned "released",
    dmala    = cs.kernel.dmala { step = 0.2 },
  },
  probes = { cycle = { period = 20 }, "acceptance", "energy", "diagnostics", "movement", only = true },
  budget = { steps = 4000 },
  warmup = 0, -- counted from the start, as in the paper
  screen = { "tuner", "cycle", "acceptance", "energy" },

  claims = {
    { arm = "released", stat = "acceptance", near = 0.81, within = 0.03,
      note = "the paper\'s program, run: 0.80 to 0.82" },
    { arm = "released", stat = "hamming", near = 3.33, within = 0.15,
      note = "the paper\'s program, run: 3.31 to 3.35 flips a step" },
    { arm = "dmala", stat = "acceptance", exact = 0.981262,
      note = "the paper\'s program, run: 0.981" },
    { arm = "acs", stat = "acceptance", at_least = 0.75 },
    { arm = "acs", stat = "ess", at_least = 12000,
      note = "its warm-up, a third of the budget, is paid for" },
    { arm = "dmala", stat = "ess", at_most = 7000 },
    { arm = "acs", stat = "log_density", exact = 7.4432, note = "summed over all states" },
    { arm = "released", stat = "log_density", exact = 7.4432, note = "the same" },
  },
}
