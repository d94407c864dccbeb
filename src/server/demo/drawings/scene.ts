import { type Chance, chanceFrom } from './chance.ts'

/** A scene drawn 1000 wide and `h` high, and how far out of focus it is (in thousandths of its width). */
export type Scene = { blur: number; draw: (h: number) => string }

/** The whole sheet. */
export const all = (h: number) => `M0 0H1000V${h}H0Z`

/** Many of something, placed by a seed. */
export const scatter = (seed: string, count: number, draw: (chance: Chance) => string): string => {
  const chance = chanceFrom(seed)
  return Array.from({ length: count }, () => draw(chance)).join('')
}
