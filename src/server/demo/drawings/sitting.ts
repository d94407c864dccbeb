import { type Chance, chanceFrom } from './chance.ts'
import type { Camera } from './paint.ts'
import type { PortraitBrief, Sitter } from './portrait.ts'
import type { Orientation, Pose } from './poses.ts'
import type { Backdrop } from './scenery.ts'

type Shot = readonly [pose: Pose, orientation: Orientation, ...backdrops: [Backdrop, ...Backdrop[]]]

const schoolShots: readonly Shot[] = [
  ['straight', 'portrait', 'blue-canvas', 'grey-canvas', 'warm-canvas', 'sage-canvas'],
  ['turned', 'portrait', 'studio-cream', 'studio-blue', 'grey-canvas', 'warm-canvas'],
  ['arms-crossed', 'portrait', 'park', 'autumn', 'library'],
  ['three-quarter', 'landscape', 'park', 'autumn', 'library'],
  ['full-length', 'portrait', 'studio-grey', 'studio-cream', 'studio-blue'],
]

const teamShots: readonly Shot[] = [
  ['straight', 'portrait', 'stadium-dusk', 'blue-canvas', 'park'],
  ['arms-crossed', 'portrait', 'stadium-dusk', 'gym', 'park'],
  ['full-length', 'portrait', 'gym', 'stadium-dusk', 'studio-grey'],
  ['turned', 'landscape', 'park', 'stadium-dusk'],
  ['three-quarter', 'portrait', 'gym', 'park'],
]

/** Cameras held upright store the picture lying, to the left or to the right; some turn it themselves. */
const held = (chance: Chance, orientation: Orientation): Camera['orientation'] =>
  orientation === 'portrait' ? chance.pick([1, 6, 6, 8]) : chance.pick([1, 1, 3])

const BETWEEN_SHOTS = 7_000

/**
 * The pictures taken of one person, two to five (or `count`), from `from` on a few seconds apart: what to hand to
 * `drawPortrait`, one after the other. The same person and time give the same pictures.
 */
export const sittingOf = (sitter: Sitter, { from, count }: { from: Date; count?: number }): PortraitBrief[] => {
  const chance = chanceFrom(`${sitter.seed} sitting`)
  const shots = sitter.style === 'sport' ? teamShots : schoolShots
  const taken = count ?? chance.pick([2, 3, 3, 4, 4, 5])
  return shots.slice(0, taken).map(([pose, orientation, ...backdrops], n) => ({
    ...sitter,
    pose,
    orientation,
    backdrop: chance.pick(backdrops),
    camera: { orientation: held(chance, orientation), takenAt: new Date(from.getTime() + n * BETWEEN_SHOTS) },
  }))
}
