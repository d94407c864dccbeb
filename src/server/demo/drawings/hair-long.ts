import { cap, fill, type Hair, type HairBrief, strands } from './hair-strands.ts'
import { group, line, shade, shape } from './ink.ts'

const bob = (brief: HairBrief): Hair => {
  const f = brief.yaw * 16
  const bangs = `M-110 66C-126 0-126-100-72-138C-38-160 38-160 72-138C126-100 126 0 110 66C106 84 88 90 84 72C92 40 94 0 90-30C70-40 50-42 ${30 + f}-42C${0 + f}-40 ${-50 + f}-40-90-30C-94 0-92 40-84 72C-88 90-106 84-110 66Z`
  return {
    back: shape(
      'M-108-60C-138 20-132 92-112 122C-84 136-60 128-44 110L44 110C60 128 84 136 112 122C132 92 138 20 108-60Z',
      brief.look.hair.dark,
    ),
    front:
      shape(bangs, fill(brief.id)) +
      strands(
        brief,
        bangs,
        'M-82-88C-62-112-24-122 8-122M44-118C62-112 76-102 84-90',
        `M${-40 + f}-42C-44-80-30-120-4-150M${10 + f}-42C6-80 4-120 2-150M${52 + f}-42C50-80 34-124 8-150M-94-20C-108-60-84-116-40-146M94-20C108-60 84-116 44-146`,
      ),
  }
}

const long = (brief: HairBrief): Hair => {
  const f = brief.yaw * 14
  const d = `M${f * 0.6}-154C84-160 128-92 124 0C122 80 136 160 142 262C128 282 102 284 88 268C92 190 100 100 96 30C94-6 92-30 84-48C${58 + f}-68 ${24 + f}-84 ${4 + f}-110C${-18 + f}-84 ${-56 + f}-68-84-48C-92-30-94-6-96 30C-100 100-92 190-88 268C-102 284-128 282-142 262C-136 160-122 80-124 0C-128-92-84-160 ${f * 0.6}-154Z`
  return {
    back: shape('M-104-60C-142 40-140 170-132 262C-60 280 60 280 132 262C140 170 142 40 104-60Z', brief.look.hair.dark),
    front:
      shape(d, fill(brief.id)) +
      strands(
        brief,
        d,
        'M-82-92C-66-118-44-132-22-138M84-92C68-118 48-132 30-138M-114 60C-116 120-122 180-124 230M112 60C114 120 118 180 122 230',
        `M${4 + f}-110C-30-104-84-70-104-20C-110 60-112 160-112 262M${4 + f}-110C40-104 88-70 106-20C112 60 114 160 112 262M-118 20C-122 100-128 180-132 250M118 20C122 100 128 180 132 250`,
      ),
  }
}

const wavy = (brief: HairBrief): Hair => {
  const f = brief.yaw * 16
  const d = `M20-156C100-160 132-92 122-14C140 28 112 62 132 106C152 146 122 180 136 226C116 244 92 232 94 204C82 176 108 140 94 106C84 74 104 40 94 4C94-22 92-36 88-48C60-52 ${-4 + f}-70 ${-44 + f}-112C${-52 + f}-84-76-70-90-48C-96-28-96-10-94 8C-104 40-84 74-94 108C-108 142-82 178-94 206C-92 234-116 246-136 228C-122 182-152 148-132 108C-112 64-140 30-122-12C-132-92-76-152 20-156Z`
  return {
    back: shape(
      'M-104-60C-150 20-120 90-140 130C-150 180-120 200-124 236C-60 262 60 262 124 236C120 200 150 180 140 130C120 90 150 20 104-60Z',
      brief.look.hair.dark,
    ),
    front:
      shape(d, fill(brief.id)) +
      strands(
        brief,
        d,
        `M${-20 + f}-120C20-92 62-80 92-72M-88-86C-82-108-72-120-60-130M112 70C124 100 128 130 118 160M-112 72C-126 102-128 132-118 162`,
        `M${-44 + f}-112C0-72 60-66 104-40C116-10 108 30 110 60C122 100 106 150 116 220M${-44 + f}-112C-70-90-100-60-108-20C-116 20-106 50-112 90C-124 130-106 160-116 226M-30-130C20-104 76-96 112-66`,
      ),
  }
}

/** One hanging curl, swinging from side to side as it falls. */
const ringlet = ({ id, look }: HairBrief, { x, top, turns }: { x: number; top: number; turns: number }): string => {
  const swings = Array.from({ length: turns }, () => 't0 29').join('')
  const fall = `M${x} ${top}q20 14 0 29${swings}`
  const gleams = Array.from(
    { length: turns + 1 },
    (_, n) => `M${x + (n % 2 === 0 ? 5 : -9)} ${top + 9 + n * 29}q${n % 2 === 0 ? 5 : -5} 6 1 13`,
  )
  return (
    line(fall, look.hair.dark, 33) +
    line(fall, `url(#${id}hair)`, 27) +
    line(gleams.join(''), look.hair.light, 6, { opacity: 0.55 })
  )
}

const ringlets = (brief: HairBrief): Hair => {
  // The far side's curls keep clear of the eye that comes near them.
  const side = (way: -1 | 1, ...curls: string[]) =>
    group(`translate(${Math.max(0, way * brief.yaw) * way * 14} 0) scale(${way} 1)`, ...curls)
  const behind = [ringlet(brief, { x: 124, top: 8, turns: 7 }), ringlet(brief, { x: 84, top: 60, turns: 6 })]
  const before = [ringlet(brief, { x: 119, top: -6, turns: 8 }), ringlet(brief, { x: 108, top: 4, turns: 7 })]
  return {
    back:
      shape('M-104-60C-136 20-132 140-112 210L112 210C132 140 136 20 104-60Z', shade(brief.look.hair.dark, 0.2)) +
      side(-1, ...behind) +
      side(1, ...behind),
    front: side(-1, ...before) + side(1, ...before) + cap(brief),
  }
}

/** Long hair worn loose, by its name. */
export const longHair = { bob, long, wavy, ringlets }
