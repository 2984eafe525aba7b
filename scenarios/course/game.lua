-- The game: which of four arms is broken, and after how few steps can you tell?
--
-- Three arms sample the target correctly. One has a fault: a wrong ratio, a proposal that is
-- clipped, a step that depends on the state. The seed selects the fault and the arm.
-- Enter runs 50 steps. A digit marks an arm, and the same digit again names it. The key t
-- tests the laws of the marked arm, once, for 30 points. R starts another game.
-- The right arm scores 100, less 10 for each doubling of the first 50 steps; a wrong one -50.
local cs = require "chainscope"

-- The number of arms whose sd is more than five errors from that of the target, 1.
local function off(arm)
  local n = 0
  for i = 1, #arm.run.arms do
    local one = arm.run:arm(i)
    if math.abs(one:figure("sd", 1) - 1) > 5 * one:figure("mcse_sd", 1) then n = n + 1 end
  end
  return n, 0
end

return cs.scenario {
  title  = "The game: which arm is broken?",
  shows  = "A fault is visible in the draws, after few steps or many",
  tags   = "course week-2 minutes-5 game",
  seed   = 1,
  budget = { steps = 8000 },
  game   = {},
  claims = { { arm = "a", stat = "arms with a wrong sd", exact = 1, measure = off } },
}
