-- Computes the exact number of states of an Ising torus for each number of bonds between
-- unlike spins. Kaufman's partition function ("Crystal statistics II", 1949) is a
-- polynomial in z = exp(-2 K), where K is the coupling. Beale ("Exact distribution of
-- energies in the two-dimensional Ising model", 1996) expands this polynomial by computer
-- algebra. The factors of the polynomial contain cos(pi k / n), with n the side of the
-- lattice. So the polynomial is expanded in integers modulo primes p that have an element
-- w of order 2 n; there 2 cos(pi k / n) = w^k + w^-k. The coefficients follow from their
-- remainders modulo several primes.
local function is_prime(x)
  for d = 2, math.floor(math.sqrt(x)) do if x % d == 0 then return false end end
  return true
end

local function power(x, k, p)
  local out = 1
  while k > 0 do
    if k & 1 == 1 then out = out * x % p end
    x, k = x * x % p, k >> 1
  end
  return out
end

-- A polynomial is a list of its coefficients, starting with the constant one at
-- index 0.
local function times(a, b, p)
  local out = {}
  for i = 0, #a + #b do out[i] = 0 end
  for i = 0, #a do
    local ai = a[i]
    if ai ~= 0 then for j = 0, #b do out[i + j] = (out[i + j] + ai * b[j]) % p end end
  end
  return out
end
local function plus(a, b, by, p)
  local out = {}
  for i = 0, math.max(#a, #b) do out[i] = ((a[i] or 0) + by * (b[i] or 0)) % p end
  return out
end
local function raised(a, k, p)
  local out = { [0] = 1 }
  for _ = 1, k do out = times(out, a, p) end
  return out
end

-- Returns an element whose multiplicative order modulo p is 2 n.
local function root(n, p)
  local w, g = 1, 2
  repeat
    w, g = power(g, (p - 1) // (2 * n), p), g + 1
  until power(w, n, p) == p - 1
  return w
end

-- The counts modulo p; n and m are even. With cosh gamma_k = cosh 2K coth 2K - cos(pi k /
-- n): the products over odd k, then over even k, of 2 cosh(m gamma / 2) and of 2 sinh.
-- gamma_k equals gamma_(2n - k), except for k = 0 and n.
local function modulo(n, m, p)
  local w = root(n, p)
  local d = { [0] = 0, 1, 0, p - 1 } -- z (1 - z^2)
  local square, shift = times(d, d, p), raised(d, m, p)
  local function cosh_squared(k)
    local two_cos = (power(w, k, p) + power(w, 2 * n - k, p)) % p
    local a = plus({ [0] = 1, 0, 2, 0, 1 }, d, p - two_cos, p)
    local before, now = { [0] = 2 }, a
    for _ = 2, m // 2 do
      before, now = now, plus(times(a, now, p), times(square, before, p), p - 1, p)
    end
    return times(now, now, p)
  end
  local up, down, z = raised({ [0] = 1, 1 }, m, p), raised({ [0] = 1, p - 1 }, m, p), raised({ [0] = 0, 1 }, m, p)
  local zup, zdown = times(z, up, p), times(z, down, p)
  local product = {
    { [0] = 1 }, { [0] = 1 },
    times(plus(down, zup, 1, p), plus(up, zdown, 1, p), p),
    times(plus(down, zup, p - 1, p), plus(up, zdown, p - 1, p), p),
  }
  for k = 1, n - 1 do
    local at, c = k % 2 == 1 and 1 or 3, cosh_squared(k)
    product[at] = times(product[at], c, p)
    product[at + 1] = times(product[at + 1], plus(c, shift, p - 4, p), p)
  end
  local sum = { [0] = 0 }
  for _, part in ipairs(product) do sum = plus(sum, part, 1, p) end
  for u = 0, #sum do sum[u] = sum[u] * ((p + 1) // 2) % p end
  return sum
end

-- Reconstructs a number from its remainders modulo the primes, by a mixed
-- radix. Returns a float.
local function together(remainder, primes)
  local digit, value = {}, 0.0
  for i, p in ipairs(primes) do
    local x, base = 0, 1
    for j = 1, i - 1 do x, base = (x + digit[j] * base) % p, base * (primes[j] % p) % p end
    digit[i] = (remainder[i] - x) * power(base, p - 2, p) % p
  end
  for i = #primes, 1, -1 do value = value * primes[i] + digit[i] end
  return value
end

-- For each number of bonds between unlike spins, from 0 to 2 n m, returns the log of
-- the number of states. n m must be at most 1000.
return function(n, m)
  local primes, bits, p, by_prime = {}, 0, (1 << 30) - ((1 << 30) - 1) % (2 * n), {}
  while bits <= n * m + 1 do
    if is_prime(p) then
      primes[#primes + 1], bits = p, bits + math.log(p, 2)
      by_prime[#primes] = modulo(n, m, p)
    end
    p = p - 2 * n
  end
  local out = {}
  for u = 0, 2 * n * m do
    local remainder = {}
    for i = 1, #primes do remainder[i] = by_prime[i][u] end
    out[u] = math.log(together(remainder, primes))
  end
  return out
end
