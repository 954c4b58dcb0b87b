export type Dice = ReturnType<typeof seededRandom>

/** Random values that repeat for the same seed, so that a failure can be reproduced. */
export function seededRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0 // mulberry32
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    int: (below: number) => Math.floor(next() * below),
    chance: (part: number) => next() < part,
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  }
}
