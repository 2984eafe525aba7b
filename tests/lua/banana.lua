local cs = require "chainscope"
local banana = cs.target {
  space = cs.real(2),
  log_density = function(x) return -0.5 * (x[1]^2 + 20 * (x[2] - x[1]^2)^2) end,
}
local run = cs.open { target = banana, arms = { cs.kernel.mala { step = 0.1 } }, seed = 1 }
while run.steps < 1000 do
  run:step(1)                         -- one step of every chain, in C
  local info = run:arm(1):chain(1):info()
  if info.accepted then print(run.steps, info.log_accept, run:arm(1):chain(1):state()) end
end
run:arm(1):set("step", 0.3)           -- parameters may change between steps
run:rewind(100)                       -- restores the earlier state exactly
print(run:summary())
