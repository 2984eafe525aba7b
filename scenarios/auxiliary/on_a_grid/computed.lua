-- A helper for the scenarios of the folder `auxiliary`: makes a claim about a number that
-- the function f computes, so the claim can be decided without a run. `arm` and `stat`
-- name the claim in the report, and the table `claim` has the other fields of the claim.
-- Returns `claim`.
return function(arm, stat, f, claim)
  claim.arm, claim.stat = arm, stat
  claim.measure = function() return f(), 0 end
  return claim
end
