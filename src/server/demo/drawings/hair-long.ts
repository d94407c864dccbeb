import type { Hair, HairBrief } from './hair-short.ts'
import { group, inside, line, oval, shade, shape, sheen } from './ink.ts'

const fill = (id: string) => `url(#${id}hair)`

const strands = ({ id, look }: HairBrief, outline: string, lights: string, darks: string): string =>
  inside(`${id}strands`, outline, sheen(lights, look.hair.light), line(darks, look.hair.dark, 4, { opacity: 0.4 }))

/** Hair drawn back from the forehead: the base of every style that is tied. */
const cap = (brief: HairBrief, parting = true): string => {
  const f = brief.yaw * 14
  const d = `M-104 6C-116-50-110-104-70-134C-36-156 36-156 70-134C110-104 116-50 104 6C100-16 98-34 92-44C${72 + f}-70 ${36 + f}-86 ${f}-100C${-36 + f}-92 ${-72 + f}-74-92-46C-98-34-100-16-104 6Z`
  const part = parting ? line(`M${f}-100C${f * 0.7}-126 0-138 0-148`, brief.look.hair.dark, 4, { opacity: 0.6 }) : ''
  return (
    shape(d, fill(brief.id)) +
    strands(
      brief,
      d,
      'M-84-84C-68-112-44-128-22-136M88-84C72-112 52-126 32-134',
      `M${-10 + f}-102C-34-108-70-86-98-38M${10 + f}-102C34-108 70-86 98-38M${-4 + f}-106C-36-124-76-104-100-66M${4 + f}-106C36-124 76-104 100-66`,
    ) +
    part
  )
}

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

const band = (x: number, y: number, colour: string): string =>
  oval({ x, y, rx: 13, ry: 15 }, colour) + oval({ x: x - 3, y: y - 4, rx: 5, ry: 5 }, '#fff', { opacity: 0.35 })

const pigtails = (brief: HairBrief): Hair => {
  const tail = (side: -1 | 1) =>
    group(
      `scale(${side} 1)`,
      shape(
        'M104-22C150-46 176-4 168 50C164 96 146 128 126 142C124 112 104 96 106 60C108 30 96 4 104-22Z',
        fill(brief.id),
      ),
      line('M122-12C146 20 146 70 132 116M138-14C160 20 160 70 142 112', brief.look.hair.dark, 4, { opacity: 0.4 }),
      line('M116 10C130 40 130 70 124 96', brief.look.hair.light, 8, { opacity: 0.4 }),
      band(106, -16, brief.look.cloth[0]),
    )
  return { back: tail(-1) + tail(1), front: cap(brief) }
}

const puffs = (brief: HairBrief): Hair => {
  const puff = (side: -1 | 1) =>
    group(
      `scale(${side} 1)`,
      ...[
        [108, -118, 52],
        [84, -140, 32],
        [138, -140, 34],
        [150, -104, 32],
        [120, -82, 32],
        [110, -152, 30],
      ].map(([x = 0, y = 0, rx = 0]) => oval({ x, y, rx }, fill(brief.id))),
      line(
        'M96-136A12 12 0 1 1 110-126M128-124A12 12 0 1 1 140-112M112-100A11 11 0 1 1 126-94',
        brief.look.hair.light,
        3.4,
        { opacity: 0.4 },
      ),
      band(82, -100, brief.look.cloth[0]),
    )
  return { back: '', front: puff(-1) + puff(1) + cap(brief) }
}

const ponytail = (brief: HairBrief): Hair => {
  const side = brief.yaw > 0 ? -1 : 1
  return {
    back: group(
      `scale(${side} 1)`,
      shape(
        'M40-128C120-170 176-110 166-30C162 40 186 90 148 164C140 120 112 110 112 50C112-10 96-60 40-100Z',
        fill(brief.id),
      ),
      line(
        'M70-124C130-126 146-60 138 10C134 60 148 90 148 140M60-112C108-106 122-50 122 10',
        brief.look.hair.dark,
        4,
        { opacity: 0.45 },
      ),
      line('M110-112C144-84 152-40 150 0', brief.look.hair.light, 9, { opacity: 0.4 }),
    ),
    front: cap(brief, false) + group(`scale(${side} 1)`, band(66, -138, brief.look.cloth[0])),
  }
}

