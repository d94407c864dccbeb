import { behindNeck, clothPaints, neck, top } from './clothes.ts'
import { hairOf, hairPaints } from './hair.ts'
import { ears, face, facePaints, type Held } from './head.ts'
import { group, oval, round } from './ink.ts'
import { type Arms, armsBefore, armsBehind, legs } from './limbs.ts'
import type { Look } from './look.ts'

/** How a person stands: the head, how far the body turns with it (−1 to 1), the arms, and whether the legs are seen. */
export type Stance = Held & { turn: number; arms: Arms; legs: boolean }

const NECK = 118

const body = (id: string, look: Look, stance: Stance): string => {
  const lower = stance.legs ? legs(look) : { under: '', over: '' }
  return (
    lower.under +
    armsBehind(look, stance.arms) +
    neck(id, look) +
    top(id, look) +
    lower.over +
    armsBefore(look, stance.arms)
  )
}

/**
 * A whole person, drawn about the centre of the head (crown at −128, chin at 128, shoulders at about 215, hips at 600,
 * feet at 1260). `id` must be another one for each person in a drawing.
 */
export const figure = (id: string, look: Look, stance: Stance): string => {
  const hair = hairOf(id, look, stance.yaw)
  const hold = `rotate(${round(stance.tilt)} 0 ${NECK})`
  const width = round(look.build * (1 - Math.abs(stance.turn) * 0.12))
  // Children seen whole are mostly head; and the nearer a picture, the less of the neck shows.
  const small = stance.legs ? 0.9 : 1
  const stand = `translate(${round(stance.turn * -10)} ${round(NECK * (1 - small) - 14)}) scale(${round(width * small)} ${small})`
  return (
    `<defs>${facePaints(id, look)}${hairPaints(id, look)}${clothPaints(id, look)}</defs>` +
    group(stand, stance.legs ? oval({ x: 0, y: 1262, rx: 210, ry: 30 }, `url(#${id}cast)`) : '', behindNeck(id, look)) +
    group(hold, hair.back) +
    group(stand, body(id, look, stance)) +
    group(hold, ears(look, stance), face(id, look, stance), hair.front)
  )
}
