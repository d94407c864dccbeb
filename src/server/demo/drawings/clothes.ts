import { letteringPath } from '#server/images/engine/lettering.ts'
import { fade, group, inside, line, oval, shade, shape, softSpot, tint } from './ink.ts'
import type { Garment, Look } from './look.ts'

/** Which garments show the forearm. */
export const hasShortSleeves = (garment: Garment): boolean =>
  ['tee', 'striped', 'polo', 'dress', 'jersey', 'dungarees'].includes(garment)

/** The trunk from neck to hip, arms not included. */
const TRUNK =
  'M-52 168C-84 190-128 196-156 216C-168 240-158 290-144 330C-134 400-132 500-142 620L142 620C132 500 134 400 144 330C158 290 168 240 156 216C128 196 84 190 52 168C30 196-30 196-52 168Z'

/** Gradients clothes are painted with. */
export const clothPaints = (id: string, { cloth, skin }: Look): string =>
  fade(`${id}cloth`, [-150, 180, 170, 520], [0, tint(cloth[0], 0.22)], [0.35, cloth[0]], [1, shade(cloth[0], 0.3)]) +
  fade(`${id}trim`, [-150, 180, 170, 520], [0, tint(cloth[1], 0.3)], [0.4, cloth[1]], [1, shade(cloth[1], 0.22)]) +
  fade(`${id}arm`, [-60, 0, 60, 0], [0, skin.light], [0.5, skin.base], [1, skin.shadow]) +
  softSpot(`${id}cast`, [0, '#1d1430', 0.34], [0.6, '#1d1430', 0.14], [1, '#1d1430', 0])

const NECK = 'M-38 80L-41 158C-60 180-76 190-88 196C-40 250 40 250 88 196C76 190 60 180 41 158L38 80Z'

/** Neck and the skin a neckline shows. */
export const neck = (id: string, { skin }: Look): string =>
  shape(NECK, skin.base) +
  inside(`${id}neckclip`, NECK, oval({ x: 6, y: 120, rx: 80, ry: 44 }, skin.shadow, { opacity: 0.75 }))

const roundNeck = (colour: string): string => line('M-56 171C-34 206 34 206 56 171', colour, 13)

const collar = (colour: string, edge: string): string =>
  group(
    '',
    shape(
      'M-50 160C-66 176-80 186-84 200L-40 244L-2 206C-26 200-42 182-50 160ZM50 160C66 176 80 186 84 200L40 244L2 206C26 200 42 182 50 160Z',
      colour,
    ),
    line('M-84 200L-40 244L-2 206M84 200L40 244L2 206', edge, 3, { opacity: 0.5 }),
  )

const buttons = (x: number, ys: readonly number[], colour: string): string =>
  ys.map((y) => oval({ x, y, rx: 5 }, colour) + oval({ x: x - 1, y: y - 1, rx: 2 }, '#fff', { opacity: 0.6 })).join('')

const stripes = (colour: string): string =>
  [236, 284, 332, 380, 428, 476, 524, 572]
    .map((y) => line(`M-190 ${y}C-80 ${y + 16} 80 ${y + 16} 190 ${y}`, colour, 19))
    .join('')

const argyle = (colour: string): string =>
  [0, 1, 2, 3]
    .flatMap((row) =>
      [-108, -36, 36, 108].map((x) => shape(`M${x} ${262 + row * 92}l26 40l-26 40l-26-40Z`, colour, { opacity: 0.75 })),
    )
    .join('')

const heart = (colour: string): string =>
  shape('M0 330C-54 294-46 256-22 256C-8 256 0 268 0 276C0 268 8 256 22 256C46 256 54 294 0 330Z', colour)

const star = (colour: string): string =>
  shape('M0 252L12 280L42 283L19 303L26 333L0 317L-26 333L-19 303L-42 283L-12 280Z', colour)

const number = (look: Look): string => {
  const { path, width } = letteringPath(String(look.number))
  const place = `translate(${(-width * 0.95) / 2} 268) scale(.95)`
  return group(place, line(path, shade(look.cloth[0], 0.5), 29, { opacity: 0.45 }), line(path, look.cloth[1], 21))
}

type Cut = (id: string, look: Look) => string

const openCardigan: Cut = (_, { cloth }) =>
  shape('M-44 176C-30 300-26 420-24 620L24 620C26 420 30 300 44 176C20 196-20 196-44 176Z', tint(cloth[1], 0.3)) +
  roundNeck(shade(cloth[1], 0.08)) +
  line('M-54 168C-34 300-28 420-26 620M54 168C34 300 28 420 26 620', shade(cloth[0], 0.22), 9) +
  buttons(40, [330, 400, 470, 540], shade(cloth[0], 0.5))

