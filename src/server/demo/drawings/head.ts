import { fade, glow, group, inside, line, oval, round, shade, shape, softSpot, tint } from './ink.ts'
import type { Look } from './look.ts'

/** How a head is held: `yaw` −1 (to the left) to 1, `tilt` in degrees. The head is drawn about its centre, crown at −128, chin at 128. */
export type Held = { yaw: number; tilt: number }

const DEPTH = 122

/** Where a point of the face goes when the head turns, and how much narrower things get there. */
const turned = (x: number, yaw: number): { x: number; squeeze: number } => {
  const angle = Math.asin(x / DEPTH)
  const now = angle + yaw * 0.3
  return { x: round(DEPTH * Math.sin(now)), squeeze: round(Math.cos(now) / Math.cos(angle)) }
}

/** The outline of the face; the chin goes a little where the face turns. */
const faceOutline = ({ faceWidth, jaw }: Look, { yaw }: Held): string => {
  const w = 102 * faceWidth
  const c = yaw * 16
  const left = w * (1 + Math.min(0, yaw) * 0.04)
  const right = w * (1 - Math.max(0, yaw) * 0.04)
  const j = 64 * jaw
  return `M0-130C${0.56 * right}-130 ${right}-88 ${right}-22C${right} 26 ${right * 0.95} 56 ${right * 0.8 + c * 0.4} 82C${j + c} 110 ${26 + c} 129 ${c} 129C${-26 + c} 129 ${-j + c} 110 ${-left * 0.8 + c * 0.4} 82C${-left * 0.95} 56 ${-left} 26 ${-left}-22C${-left}-88 ${-0.56 * left}-130 0-130Z`
}

const ear = (side: -1 | 1, { skin, earrings, faceWidth }: Look, yaw: number): string => {
  // The ear on the side the face turns to goes behind the cheek, the other one comes forward.
  const x = side * 101 * faceWidth - yaw * (side * yaw > 0 ? 15 * side * side : 9)
  const lobe = earrings
    ? oval({ x: x + side * 3, y: 46, rx: 4.5 }, '#f0cf7c') + oval({ x: x + side * 2, y: 44.5, rx: 1.6 }, '#fff8e0')
    : ''
  return (
    oval({ x, y: 12, rx: 17, ry: 28 }, skin.base) +
    oval({ x: x + side * 1, y: 14, rx: 10, ry: 18 }, skin.shadow, { opacity: 0.55 }) +
    oval({ x: x - side * 3, y: 18, rx: 7, ry: 11 }, skin.base, { opacity: 0.7 }) +
    lobe
  )
}

export const ears = (look: Look, { yaw }: Held): string => ear(-1, look, yaw) + ear(1, look, yaw)

/** Gradients a face is painted with; `id` keeps people in one picture apart. */
export const facePaints = (id: string, { skin, eye }: Look): string =>
  glow(
    `${id}face`,
    { x: -26, y: -30, r: 178 },
    [0, skin.light],
    [0.42, skin.base],
    [0.8, skin.base],
    [1, skin.shadow],
  ) +
  softSpot(`${id}blush`, [0, skin.blush, 0.5], [0.5, skin.blush, 0.24], [1, skin.blush, 0]) +
  softSpot(`${id}shine`, [0, tint(skin.light, 0.3), 0.65], [1, skin.light, 0]) +
  softSpot(`${id}dusk`, [0, skin.shadow, 0.55], [0.6, skin.shadow, 0.25], [1, skin.shadow, 0]) +
  fade(`${id}iris`, [0, -12, 0, 13], [0, shade(eye, 0.55)], [0.55, eye], [1, tint(eye, 0.4)])

const SOCKET = 'M-20 3C-16-14 10-16 20 0C14 14-12 15-20 3Z'

const lashStrokes = 'M17-6L25-11M12-11L18-18'

