-- Exact results for chains on finite spaces: built-in auxiliary chains, as in cs.theory.poisson_mh
-- { ... }; algorithm 1 given by tables or functions, cs.theory { ... }; and samplers of bits, as
-- in cs.theory.dmala { ... }.
local m = ...
local core, cs = m.core, m.cs

-- Returns the list for the given arguments. If v is a function, it is v(...); if v is a table, it
-- is v[1][2] ..., with the indices in `path`.
local function list_at(name, v, arguments, path)
  local list, called
  if type(v) == "function" then
    called = ("%s(%s)"):format(name, table.concat(arguments, ", "))
    list = v(table.unpack(arguments))
  else
    called, list = name, v
    for _, i in ipairs(path) do
      list = type(list) == "table" and list[i] or nil
      called = called .. "[" .. i .. "]"
    end
  end
  if type(list) ~= "table" then
    m.fail(("%s is a %s"):format(called, core.kind(list)), "give a list of probabilities")
  end
  return list, called
end

-- Returns all lists of an argument. Each list must have length `n` or, without `n`, the length of
-- the first list.
local function flat(name, v, places, n)
  local out = {}
  for i, place in ipairs(places) do
    local list, called = list_at(name, v, place[1], place[2])
    n = n or #list
    if #list ~= n or n == 0 then
      m.fail(("%s has %d numbers, not %d"):format(called, #list, n), "give one probability for each value")
    end
    out[i] = list
  end
  return out
end

-- Returns two values for each list in `propose`, `second` and `drawn`: the
-- arguments for which a function returns the list, and the indices of the list
-- in a table.
local function places_of(n, n1, given, pairs_too)
  local out = {}
  for k = 1, n1 do
    for a = 1, n do
      for b = 1, pairs_too and n or 1 do
        local arguments, path = { a }, { a }
        if pairs_too then arguments[2], path[2] = b, b end
        arguments[#arguments + 1] = given and k or nil
        if given then table.insert(path, 1, k) end
        out[#out + 1] = { arguments, path }
      end
    end
  end
  return out
end

local most = 200

-- Fields of cs.theory { ... }, from the rows of the core.
local kinds, may_call = core.theories(), { first = true, propose = true, second = true, drawn = true }
local word_of = { array = "table", bool = "boolean", choice = "string" }
m.rows.theory = {}
for _, row in ipairs(kinds.tables) do
  m.rows.theory[row.name] = { word_of[row.kind] .. (may_call[row.name] and " function" or ""), row.help,
                              required = row.required and row.name .. " = ..." or nil }
end
kinds.tables, m.theories = nil, kinds

local function own(t)
  m.check("cs.theory", t, m.rows.theory)
  local fields, n, n1 = {}, #t.logp, 1
  for name, value in next, t do fields[name] = value end
  if n > most then return core.theory("tables", fields) end -- the core reports the error
  if t.first then
    local places = {}
    for a = 1, n do places[a] = { { a }, { a } } end
    fields.first = flat("first", t.first, places)
    n1 = #fields.first[1]
  end
  fields.propose = flat("propose", t.propose, places_of(n, n1, t.first, false), n)
  for _, name in ipairs { "second", "drawn" } do
    if t[name] then fields[name] = flat(name, t[name], places_of(n, n1, t.first, true)) end
  end
  return core.theory("tables", fields)
end

-- ---- samplers of bits ----

local of_bits = { dmala = true, dula = true, edmala = true, edula = true }
for name in next, of_bits do
  table.insert(kinds[name], 1, { name = "target", kind = "target",
    help = "a target of up to ten bits, in place of logp and gradient" })
end

-- Evaluates log p and its gradient at all states of a target; the first bit is the most
-- significant.
local function listed(name, target, fields)
  local kind = core.kind(target)
  if kind ~= "target" then m.fail(("cs.theory.%s: target is a %s"):format(name, kind), "give a target of bits") end
  if target.space ~= "binary" or target.dim > 10 then
    m.fail(("cs.theory.%s: target has %d %s coordinates"):format(name, target.dim, target.space), "give a target of at most ten bits")
  end
  fields.logp, fields.gradient = {}, {}
  for a = 0, 2^target.dim - 1 do
    local x = {}
    for i = 1, target.dim do x[i] = math.tointeger(a) >> (target.dim - i) & 1 end
    fields.logp[a + 1], fields.gradient[a + 1] = target:log_density(x), target:gradient(x)
  end
end

-- If a cycle has only one step, `step` and `balance` may be numbers instead of
-- lists.
local function built_in(name, fields)
  if not of_bits[name] then return core.theory(name, fields) end
  local given = {}
  for field, value in next, fields do
    local single = not name:find "^e" and (field == "step" or field == "balance") and type(value) == "number"
    given[field] = single and { value } or value
  end
  given.target = nil
  if fields.target then listed(name, fields.target, given) end
  return core.theory(name, given)
end

cs.theory = m.family("theory", kinds, built_in, own)
