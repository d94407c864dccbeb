import { hasShortSleeves } from './clothes.ts'
import { group, line, oval, round, shade, shape, tint } from './ink.ts'
import type { Look } from './look.ts'

/** What the arms do. Hands on hips or behind the back are out of sight, which is also how children stand. */
export type Arms = 'down' | 'crossed' | 'hips' | 'behind' | 'ball'

const SLEEVE = 72
const WRIST = 46

type ArmPath = { upper: string; fore: string; hand?: readonly [x: number, y: number, turn: number] }

const armPaths: Readonly<Record<'down' | 'hips' | 'behind', ArmPath>> = {
  down: { upper: 'M130 250C160 300 172 360 176 420', fore: 'M176 420C180 480 176 540 168 590', hand: [165, 616, 6] },
  hips: { upper: 'M128 250C170 300 214 360 226 410', fore: 'M226 410C214 460 176 500 130 524' },
  behind: { upper: 'M130 250C162 300 176 360 178 420', fore: 'M178 420C176 470 150 520 110 550' },
}

const hand = (look: Look, [x, y, turn]: readonly [number, number, number]): string =>
  group(
    `translate(${x} ${y}) rotate(${turn})`,
    shape('M-21-24C-25 4-22 30-12 44C-4 52 10 52 17 42C24 28 25 0 21-24Z', look.skin.base),
    line('M-17-10C-27 0-30 14-26 26', look.skin.base, 14),
    line('M-4 44L-3 24M8 44L8 24', look.skin.shadow, 2.6, { opacity: 0.6 }),
  )

const arm = (look: Look, { upper, fore, hand: place }: ArmPath): string => {
  const cloth = shade(look.cloth[0], 0.1)
  const bare = hasShortSleeves(look.garment)
  const cuff = look.garment === 'jersey' || look.garment === 'striped' ? look.cloth[1] : shade(look.cloth[0], 0.2)
  const sleeved = line(upper, cloth, SLEEVE) + line(fore, cloth, SLEEVE - 12)
  const skin = line(upper, look.skin.base, WRIST + 8) + line(fore, look.skin.base, WRIST)
  const short = `<g stroke-dasharray="104 400">${line(upper, cuff, SLEEVE + 6)}</g><g stroke-dasharray="92 400">${line(upper, look.garment === 'dungarees' ? shade(look.cloth[1], 0.1) : cloth, SLEEVE + 7)}</g>`
  return (place ? hand(look, place) : '') + (bare ? skin + short : sleeved)
}

/** Both arms, to be drawn behind the trunk. */
export const armsBehind = (look: Look, arms: Arms): string => {
  if (arms === 'crossed')
    return mirrored(() => arm(look, { upper: 'M130 250C162 300 176 350 178 400', fore: 'M178 400L172 430' }))
  if (arms === 'ball') return group('scale(-1 1)', arm(look, armPaths.down))
  return mirrored(() => arm(look, armPaths[arms]))
}

const mirrored = (draw: () => string): string => group('scale(-1 1)', draw()) + draw()

const foreArm = (look: Look, d: string): string => {
  const bare = hasShortSleeves(look.garment)
  const colour = bare ? look.skin.base : shade(look.cloth[0], 0.06)
  const edge = bare ? look.skin.shadow : shade(look.cloth[0], 0.34)
  return (
    line(d, edge, (bare ? WRIST : SLEEVE - 12) + 7, { opacity: 0.55 }) + line(d, colour, bare ? WRIST + 2 : SLEEVE - 12)
  )
}

const fingers = (look: Look): string =>
  group(
    'translate(-126 398) rotate(-24)',
    oval({ x: 8, y: 4, rx: 27, ry: 25 }, look.skin.base),
    ...[-18, -6, 6, 18].map(
      (y) => line(`M-4 ${y}H-27`, look.skin.shadow, 15.5, { opacity: 0.6 }) + line(`M4 ${y}H-27`, look.skin.base, 12.5),
    ),
  )

const crossed = (look: Look): string =>
  foreArm(look, 'M-174 424C-140 470 -40 446 92 408') + foreArm(look, 'M174 424C150 478 20 452 -104 402') + fingers(look)

const patch = (angle: number, at: number): string => {
  const [x, y] = [Math.sin(angle) * at, -Math.cos(angle) * at]
  return `<path d="M0-22L21-7L13 18H-13L-21-7Z" transform="translate(${round(x)} ${round(y)}) rotate(${round((angle * 180) / Math.PI)})" fill="#2c3440"/>`
}

