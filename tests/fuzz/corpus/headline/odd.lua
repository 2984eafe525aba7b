local K = cs.kernel -- "title"
local f = function(x) return { title = "not this" } end
--[==[ return { title = "nor this" } ]==]
return cs.scenario {
  title = 'it\'s \u{41} "title"\z
           of \x41 and \065',
  shows = [[
two lines]], source = "Metropolis et al. 1953",
  target = cs.target.gaussian { dim = 2 },
  arms = { a = K.mala { step = 0.1 }, ["b"] = K.random_walk() },
}
