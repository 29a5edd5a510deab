-- Boxes that bounce in LÖVE; those that touch another are red: love . <where libquadrille.so is>
--
-- Without a window (see conf.lua), prints what began to touch in 60 frames, and ends.
package.path = love.filesystem.getSource() .. "/../lua/?.lua;" .. package.path
local ffi = require("ffi")
ffi.cdef[[typedef struct { float box[4]; float way[2]; } Walker;]]

local WIDTH, HEIGHT, MANY = 800, 600, 1500
local walkers, boxes, began_so_far = ffi.new("Walker[?]", MANY), nil, 0
local touches = {}

function love.load(arguments)
  math.randomseed(7)
  for at = 0, MANY - 1 do
    local x, y, size = math.random() * (WIDTH - 8), math.random() * (HEIGHT - 8), 2 + math.random() * 6
    local walker = walkers[at]
    walker.box[0], walker.box[1], walker.box[2], walker.box[3] = x, y, x + size, y + size
    walker.way[0], walker.way[1] = math.random() * 120 - 60, math.random() * 120 - 60
  end
  local quadrille = require("quadrille").load(arguments[1] or "quadrille")
  boxes = quadrille.boxes(walkers[0].box, MANY, ffi.sizeof("Walker"))
end

local function walk(walker, seconds)
  for axis = 0, 1 do
    local step, side = walker.way[axis] * seconds, axis == 0 and WIDTH or HEIGHT
    if walker.box[axis] + step < 0 or walker.box[axis + 2] + step > side then
      walker.way[axis], step = -walker.way[axis], -step
    end
    walker.box[axis], walker.box[axis + 2] = walker.box[axis] + step, walker.box[axis + 2] + step
  end
end

local function step(seconds)
  for at = 0, MANY - 1 do walk(walkers[at], seconds) end
  boxes:update(walkers[0].box, MANY, ffi.sizeof("Walker"))
  local _, began = boxes:events()
  began_so_far = began_so_far + began
  touches = {}
  local pairs_now, count = boxes:pairs()
  for at = 0, count - 1 do touches[pairs_now[at].a], touches[pairs_now[at].b] = true, true end
end

function love.update(seconds)
  if love.graphics then return step(seconds) end
  for _ = 1, 60 do step(1 / 60) end
  print(("%d pairs began to touch in 60 frames"):format(began_so_far))
  assert(began_so_far > 0)
  love.event.quit()
end

function love.draw()
  for at = 0, MANY - 1 do
    local box = walkers[at].box
    if touches[at] then love.graphics.setColor(0.8, 0.25, 0.25) else love.graphics.setColor(0.25, 0.38, 0.63) end
    love.graphics.rectangle("fill", box[0], box[1], box[2] - box[0], box[3] - box[1])
  end
end
