// A yardstick: random play of a plain board game in the engine of a browser. 350 counters on 40 x 40 hexes, no rules but
// stacking and zones; each decision lists the moves of one counter, picks one, applies it and keeps the log. The same loop
// stands in bench.py in Python, so that the two can be compared on this machine. Prints decisions and milliseconds.

const WIDTH = 40, HEX = WIDTH * WIDTH, UNITS = 350, STACK = 2
const seconds = Number(process.argv[2] ?? 1)

let seed = 12345
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
  return (seed >> 8) % n
}

const around = Array.from({ length: HEX }, (_, h) => {
  const row = Math.floor(h / WIDTH), column = h % WIDTH, shift = row % 2
  const next = [[row, column - 1], [row, column + 1], [row - 1, column - 1 + shift], [row - 1, column + shift],
    [row + 1, column - 1 + shift], [row + 1, column + shift]]
  return next.filter(([r, c]) => r >= 0 && r < WIDTH && c >= 0 && c < WIDTH).map(([r, c]) => r * WIDTH + c)
})

const at = new Int16Array(UNITS), count = [new Uint8Array(HEX), new Uint8Array(HEX)]
for (let u = 0; u < UNITS; u++) {
  do at[u] = random(HEX)
  while (count[u % 2][at[u]] >= STACK || count[1 - (u % 2)][at[u]] > 0)
  count[u % 2][at[u]]++
}

const legal = (unit) => {
  const side = unit % 2, moves = []
  const held = around[at[unit]].some((h) => count[1 - side][h] > 0)
  for (const h of around[at[unit]]) {
    if (count[1 - side][h] > 0 || count[side][h] >= STACK) continue
    if (held && around[h].some((n) => count[1 - side][n] > 0)) continue
    moves.push({ verb: 'move', noun: h })
  }
  moves.push({ verb: 'stay', noun: 0 })
  return moves
}

let decisions = 0, log = []
const start = process.cpuUsage()
const spent = () => { const now = process.cpuUsage(start); return (now.user + now.system) / 1000 }
while (spent() < seconds * 1000) {
  for (let i = 0; i < 500; i++) {
    const unit = decisions % UNITS, moves = legal(unit), move = moves[random(moves.length)]
    if (move.verb === 'move') {
      count[unit % 2][at[unit]]--
      at[unit] = move.noun
      count[unit % 2][move.noun]++
    }
    log.push([unit, move.verb, move.noun])
    if (log.length > 10000) log = []
    decisions++
  }
}
console.log(JSON.stringify({ decisions, milliseconds: spent() }))