/** A soccer ball of radius 80 about its centre. */
const ball = (): string =>
  oval({ x: 0, y: 0, rx: 80 }, '#f7f5f0') +
  `<clipPath id="ball"><circle r="80"/></clipPath><g clip-path="url(#ball)">${patch(0, 0)}${[0, 1, 2, 3, 4].map((n) => patch((n * 2 + 1) * 0.6283, 70)).join('')}${line('M0-22V-50M21-7L48-16M13 18L30 42M-13 18L-30 42M-21-7L-48-16', '#8a9099', 3)}${shape('M-80 10C-40 70 50 60 80-10V90H-80Z', '#1d1430', { opacity: 0.16 })}${oval({ x: -28, y: -34, rx: 30, ry: 22 }, '#fff', { opacity: 0.5 })}</g>`

const holdingBall = (look: Look): string =>
  group('translate(196 545)', ball()) +
  arm(look, {
    upper: 'M132 250C190 300 236 350 248 410',
    fore: 'M248 410C268 470 262 530 232 580',
    hand: [214, 598, 62],
  })

/** Arms that are in front of the trunk. */
export const armsBefore = (look: Look, arms: Arms): string => {
  if (arms === 'crossed') return crossed(look)
  return arms === 'ball' ? holdingBall(look) : ''
}

const shoe = (colour: string): string =>
  shape('M-40 0C-44-26-30-44-8-44C18-44 24-24 46-14C58-8 60 6 54 10H-36C-40 10-40 4-40 0Z', colour) +
  line('M-36 10H54', tint(colour, 0.75), 9) +
  line('M4-34L16-24M14-38L26-26', tint(colour, 0.7), 4)

const trouserColour = ({ garment, cloth, trousers }: Look): string =>
  garment === 'dungarees' ? shade(cloth[0], 0.2) : trousers

const leg = (look: Look, cut: 'long' | 'short' | 'bare'): string => {
  const bare =
    shape(
      'M20 600C12 760 30 840 34 930C30 1040 40 1120 46 1220H102C112 1120 122 1040 112 930C118 820 136 740 130 600Z',
      look.skin.base,
    ) +
    shape(
      'M98 600C110 800 92 900 100 1000C96 1100 92 1160 90 1220H102C112 1120 122 1040 112 930C118 820 136 740 130 600Z',
      look.skin.shadow,
      { opacity: 0.5 },
    )
  const colour = trouserColour(look)
  const trousers =
    shape('M4 590C4 800 22 1000 32 1224H118C130 1000 146 800 132 590Z', colour) +
    shape('M112 600C118 840 102 1040 98 1224H118C130 1000 146 800 132 590Z', shade(colour, 0.4), { opacity: 0.5 })
  const sport = look.garment === 'jersey'
  const sock = sport
    ? line('M72 1000V1190', look.cloth[0], 84) + line('M34 1002H112', look.cloth[1], 16)
    : line('M74 1150V1200', '#f6f3ec', 62)
  const feet = group('translate(76 1250)', shoe(sport ? '#2b3038' : shade(look.cloth[1], 0.45)))
  return feet + (cut === 'long' ? trousers : bare + sock)
}

const shorts = (look: Look): string =>
  shape(
    'M-132 580C-150 660-164 740-160 806C-110 824-50 824-8 808L0 700L8 808C50 824 110 824 160 806C164 740 150 660 132 580Z',
    look.garment === 'jersey' ? shade(look.cloth[0], 0.42) : look.trousers,
  ) +
  line(
    'M-146 640C-150 700-154 750-152 800M146 640C150 700 154 750 152 800',
    look.garment === 'jersey' ? look.cloth[1] : shade(look.trousers, 0.3),
    8,
  ) +
  line('M0 640V760', '#1d1430', 4, { opacity: 0.25 })

const skirt = (look: Look): string =>
  shape(
    'M-140 440C-150 560-190 700-222 806C-120 846 120 846 222 806C190 700 150 560 140 440Z',
    shade(look.cloth[0], 0.06),
  ) +
  line(
    'M-90 470C-96 600-124 720-136 824M-30 470C-32 600-44 720-48 836M34 470C36 600 46 720 52 836M92 470C98 600 124 720 140 822',
    shade(look.cloth[0], 0.35),
    5,
    { opacity: 0.4 },
  )

/** From the hips down: drawn under the trunk, but for a dress's skirt, which goes over it. */
export const legs = (look: Look): { under: string; over: string } => {
  const cut = look.garment === 'jersey' ? 'short' : look.garment === 'dress' ? 'bare' : 'long'
  const pair = mirrored(() => leg(look, cut))
  const hips = cut === 'long' ? shape('M-134 560L-146 680L0 720L146 680L134 560Z', trouserColour(look)) : ''
  return { under: pair + hips + (cut === 'short' ? shorts(look) : ''), over: cut === 'bare' ? skirt(look) : '' }
}