const cuts: Readonly<Record<Garment, Cut>> = {
  tee: (_, { cloth, number: n }) => (n % 2 === 0 ? star(cloth[1]) : heart(cloth[1])) + roundNeck(shade(cloth[0], 0.2)),
  striped: (_, { cloth }) => stripes(cloth[1]) + roundNeck(cloth[1]),
  polo: (_, { cloth }) =>
    shape('M-15 200H15V310H-15Z', shade(cloth[0], 0.12)) +
    buttons(0, [238, 270, 300], cloth[1]) +
    collar(tint(cloth[0], 0.12), shade(cloth[0], 0.5)),
  shirt: (_, { cloth }) =>
    line('M0 206V620', shade(cloth[0], 0.25), 3) +
    buttons(0, [262, 322, 382, 442, 502], cloth[1]) +
    shape('M56 290H112V350C96 362 72 362 56 350Z', shade(cloth[0], 0.1)) +
    collar(tint(cloth[0], 0.25), shade(cloth[0], 0.5)),
  hoodie: (_, { cloth }) =>
    shape(
      'M-62 160C-92 178-100 206-88 226C-50 262-18 250 0 236C18 250 50 262 88 226C100 206 92 178 62 160C40 214-40 214-62 160Z',
      shade(cloth[0], 0.14),
    ) +
    line('M-30 240C-34 280-30 300-34 332M30 240C34 280 30 300 32 322', cloth[1], 6) +
    shape('M-84 480L84 480L104 600L-104 600Z', shade(cloth[0], 0.12)),
  sweater: (_, { cloth }) =>
    argyle(cloth[1]) + collar('#fbf8f2', '#8a8f9c') + line('M-62 180L0 262L62 180', shade(cloth[0], 0.25), 14),
  dress: (_, { cloth }) =>
    shape(
      'M-53 160C-80 178-90 196-86 212C-74 242-28 244-1 206C-26 198-44 184-53 160ZM53 160C80 178 90 196 86 212C74 242 28 244 1 206C26 198 44 184 53 160Z',
      tint(cloth[1], 0.35),
    ) +
    buttons(0, [252, 288, 324], cloth[1]) +
    line('M-138 432C-60 450 60 450 138 432', shade(cloth[0], 0.28), 10),
  dungarees: (id, { cloth }) =>
    shape(TRUNK, `url(#${id}trim)`) +
    stripes(mixable(cloth[1])) +
    roundNeck(shade(cloth[1], 0.15)) +
    shape('M-92 312H92V400C120 420 140 440 150 620H-150C-140 440-120 420-92 400Z', `url(#${id}cloth)`) +
    line('M-84 322C-88 270-94 230-102 196M84 322C88 270 94 230 102 196', shade(cloth[0], 0.06), 27) +
    shape('M-42 352H42V412C20 424-20 424-42 412Z', shade(cloth[0], 0.16)) +
    buttons(-82, [330], '#e5c16c') +
    buttons(82, [330], '#e5c16c'),
  cardigan: openCardigan,
  jersey: (_, look) =>
    shape('M-156 216L-84 186L-104 330L-140 420ZM156 216L84 186L104 330L140 420Z', look.cloth[1], { opacity: 0.92 }) +
    line('M-58 170L0 240L58 170', look.cloth[1], 14) +
    number(look),
}

const mixable = (colour: string): string => shade(colour, 0.22)

/** A shirt or dress on the trunk, with its shading. */
export const top = (id: string, look: Look): string =>
  shape(TRUNK, `url(#${id}cloth)`) +
  inside(
    `${id}trunk`,
    TRUNK,
    cuts[look.garment](id, look),
    oval({ x: 10, y: 176, rx: 110, ry: 56 }, `url(#${id}cast)`),
    shape('M90 190C130 300 120 460 128 620H170V190Z', '#1d1430', { opacity: 0.1 }),
    line('M-118 330C-100 350-92 380-94 420M118 330C104 356 98 380 100 412', '#1d1430', 5, { opacity: 0.12 }),
  )

/** What shows behind the neck: a hood. */
export const behindNeck = (_: string, { garment, cloth }: Look): string =>
  garment === 'hoodie' ? shape('M-104 214C-120 150-80 120 0 120C80 120 120 150 104 214Z', shade(cloth[0], 0.34)) : ''
