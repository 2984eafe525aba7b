-- slip: wrong_sign
-- say: levels that were visited often must become less likely: your walk stays where it was first
-- The number of states of each energy of a 4 x 4 lattice: complete the function learn.
-- Mark it: chainscope exercise 102 --mark mine.lua

-- Returns half the change of the number of unsatisfied bonds if spin i of s[0] ... s[15] turns.
local function change(s, i)
  local r, c = i // 4, i % 4
  local around = s[(r + 1) % 4 * 4 + c] + s[(r + 3) % 4 * 4 + c] + s[r * 4 + (c + 1) % 4] + s[r * 4 + (c + 3) % 4]
  return s[i] * around // 2
end

-- Returns log g by level: a table with the keys 0, 2, 3, ... 14, 16 (no state has level 1 or 15).
-- random() is a uniform number.
local function learn(random)
  local s, k, f, log_g, seen, n_seen = {}, 0, 1, {}, {}, 0
  for i = 0, 15 do s[i] = 1 end
  for level = 0, 16 do
    if level ~= 1 and level ~= 15 then log_g[level] = 0 end
  end
  -- Counts the visited levels, and halves f when all were visited.
  local function visit(level)
    if not seen[level] then seen[level], n_seen = true, n_seen + 1 end
    if n_seen == 15 then f, seen, n_seen = f / 2, {}, 0 end
  end
  for t = 1, 400000 do
    local i = math.floor(16 * random())
    local new = k + change(s, i)
    if random() < math.exp(log_g[new] - log_g[k]) then
      s[i] = -s[i]
      k = new
    end
    visit(k)
    log_g[k] = log_g[k] + f
    f = math.max(f, 15 / t)
  end
  return log_g
end

return { learn = learn }
