-- Measures for claims about predictions: each function returns a function for the field `measure` of
-- a claim, which returns a figure of an arm, its Monte Carlo error and degrees of freedom.
local measures = {}

-- Degrees of freedom of the errors, which are those of all draws.
local known = 100

-- How much larger the expected log predictive density (PSIS-LOO) is for one log likelihood than for
-- another. The arguments are names of generated quantities.
function measures.gain(one, other)
  return function(arm)
    local a, b = arm:loo(one), arm:loo(other)
    local square = 0
    for i = 1, #a.mcse do square = square + a.mcse[i]^2 + b.mcse[i]^2 end
    return a.elpd - b.elpd, math.sqrt(square), known
  end
end

-- p of a statistic of a predictive check.
function measures.p_of(check, statistic)
  return function(arm)
    local test = arm:predictive(check)[statistic]
    return test.p, test.error, known
  end
end

return measures
