-- Relations between two arms, as in the sentence "A is slower than B". The relation (here
-- "slower") determines which arm's figure is claimed to be larger. For "better" and "faster" this
-- also depends on the figure.
local m = ...

-- Returns the properties of a claim's figure. `good`: 1 if more is better, -1 if less is
-- better. `fast`: true if better also means faster. `scaled`: true if two arms are compared by
-- a ratio.
local function figure_of(claim) return not claim.measure and m.figures[claim.stat] or {} end

-- For each word: its side (see side_of), or the name of the property of the figure that determines
-- its side.
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

-- Returns the claimed side of the arm's figure: 1 if larger, -1 if smaller, 0 if alike. If the
-- word does not apply to this figure, returns nil.
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

-- Returns the relation of a checked claim, { side =, ratio = }; nil if it has none.
function m.relation_of(claim)
  if claim.relation then return { side = side_of(claim), ratio = by_ratio(claim) } end
end

local function check_size(claim)
  if claim.relation == "alike" and not claim.within then
    m.fail("relation = \"alike\" needs `within`", "write within = 0.05, the largest allowed difference (for a ratio: the difference from 1)")
  elseif claim.relation ~= "alike" and claim.within then
    m.fail("`within` needs relation = \"alike\"", "for a size write times = 8.7, factor = 1.25")
  elseif claim.times and claim.relation == "alike" then
    m.fail("relation = \"alike\" does not take `times`", "leave out `times`")
  elseif claim.factor and not claim.times then
    m.fail("`factor` needs `times`", "write times = 8.7, factor = 1.25")
  elseif claim.better and type(relations[claim.relation]) == "number" then
    m.fail("`better` does not apply to relation = \"" .. claim.relation .. "\", which already states which side is better",
           "leave out `better`")
  end
end

-- Checks the fields of a claim. Some fields are allowed only with the field
-- `relation`; other fields are not allowed with it.
function m.check_relation(claim)
  if not claim.relation then
    for _, field in ipairs { "than", "times", "factor", "better" } do
      if claim[field] then m.fail(field .. " needs a relation between two arms", "write relation = \"slower\", than = \"" ..
                                  (claim.than or "ARM") .. "\"") end
    end
    return
  end
  if relations[claim.relation] == nil then
    m.fail("unknown relation '" .. claim.relation .. "'", m.suggest(claim.relation, words))
  end
  if not claim.than then m.fail("`relation` needs `than`", "write than = the name of the other arm") end
  for _, field in ipairs { "less_than", "ratio_to", "at_least", "at_most", "near", "exact" } do
    if claim[field] then
      m.fail(field .. " cannot be combined with relation = \"" .. claim.relation .. "\"",
             "leave it out; for a size write times = 8.7")
    end
  end
  if claim.better and claim.better ~= "more" and claim.better ~= "less" then
    m.fail("unknown value: better = '" .. claim.better .. "'", "write better = \"more\", or better = \"less\"")
  end
  check_size(claim)
  if side_of(claim) == nil then
    m.fail(("it is not known whether a larger or a smaller %s is better, so \"%s\" has no meaning"):format(claim.stat, claim.relation),
           "write above or below" .. (claim.measure and ", or add better = \"less\"" or ""))
  end
end

-- Default tolerance of `times`, as a factor.
m.usual_factor = 1.25

-- Describes the claimed value of a difference or ratio, as in "slower: below 1", "8.7 times, within
-- a factor of 1.25", or "alike: 0 to 0.02".
function m.relation_in_words(claim)
  local r = m.relation_of(claim)
  local level = r.ratio and 1 or 0
  if r.side == 0 then return ("alike: %d to %.3g"):format(level, claim.within) end
  if claim.times then
    return ("%s%.3g times, within a factor of %.3g"):format(r.side > 0 and "" or "1/", claim.times,
                                                      claim.factor or m.usual_factor)
  end
  local side = r.side > 0 and "above" or "below"
  local word = claim.relation ~= side and claim.relation .. ": " or ""
  return ("%s%s %d"):format(word, side, level)
end
