-- HMC moves along the path of a puck on the hill turned upside down, in finite steps of time.
--
-- Three arms have trajectories of length 1.6. With a step of 0.1 a trajectory takes sixteen
-- leapfrogs and nearly conserves the energy, with a step of 1.6 it takes one. Above a step of
-- 2 (for a standard normal) the integrator is unstable.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local function hmc(step, leapfrogs)
  return cs.kernel.hmc { step = step, leapfrogs = leapfrogs, jitter = 0 }
end

return cs.scenario {
  title  = "A puck in ticks of time",
  shows  = "Errors of the integrator lower the acceptance rate; the accept step keeps the draws exact",
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
    { say = "A puck slides on the hill turned upside down. Its energy is conserved. A computer moves it in finite steps of time, here called ticks, and then the energy is only nearly conserved." },
    { say = "Four arms: `fine` has ticks of 0.1, `middle` 0.8, `coarse` 1.6 and `beyond` 2.1. The first three follow the puck for a time of 1.6." },
    { ask = "Which of the three, `fine`, `middle` or `coarse`, accepts most?", choose = { "fine", "middle", "coarse" },
      truth = { largest = "acceptance", at = "end" }, wrong = "The smaller the tick, the smaller the error of the energy." },
    { run = 1000, speed = 500, say = "A thousand trajectories." },
    { reveal = "{truth}." },
    { ask = "Which has the most effective draws of x.1 per evaluation of the gradient?", choose = { "fine", "middle", "coarse" },
      truth = { largest = "ess_per_work", at = "end" }, wrong = "`fine` pays sixteen gradients for what `middle` does with two." },
    { reveal = "{truth}: a smaller error of the energy is not worth its price in gradients." },
    { ask = "`middle` does not conserve the energy, and a fifth of its proposals are rejected. What is the standard deviation of its draws, where 1 is right?", within = 0.1,
      truth = { figure = "sd", arm = "middle", of = 1, at = "end" }, wrong = "The accept step corrects the errors of the integrator: the draws have the right distribution." },
    { reveal = "{truth}: the accept step corrects the errors of the integrator." },
    { ask = "How many proposals of `beyond`, with a tick of 2.1, are accepted?",
      choose = { { "about half", at_least = 0.3, say = "If a tick is longer than twice the standard deviation, the error grows at each tick." },
                 { "about a tenth", at_least = 0.07, at_most = 0.2, say = "If a tick is longer than twice the standard deviation, the error grows at each tick." },
                 { "nearly none", at_most = 0.04 } },
      truth = { figure = "acceptance", arm = "beyond", at = "end" } },
    { reveal = "{truth}: a tick longer than twice the standard deviation makes the integrator unstable.", arm = "beyond" },
    { say = "Errors of the integrator lower the acceptance rate. The accept step keeps the distribution right." },
  },

  claims = {
    { arm = "fine", stat = "acceptance", at_least = 0.98 },
    { arm = "middle", stat = "acceptance", near = 0.79, within = 0.035 },
    { arm = "coarse", stat = "acceptance", near = 0.136, within = 0.041 },
    { arm = "beyond", stat = "acceptance", at_most = 0.05 },
    { arm = "middle", stat = "sd", of = 1, exact = 1, within = 0.048 },
  },
}
