-- Compares an arm that samples discrete parameters with nuts on the same model, in which these
-- parameters are summed out.
local cs = require "chainscope"
local beside = {}

local seeds = 6

-- Returns a function for the field `measure` of a claim: the figure of nuts on `target`, for
-- `steps` steps of four chains, divided by the same figure of the arm. Its list has an entry for
-- each of six seeds.
function beside.ratio(target, steps, start, stat, of)
  return function(arm)
    local list, own = {}, arm:figure(stat, of)
    for k = 1, seeds do
      local run = cs.open { target = target, chains = 4, seed = arm.run.seed + k, start = start,
                            arms = { nuts = cs.kernel.nuts {} }, probes = { "diagnostics" },
                            budget = { steps = steps } }
      run:step(steps)
      list[k] = run:arm("nuts"):figure(stat, of) / own
    end
    return list
  end
end

return beside
