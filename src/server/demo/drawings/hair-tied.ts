import { cap, fill, type Hair, type HairBrief } from './hair-strands.ts'
import { group, line, oval, shape } from './ink.ts'

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

/** Tied hair by its name. */
export const tiedHair = { pigtails, puffs, ponytail, braids, buns, topBun }
