-- slip: momentum_backward
-- say: you reverse the sign at the backward end: there the path grows against vb, and the way to the other end is reversed, too
-- The U-turn of a path: complete the function turned.
-- Mark it: chainscope exercise 71 --mark mine.lua

-- Returns true if the path, from the backward end (xb, vb) to the forward end (xf, vf), has begun
-- to lead back at either end.
local function turned(xb, vb, xf, vf)
  local d = { xf[1] - xb[1], xf[2] - xb[2] }
  return d[1] * vf[1] + d[2] * vf[2] < 0 or -d[1] * vb[1] - d[2] * vb[2] < 0
end

return { turned = turned }
