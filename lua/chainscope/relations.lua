-- Relations between two arms, as a sentence has them: "A is slower than B". Which side is
-- claimed follows from the word and, of better and faster, from what the figure counts.
local m = ...

-- What the list of figures says of one: `good`, the side on which it is better; `fast`, that
-- this is faster; `scaled`, that two arms are compared by their ratio.
local function figure_of(claim) return not claim.measure and m.figures[claim.stat] or {} end

-- Each word: a side, or what of the figure says it.
local relations = {
  above = 1, more = 1, below = -1, fewer = -1,
  better = { "good", 1 }, worse = { "good", -1 },
  faster = { "fast", 1 }, slower = { "fast", -1 },
  alike = 0,
}
local words = m.sorted_keys(relations)

local function own_side(claim)
  if claim.better == "more" then return 1 end
  if claim.better == "less" then return -1 end
end

-- 1: the figure of the arm is claimed to be larger, -1: smaller, 0: they are alike; nil: the
-- word says nothing of this figure.
local function side_of(claim)
  local row = relations[claim.relation]
  if type(row) == "number" then return row end
  local figure = figure_of(claim)
  local side = own_side(claim) or (row[1] == "good" or figure.fast) and figure.good or nil
  return side and side * row[2]
end

local function by_ratio(claim)
  return claim.times ~= nil or figure_of(claim).scaled == true
end

-- Which relation a claim is, once it was checked: { side =, ratio = }; nil: it is none.
function m.relation_of(claim)
  if claim.relation then return { side = side_of(claim), ratio = by_ratio(claim) } end
end

local function check_size(claim)
  if claim.relation == "alike" and not claim.within then
    m.fail("two arms are alike within what?", "within = 0.05: of a difference; of a ratio to 1")
  elseif claim.relation ~= "alike" and claim.within then
    m.fail("within is of relation = \"alike\"", "a size: times = 8.7, factor = 1.25")
  elseif claim.times and claim.relation == "alike" then
    m.fail("arms that are alike are not so many times each other", "leave out times")
  elseif claim.factor and not claim.times then
    m.fail("factor is how far from times is still near", "times = 8.7, factor = 1.25")
  elseif claim.better and type(relations[claim.relation]) == "number" then
    m.fail("better says which side a measure is better or faster on; " .. claim.relation .. " says it itself",
           "leave out better")
  end
end

-- Fields of a claim that go with `relation`, and those that do not.
function m.check_relation(claim)
  if not claim.relation then
    for _, field in ipairs { "than", "times", "factor", "better" } do
      if claim[field] then m.fail(field .. " is of a relation between two arms", "relation = \"slower\", than = \"" ..
                                  (claim.than or "ARM") .. "\"") end
    end
    return
  end
  if relations[claim.relation] == nil then
    m.fail("there is no relation '" .. claim.relation .. "'", m.suggest(claim.relation, words))
  end
  if not claim.than then m.fail("a relation is between two arms", "than = the name of the other") end
  for _, field in ipairs { "less", "over", "at_least", "at_most", "near", "exact" } do
    if claim[field] then
      m.fail(field .. " is said by relation = \"" .. claim.relation .. "\" already",
             "leave it out; a size is times = 8.7")
    end
  end
  if claim.better and claim.better ~= "more" and claim.better ~= "less" then
    m.fail("better is '" .. claim.better .. "'", "better = \"more\", or better = \"less\"")
  end
  check_size(claim)
  if side_of(claim) == nil then
    m.fail(("whether %s is %s is not known of a figure"):format(claim.stat, claim.relation),
           "say above or below" .. (claim.measure and ", or better = \"less\"" or ""))
  end
end

-- How far from the number of times is still near, unless `factor` says so.
m.usual_factor = 1.25

-- "slower: below 1", "8.7 times, to a factor of 1.25", "alike: 0 to 0.02": what is claimed of
-- the difference or the ratio.
function m.relation_in_words(claim)
  local r = m.relation_of(claim)
  local level = r.ratio and 1 or 0
  if r.side == 0 then return ("alike: %d to %.3g"):format(level, claim.within) end
  if claim.times then
    return ("%s%.3g times, to a factor of %.3g"):format(r.side > 0 and "" or "1/", claim.times,
                                                      claim.factor or m.usual_factor)
  end
  local side = r.side > 0 and "above" or "below"
  local word = claim.relation ~= side and claim.relation .. ": " or ""
  return ("%s%s %d"):format(word, side, level)
end