const eye = (id: string, look: Look, side: -1 | 1): string => {
  const dark = shade(look.hair.dark, 0.35)
  const lid = line('M-21 3C-16-15 10-17 21 0', dark, look.lashes ? 5 : 4.2)
  const lashes = look.lashes ? line(lashStrokes, dark, 3) : ''
  return group(
    `scale(${side * look.eyeSize} ${look.eyeSize})`,
    shape(SOCKET, '#fffaf4'),
    inside(
      `${id}eye${side}`,
      SOCKET,
      oval({ x: 0, y: -1, rx: 13.2, ry: 13.6 }, `url(#${id}iris)`),
      oval({ x: 0, y: -1, rx: 6.4 }, '#140e10'),
      shape('M-24-18H24V-6C10-15-10-13-24 2Z', '#4a3040', { opacity: 0.22 }),
    ),
    oval({ x: -4.6 * side, y: -6, rx: 4 }, '#fff'),
    oval({ x: 4.4 * side, y: 4, rx: 1.9 }, '#fff', { opacity: 0.75 }),
    lid,
    lashes,
    line('M-13 15C-5 18.5 6 18 13 13', look.skin.shadow, 2.6, { opacity: look.skin.tone === 'deep' ? 0.35 : 0.6 }),
  )
}

const brow = ({ brow: { thick, arch }, hair, skin }: Look, side: -1 | 1): string =>
  group(
    `scale(${side} 1)`,
    line(
      `M-21 ${4 - arch / 3}C-10 ${-arch} 8 ${-arch - 2} 22 ${2}`,
      shade(skin.tone === 'light' ? hair.base : hair.dark, 0.15),
      thick,
      { opacity: 0.9 },
    ),
  )

const eyes = (id: string, look: Look, yaw: number): string =>
  ([-1, 1] as const)
    .map((side) => {
      const { x, squeeze } = turned(side * look.eyeGap, yaw)
      return (
        group(`translate(${x} 14) scale(${squeeze} 1)`, eye(id, look, side)) +
        group(`translate(${x} ${-20}) scale(${squeeze} 1)`, brow(look, side))
      )
    })
    .join('')

const nose = (id: string, { skin, nose: size }: Look, yaw: number): string => {
  const { x } = turned(0, yaw * 1.25)
  return group(
    `translate(${x} 0) scale(${size})`,
    oval({ x: yaw * -8 + 3, y: 46, rx: 17, ry: 13 }, `url(#${id}dusk)`, { opacity: 0.8 }),
    oval({ x: -3, y: 36, rx: 9, ry: 12 }, `url(#${id}shine)`),
    line('M-13 46C-11 53-5 53 0 51.5C5 53 11 53 13 46', shade(skin.shadow, 0.14), 3.4, { opacity: 0.8 }),
  )
}

const LAUGH = 'M-33 68C-16 73 16 73 33 68C30 100 12 108 0 108C-12 108-30 100-33 68Z'
const GRIN = 'M-31 70C-15 75 15 75 31 70C25 93 11 97 0 97C-11 97-25 93-31 70Z'

const openMouth = (id: string, { skin, mouth }: Look): string => {
  const outline = mouth === 'laugh' ? LAUGH : GRIN
  const bottom = mouth === 'laugh' ? 86 : 87
  const gap = mouth === 'gapTooth' ? shape('M-13 70H-3V84C-6 88-10 88-13 84Z', '#5b1f28') : ''
  return (
    shape(outline, '#6f2530') +
    inside(
      `${id}mouth`,
      outline,
      oval({ x: 0, y: mouth === 'laugh' ? 108 : 103, rx: 19, ry: 13 }, '#d9717a'),
      shape(`M-31 66H31V${bottom - 5}C15 ${bottom + 1}-15 ${bottom + 1}-31 ${bottom - 5}Z`, '#fffdf8'),
      gap,
    ) +
    line(outline, skin.lip, 3.6) +
    line('M-38 66C-37 70-35 72-32 72M38 66C37 70 35 72 32 72', skin.shadow, 3.2, { opacity: 0.8 })
  )
}

