-- Compares an arm that samples discrete parameters with nuts on the same model, in which these
-- parameters are summed out.
local cs = require "chainscope"
local beside = {}

local seeds = 4

-- Returns an arm with the kernel nuts on `target` after `steps` steps of four chains.
local function sampled(target, steps, start, seed)
  local run = cs.open { target = target, chains = 4, seed = seed, start = start,
                        arms = { nuts = cs.kernel.nuts {} }, probes = { "diagnostics" }, budget = { steps = steps } }
  run:step(steps)
  return run:arm("nuts")
end

-- Returns a function of a figure's name and its coordinate. It returns a function for the field
-- `measure` of a claim: the figure of nuts on `target` divided by the same figure of the arm, for
-- each of four seeds. Claims share the four runs.
function beside.with(target, steps, start)
  local first, arms
  local function open(seed)
    if first == seed then return end
    first, arms = seed, {}
    for k = 1, seeds do arms[k] = sampled(target, steps, start, seed + k) end
  end
  return function(stat, of)
    return function(arm)
      local list, own = {}, arm:figure(stat, of)
      open(arm.run.seed)
      for k = 1, seeds do list[k] = arms[k]:figure(stat, of) / own end
      return list
    end
  end
end

return beside
