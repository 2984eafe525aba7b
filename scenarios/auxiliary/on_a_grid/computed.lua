-- A claim on a number that is computed: f() gives it.
return function(arm, stat, f, claim)
  claim.arm, claim.stat = arm, stat
  claim.measure = function() return f(), 0 end
  return claim
end