const closedMouth = ({ skin, mouth }: Look): string => {
  const curve = mouth === 'shy' ? 'M-20 78C-9 87 11 87 22 75' : 'M-30 73C-15 91 15 91 30 73'
  return (
    line(curve, skin.lip, 5) +
    line('M-11 97C-4 100.5 5 100.5 11 97', skin.shadow, 4, { opacity: 0.55 }) +
    line('M-36 69C-35 73-32 75-29 75M36 69C35 73 32 75 29 75', skin.shadow, 3, { opacity: mouth === 'shy' ? 0 : 0.75 })
  )
}

const mouth = (id: string, look: Look, yaw: number): string => {
  const { x, squeeze } = turned(0, yaw * 1.05)
  const closed = look.mouth === 'smile' || look.mouth === 'shy'
  return group(`translate(${x} 2) scale(${squeeze} 1)`, closed ? closedMouth(look) : openMouth(id, look))
}

const freckles = ({ freckles: count, skin }: Look, yaw: number): string =>
  Array.from({ length: count }, (_, n) => {
    // Evenly scattered by the golden angle, so that no two freckles touch.
    const side = n % 2 === 0 ? -1 : 1
    const x = side * (26 + ((n * 0.618) % 1) * 40)
    const y = 34 + ((n * 0.382 + 0.2) % 1) * 26
    return oval({ x: turned(x, yaw).x, y, rx: 2.3, ry: 2 }, skin.shadow, { opacity: 0.85 })
  }).join('')

const glasses = ({ glasses: worn, eyeGap, faceWidth }: Look, yaw: number): string => {
  if (!worn) return ''
  const { shape: form, colour } = worn
  const corner = { round: 31, square: 13, oval: 24 }[form]
  const height = form === 'oval' ? 48 : 58
  const rims = ([-1, 1] as const).map((side) => {
    const { x, squeeze } = turned(side * (eyeGap + 2), yaw)
    const rim = `<rect x="-32" y="${-height / 2}" width="64" height="${height}" rx="${corner}" fill="#fff" fill-opacity=".1" stroke="${colour}" stroke-width="5"/>`
    return group(`translate(${x} 16) scale(${squeeze} 1)`, rim, line('M-20-12L-8-19', '#fff', 4, { opacity: 0.45 }))
  })
  const [left, right] = [turned(-eyeGap + 29, yaw).x, turned(eyeGap - 29, yaw).x]
  const arms = `M${turned(-eyeGap - 33, yaw).x} 8L${-101 * faceWidth - yaw * 9} 4M${turned(eyeGap + 33, yaw).x} 8L${101 * faceWidth - yaw * 9} 4`
  return rims.join('') + line(`M${left} 12Q${(left + right) / 2} 3 ${right} 12`, colour, 5) + line(arms, colour, 4.5)
}

/** A face without its hair. */
export const face = (id: string, look: Look, held: Held): string => {
  const { yaw } = held
  const outline = faceOutline(look, held)
  const cheek = (side: -1 | 1) => {
    const { x, squeeze } = turned(side * 60, yaw)
    return oval({ x, y: 54, rx: 34 * squeeze, ry: 27 }, `url(#${id}blush)`)
  }
  return (
    shape(outline, `url(#${id}face)`) +
    inside(
      `${id}faceclip`,
      outline,
      cheek(-1) + cheek(1),
      oval({ x: turned(0, yaw).x * 0.6, y: -104, rx: 128, ry: 66 }, `url(#${id}dusk)`, { opacity: 0.9 }),
      oval({ x: 0, y: 138, rx: 76, ry: 34 }, `url(#${id}dusk)`),
      oval({ x: turned(-46, yaw).x, y: -46, rx: 62, ry: 40 }, `url(#${id}shine)`, { opacity: 0.55 }),
    ) +
    freckles(look, yaw) +
    nose(id, look, yaw) +
    mouth(id, look, yaw) +
    eyes(id, look, yaw) +
    glasses(look, yaw)
  )
}
