/** A seeded source of choices: the same seed makes the same choices in the same order, on any machine. */
export type Chance = {
  /** 0 included to 1 excluded. */
  next: () => number
  between: (least: number, most: number) => number
  happens: (probability: number) => boolean
  pick: <T>(items: readonly [T, ...T[]]) => T
}

const hashOf = (seed: string): number => {
  let hash = 2166136261
  for (let n = 0; n < seed.length; n += 1) hash = Math.imul(hash ^ seed.charCodeAt(n), 16777619)
  return hash >>> 0
}

/** Chance that depends on the seed alone (mulberry32). */
export const chanceFrom = (seed: string): Chance => {
  let state = hashOf(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    happens: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
