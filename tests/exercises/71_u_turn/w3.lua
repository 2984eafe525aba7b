-- slip: density_falls
-- say: you stop where the density begins to fall: the density rises and falls many times before a path leads back
-- The U-turn of a path: complete the function turned.
-- Mark it: chainscope exercise 71 --mark mine.lua

-- Returns true if the path, from the backward end (xb, vb) to the forward end (xf, vf), has begun
-- to lead back at either end.
local function turned(xb, vb, xf, vf)
  return xf[1] * vf[1] + xf[2] * vf[2] > 0 -- the density of a standard normal falls
end

return { turned = turned }
