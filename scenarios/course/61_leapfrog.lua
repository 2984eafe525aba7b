-- HMC moves along the orbit of a puck on the hill, in finite steps of time.
--
-- The length of all trajectories is 1.6. With a step of 0.1 it takes sixteen leapfrogs and
-- nearly conserves the energy, with a step of 1.6 it takes one. Above a step of 2 (for a
-- standard normal) the orbit explodes.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local function hmc(step, leapfrogs)
  return cs.kernel.hmc { step = step, leapfrogs = leapfrogs, jitter = 0 }
end

return cs.scenario {
  title  = "A puck in ticks of time",
  shows  = "The integrator decides how often, the accept step decides what",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3.2",
  tags   = "course week-6 minutes-8",

  target = cs.target.gaussian { dim = 10 },
  chains = 4, seed = 6,
  arms   = {
    fine    = hmc(0.1, 16),
    middle  = hmc(0.8, 2),
    coarse  = hmc(1.6, 1),
    beyond  = hmc(2.1, 1),
  },
  budget = { steps = 5000 },
  warmup = 0,
  screen = { "lesson", "map", "acceptance", "summary" },

  course = {
    { say = "A puck slides on the hill turned upside down. Its energy is conserved. A computer only sees it at ticks of time, and then the energy is not quite conserved." },
    { say = "Four arms: ticks of 0.1, 0.8, 1.6 and 2.1. Each but the last follows the puck for a time of 1.6." },
    { ask = "Which of the three, `fine`, `middle` or `coarse`, accepts most?", choose = { "fine", "middle", "coarse" },
      truth = { largest = "acceptance", at = "end" }, wrong = "The smaller the tick, the smaller the error of the energy." },
    { run = 1000, speed = 500, say = "A thousand trajectories." },
    { reveal = "{truth}." },
    { ask = "Which has the most effective draws of x.1 per evaluation of the gradient?", choose = { "fine", "middle", "coarse" },
      truth = { largest = "ess_per_work", at = "end" }, wrong = "`fine` pays sixteen gradients for what `middle` does with two." },
    { reveal = "{truth}: it costs to be too exact." },
    { ask = "`middle` errs in the energy, and a fifth of its moves are refused. The standard deviation of its draws, where 1 is right?", within = 0.1,
      truth = { figure = "sd", arm = "middle", of = 1, at = "end" }, wrong = "The accept step pays for the errors of the integrator: the draws are exact." },
    { reveal = "{truth}: the accept step makes it exact." },
    { ask = "And how many moves of `beyond`, with a tick of 2.1, are accepted?",
      choose = { { "about half", at_least = 0.3, say = "Above a tick of twice the standard deviation the orbit grows at each tick." },
                 { "about a tenth", at_least = 0.07, at_most = 0.2, say = "Above a tick of twice the standard deviation the orbit grows at each tick." },
                 { "nearly none", at_most = 0.04 } },
      truth = { figure = "acceptance", arm = "beyond", at = "end" } },
    { reveal = "{truth}: above twice the standard deviation the orbit explodes.", arm = "beyond" },
    { say = "The integrator decides how often a move is taken, the accept step decides which distribution is sampled." },
  },

  claims = {
    { arm = "fine", stat = "acceptance", at_least = 0.98 },
    { arm = "middle", stat = "acceptance", near = 0.8, within = 0.05 },
    { arm = "coarse", stat = "acceptance", near = 0.14, within = 0.04 },
    { arm = "beyond", stat = "acceptance", at_most = 0.05 },
    { arm = "middle", stat = "sd", of = 1, exact = 1, within = 0.1 },
  },
}
