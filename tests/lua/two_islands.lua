local cs = require "chainscope"

return cs.scenario {
  title  = "Two islands",
  shows  = "A fixed step stays on one island; a cyclical step crosses between them",
  source = "acs, section 4.1",
  target = cs.target.lattice_modes { modes = 25, gap = 75, variance = 0.15 },
  chains = 12, seed = 7,
  arms = {
    dmala = cs.kernel.dmala { step = 53 },
    acs   = cs.kernel.dmala {
      step    = cs.schedule.cosine { max = 1575, min = 3, period = 20 },
      balance = cs.schedule.cosine { max = 0.95, min = 0.5, period = 20 },
    },
  },
  budget = { gradients = 400000 },
  screen = { "map", "trace", "energy", "acceptance", "visits" },
  claims = {
    { arm = "acs",   stat = "modes_visited", at_least = 25, paper = "all modes (fig. 1e)" },
    { arm = "dmala", stat = "modes_visited", at_most  = 5,  paper = "trapped (fig. 1c)" },
  },
}
