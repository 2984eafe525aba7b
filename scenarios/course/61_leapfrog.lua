-- HMC moves along the path of a puck on the hill turned upside down, in finite steps of time.
--
-- Three arms have trajectories of length 1.6. With a step of 0.1 a trajectory takes sixteen
-- leapfrogs and nearly conserves the energy, with a step of 1.6 it takes one. Above a step of
-- 2 (for a standard normal) the integrator is unstable. `crude` makes whole changes of the
-- momentum at both ends: it follows the puck badly, but returns if the momentum is reversed.
--
-- Enter and backspace go through the lesson; a digit answers a question.
local cs = require "chainscope"

local function hmc(step, leapfrogs)
  return cs.kernel.hmc { step = step, leapfrogs = leapfrogs, jitter = 0 }
end

-- Two drifts of 0.8 between three kicks, all of them whole.
local function kinetic(v)
  local sum = 0
  for i = 1, #v do sum = sum + v[i] ^ 2 / 2 end
  return sum
end
local crude = cs.kernel {
  omega1 = function(x, draw)
    local v = {}
    for i = 1, #x do v[i] = draw:normal() end
    return v
  end,
  map = function(x, v, _, target)
    for k = 1, 3 do
      local g = target:gradient(x)
      for i = 1, #x do
        v[i] = v[i] + 0.8 * g[i]
        x[i] = x[i] + (k < 3 and 0.8 * v[i] or 0)
      end
    end
    return x, v
  end,
  log_ratio = function(x, y, v, w, _, target)
    return target:log_density(y) - kinetic(w) - target:log_density(x) + kinetic(v)
  end,
}

return cs.scenario {
  title  = "A puck in ticks of time",
  shows  = "Errors of the energy, the acceptance rate, and the draws",
  source = "Neal, MCMC using Hamiltonian dynamics, 2011, section 3.2",
  tags   = "course week-6 minutes-8",
  exercise = "exercises/61_leapfrog.lua",

  target = cs.target.gaussian { dim = 10 },
  chains = 4, seed = 6,
  arms   = {
    fine    = hmc(0.1, 16),
    middle  = hmc(0.8, 2),
    coarse  = hmc(1.6, 1),
    beyond  = hmc(2.1, 1),
    crude   = crude,
  },
  budget = { steps = 5000 },
  warmup = 0,
  screen = { "lesson", "map", "acceptance", "summary" },

  course = {
    { say = "A puck slides on the hill turned upside down. Its energy is conserved. A computer moves it in finite steps of time, here called ticks, and then the energy is only nearly conserved." },
    { say = "`fine` has ticks of 0.1, `middle` 0.8, `coarse` 1.6 and `beyond` 2.1. The first three follow the puck for a time of 1.6." },
    { ask = "Which of the three, `fine`, `middle` or `coarse`, accepts most?", choose = { "fine", "middle", "coarse" },
      truth = { largest = "acceptance", at = "end" }, wrong = "The smaller the tick, the smaller the error of the energy." },
    { run = 1000, speed = 500, say = "A thousand trajectories." },
    { reveal = "{truth}." },
    { ask = "Which has the most effective draws of x.1 per evaluation of the gradient?", choose = { "fine", "middle", "coarse" },
      truth = { largest = "ess_per_work", at = "end" }, wrong = "`fine` pays sixteen gradients for what `middle` does with two." },
    { reveal = "{truth}: a smaller error of the energy is not worth its price in gradients." },
    { ask = "`crude` is `middle` with a mistake: its first and last changes of the momentum are twice as large as they should be. What is the standard deviation of its draws, where 1 is right?",
      choose = { { "about 0.8", at_most = 0.88, say = "The accept step compares the energies at both ends, and so corrects the errors between them." },
                 { "about 1", at_least = 0.92, at_most = 1.08 },
                 { "about 1.2", at_least = 1.12, say = "The accept step compares the energies at both ends, and so corrects the errors between them." } },
      truth = { figure = "sd", arm = "crude", of = 1, at = "end" } },
    { reveal = "{truth}: right, but slow. It accepts {acceptance crude} of its proposals, `middle` {acceptance middle}. The path must only return when the momentum is reversed, and preserve volumes.", arm = "crude" },
    { ask = "How many proposals of `beyond`, with a tick of 2.1, are accepted?",
      choose = { { "about half", at_least = 0.3, say = "If a tick is longer than twice the standard deviation, the error grows at each tick." },
                 { "about a tenth", at_least = 0.07, at_most = 0.2, say = "If a tick is longer than twice the standard deviation, the error grows at each tick." },
                 { "nearly none", at_most = 0.04 } },
      truth = { figure = "acceptance", arm = "beyond", at = "end" } },
    { reveal = "{truth}: a tick longer than twice the standard deviation makes the integrator unstable.", arm = "beyond" },
    { say = "Errors of the integrator lower the acceptance rate. The accept step keeps the distribution right. Write your own: `chainscope exercise 61`." },
  },

  claims = {
    { arm = "fine", stat = "acceptance", at_least = 0.98 },
    { arm = "middle", stat = "acceptance", near = 0.79, within = 0.035 },
    { arm = "coarse", stat = "acceptance", near = 0.136, within = 0.041 },
    { arm = "beyond", stat = "acceptance", at_most = 0.05 },
    { arm = "middle", stat = "sd", of = 1, exact = 1, within = 0.048 },
    { arm = "crude", stat = "sd", of = 1, exact = 1, within = 0.1 },
    { arm = "crude", stat = "acceptance", near = 0.54, within = 0.05 },
  },
}
