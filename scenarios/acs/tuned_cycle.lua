-- A cycle of large and small steps that tunes itself, on a small Boltzmann machine.
--
-- A discrete Langevin sampler has either small steps, which are accepted, or large steps,
-- which are rejected. The cyclical sampler uses both: each cycle starts with its largest
-- step and ends with its smallest. At the largest step, proposals follow the gradient
-- more closely (a larger balance). A warm-up finds these steps and balances: `acs` by the
-- algorithm of the acs paper (Pynadath et al. 2024), `released` by the algorithm of the
-- paper's program.
--
-- Watch the panel `tuner` during the search, then `cycle`, which shows the schedule that
-- was found. In Lua, run:arm("acs"):plan() returns this schedule, and
-- cs.kernel.dmala(run:arm("acs"):plan()) is a kernel that uses it.
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

-- The machine has 12 visible and 6 hidden units, so that exact values are sums over all
-- states.
--
-- A trial of five steps of 20 chains is as precise as one step of 100 chains. A third
-- variant, "printed", follows the paper's text exactly. Its search for the largest step
-- shrinks this step again and again, although the acceptance was above the target from
-- the first trial. In the end the largest step is below the smallest step. Then no cycle
-- remains, and the arm is dmala with a step of about 1.
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
  warmup = 0, -- steps are counted from the start, as in the paper
  screen = { "tuner", "cycle", "acceptance", "energy" },

  claims = {
    { arm = "released", stat = "acceptance", near = 0.81, within = 0.03,
      note = "the acceptance of the paper\'s program is 0.80 to 0.82" },
    { arm = "released", stat = "hamming", near = 3.33, within = 0.15,
      note = "the paper\'s program flips 3.31 to 3.35 bits per step" },
    { arm = "dmala", stat = "acceptance", exact = 0.981262,
      note = "the acceptance of the paper\'s program is 0.981" },
    { arm = "acs", stat = "acceptance", at_least = 0.75 },
    { arm = "acs", stat = "ess", at_least = 12000,
      note = "the steps include its warm-up, a third of the budget" },
    { arm = "dmala", stat = "ess", at_most = 7000 },
    { arm = "acs", stat = "log_density", exact = 7.4432, note = "exact value: a sum over all states" },
    { arm = "released", stat = "log_density", exact = 7.4432, note = "exact value: a sum over all states" },
  },
}