const plait = (brief: HairBrief, side: -1 | 1): string => {
  const steps = Array.from({ length: 8 }, (_, n) => {
    const y = 78 + n * 27
    const x = 104 + n * 3
    return (
      group(`translate(${x - 7} ${y}) rotate(28)`, oval({ x: 0, y: 0, rx: 13, ry: 20 }, fill(brief.id))) +
      group(`translate(${x + 7} ${y + 10}) rotate(-28)`, oval({ x: 0, y: 0, rx: 13, ry: 20 }, fill(brief.id))) +
      line(`M${x - 12} ${y - 6}Q${x} ${y + 2} ${x + 2} ${y + 14}`, brief.look.hair.dark, 3, { opacity: 0.5 })
    )
  }).join('')
  return group(
    `scale(${side} 1)`,
    steps,
    shape('M114 300C112 330 124 344 130 352C138 340 142 324 138 300Z', fill(brief.id)),
    band(126, 296, brief.look.cloth[0]),
  )
}

const braids = (brief: HairBrief): Hair => ({
  back: shape('M-102-40C-124 30-118 80-100 104L100 104C118 80 124 30 102-40Z', brief.look.hair.dark),
  front:
    plait(brief, -1) +
    plait(brief, 1) +
    shape(
      'M-104-20C-120 30-118 60-112 84C-104 92-94 90-92 82C-94 50-96 10-98-20ZM104-20C120 30 118 60 112 84C104 92 94 90 92 82C94 50 96 10 98-20Z',
      fill(brief.id),
    ) +
    cap(brief),
})

const knot = (brief: HairBrief, x: number, y: number, r: number): string =>
  oval({ x, y, rx: r, ry: r * 0.92 }, fill(brief.id)) +
  line(
    `M${x - r * 0.6} ${y + r * 0.2}A${r * 0.62} ${r * 0.6} 0 1 1 ${x + r * 0.3} ${y + r * 0.5}`,
    brief.look.hair.dark,
    4,
    { opacity: 0.45 },
  ) +
  line(
    `M${x - r * 0.5} ${y - r * 0.4}A${r * 0.7} ${r * 0.6} 0 0 1 ${x + r * 0.2} ${y - r * 0.62}`,
    brief.look.hair.light,
    7,
    { opacity: 0.4 },
  )

const buns = (brief: HairBrief): Hair => ({
  back: '',
  front: knot(brief, -82, -134, 44) + knot(brief, 82, -134, 44) + cap(brief),
})

const topBun = (brief: HairBrief): Hair => ({
  back: '',
  front: knot(brief, brief.yaw * -8, -168, 46) + cap(brief, false),
})

const ringlet = (
  { id, look }: HairBrief,
  { x, top, turns, wide }: { x: number; top: number; turns: number; wide: number },
): string =>
  Array.from({ length: turns }, (_, n) => {
    const w = wide * (1 - n * 0.045)
    return group(
      `translate(${x + n * 1.5} ${top + n * 24}) rotate(-20)`,
      oval({ x: 0, y: 5, rx: w, ry: 17 }, look.hair.dark),
      oval({ x: 0, y: 0, rx: w, ry: 17 }, fill(id)),
      line(`M${-w * 0.55}-5C${-w * 0.2}-10 ${w * 0.3}-10 ${w * 0.6}-5`, look.hair.light, 7, { opacity: 0.3 }),
      line(`M${-w * 0.4}-6C${-w * 0.1}-10 ${w * 0.2}-10 ${w * 0.45}-6`, look.hair.light, 3.5, { opacity: 0.5 }),
    )
  }).join('')

const ringlets = (brief: HairBrief): Hair => {
  const side = (way: -1 | 1, curl: string) => group(`scale(${way} 1)`, curl)
  const behind = ringlet(brief, { x: 128, top: 0, turns: 9, wide: 25 })
  const before = ringlet(brief, { x: 106, top: 34, turns: 8, wide: 23 })
  return {
    back:
      shape('M-104-60C-136 20-130 120-118 170L118 170C130 120 136 20 104-60Z', shade(brief.look.hair.dark, 0.2)) +
      side(-1, behind) +
      side(1, behind),
    front: side(-1, before) + side(1, before) + cap(brief),
  }
}

/** Long hair by its name. */
export const longHair = { bob, long, wavy, pigtails, puffs, ponytail, braids, buns, topBun, ringlets }
