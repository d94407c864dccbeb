import type { Chance } from './chance.ts'
import type { Stance } from './figure.ts'

/** How a photographer would call it. */
export type Pose = 'straight' | 'turned' | 'three-quarter' | 'arms-crossed' | 'full-length'

export type Orientation = 'portrait' | 'landscape'

/** Where in the picture (800 × 1000, or 1000 × 800 lying) the centre of the head is, and how large the person. */
export type Framing = { x: number; y: number; scale: number }

const framings: Readonly<Record<Pose, Readonly<Record<Orientation, Framing>>>> = {
  straight: { portrait: { x: 400, y: 440, scale: 1.62 }, landscape: { x: 500, y: 366, scale: 1.28 } },
  turned: { portrait: { x: 400, y: 430, scale: 1.54 }, landscape: { x: 440, y: 366, scale: 1.24 } },
  'three-quarter': { portrait: { x: 400, y: 310, scale: 1.06 }, landscape: { x: 560, y: 300, scale: 0.98 } },
  'arms-crossed': { portrait: { x: 400, y: 340, scale: 1.18 }, landscape: { x: 500, y: 296, scale: 0.98 } },
  'full-length': { portrait: { x: 400, y: 208, scale: 0.66 }, landscape: { x: 500, y: 156, scale: 0.535 } },
}

const NEAR = ['straight', 'turned'] as const satisfies Pose[]

const isNear = (pose: Pose): boolean => NEAR.some((near) => near === pose)

/** Where to put the person; a team's close pictures step back a little, so that the number on the shirt is seen. */
export const framingOf = (pose: Pose, orientation: Orientation, sport: boolean): Framing => {
  const { x, y, scale } = framings[pose][orientation]
  return sport && isNear(pose) ? { x, y: y * 0.9, scale: scale * 0.85 } : { x, y, scale }
}

const sideOf = (chance: Chance): 1 | -1 => (chance.happens(0.5) ? 1 : -1)

/** The stance of a pose, each time a little different. */
export const stanceOf = (pose: Pose, chance: Chance, sport: boolean): Stance => {
  const side = sideOf(chance)
  const tilt = chance.between(-4, 4)
  switch (pose) {
    case 'straight':
      return { yaw: chance.between(-0.2, 0.2), tilt, turn: 0, arms: 'behind', legs: false }
    case 'turned':
      return {
        yaw: side * chance.between(0.75, 1),
        tilt: tilt + side * 3,
        turn: side * 0.9,
        arms: 'behind',
        legs: false,
      }
    case 'three-quarter':
      return {
        yaw: side * chance.between(0.3, 0.6),
        tilt: tilt + side * 2,
        turn: side * 0.5,
        arms: chance.pick(['hips', 'behind', 'down']),
        legs: true,
      }
    case 'arms-crossed':
      return { yaw: side * chance.between(0.1, 0.4), tilt, turn: 0, arms: 'crossed', legs: true }
    case 'full-length':
      return {
        yaw: side * chance.between(0.1, 0.4),
        tilt,
        turn: 0,
        arms: sport ? 'ball' : chance.pick(['hips', 'behind', 'down']),
        legs: true,
      }
  }
}
