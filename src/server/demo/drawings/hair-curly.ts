import { fill, type Hair, type HairBrief } from './hair-strands.ts'
import { line, oval, shape } from './ink.ts'
import type { Look } from './look.ts'

/** Rings of curls around the head: `radius` of each, `reach` beyond the skull. */
const cloud = (
  colour: string,
  { radius, reach, from, to }: { radius: number; reach: number; from: number; to: number },
): string => {
  const count = Math.round(((to - from) * (100 + reach)) / (radius * 1.15))
  return Array.from({ length: count + 1 }, (_, n) => {
    const angle = from + ((to - from) * n) / count
    const wobble = n % 2 === 0 ? 1 : 0.94
    return oval(
      { x: Math.sin(angle) * (100 + reach) * wobble, y: -34 - Math.cos(angle) * (98 + reach) * wobble, rx: radius },
      colour,
    )
  }).join('')
}

const curlMarks = (look: Look, marks: readonly (readonly [number, number])[], size: number): string =>
  marks
    .map(([x, y], n) =>
      line(
        `M${x - size} ${y + size * 0.4}A${size} ${size} 0 1 1 ${x + size * 0.7} ${y + size * 0.6}`,
        n % 3 === 0 ? look.hair.dark : look.hair.light,
        3.4,
        { opacity: n % 3 === 0 ? 0.55 : 0.4 },
      ),
    )
    .join('')

const curls = ({ id, look, yaw }: HairBrief): Hair => {
  const f = yaw * 14
  const fringe = [-76, -50, -24, 2, 28, 54, 78]
    .map((x, n) => oval({ x: x + f * 0.7, y: -76 - (n % 2) * 10 + Math.abs(x) * 0.16, rx: 21 }, fill(id)))
    .join('')
  const marks = [
    [-78, -92],
    [-50, -120],
    [-18, -132],
    [16, -130],
    [48, -120],
    [78, -92],
    [-30, -92],
    [4, -94],
    [38, -92],
    [-96, -56],
    [96, -56],
  ] as const
  return {
    back: cloud(look.hair.dark, { radius: 24, reach: 6, from: -1.9, to: 1.9 }),
    front:
      shape(
        'M-104-10C-116-60-104-112-66-136C-34-154 34-154 66-136C104-112 116-60 104-10C98-36 94-52 84-66L-84-66C-94-52-98-36-104-10Z',
        fill(id),
      ) +
      cloud(fill(id), { radius: 22, reach: 6, from: -1.55, to: 1.55 }) +
      fringe +
      curlMarks(look, marks, 10),
  }
}

const afro = ({ id, look, yaw }: HairBrief): Hair => {
  const f = yaw * 12
  const marks = [
    [-104, -90],
    [-84, -132],
    [-48, -160],
    [-6, -172],
    [38, -164],
    [78, -138],
    [102, -94],
    [-60, -112],
    [-20, -128],
    [24, -128],
    [62, -110],
    [-122, -46],
    [122, -46],
    [-118, 0],
    [118, 0],
  ] as const
  return {
    back:
      shape(
        'M0-186C92-186 146-128 146-50C146 6 122 52 88 72L-88 72C-122 52-146 6-146-50C-146-128-92-186 0-186Z',
        look.hair.dark,
      ) + cloud(look.hair.dark, { radius: 26, reach: 34, from: -2.1, to: 2.1 }),
    front:
      cloud(fill(id), { radius: 36, reach: 24, from: -1.5, to: 1.5 }) +
      shape(
        `M-112-34C-122-100-70-168 0-168C70-168 122-100 112-34C104-48 98-56 88-64C${60 + f}-86 ${30 + f}-92 ${f}-92C${-30 + f}-92 ${-60 + f}-86-88-64C-98-56-104-48-112-34Z`,
        fill(id),
      ) +
      curlMarks(look, marks, 11),
  }
}

const twists = ({ id, look, yaw }: HairBrief): Hair => {
  const f = yaw * 14
  const locks = [-86, -66, -46, -26, -6, 14, 34, 54, 74, 88]
  const lock = (x: number, n: number): string => {
    const end = x * 1.12 + (n % 2 === 0 ? 6 : -6) + f
    const low = -58 - (n % 3) * 9 + Math.abs(x) * 0.42
    const d = `M${x * 0.62}-138C${x}-128 ${end}-100 ${end} ${low}`
    return (
      line(d, look.hair.dark, 22) +
      line(d, n % 2 === 0 ? look.hair.base : look.hair.light, 15, { 'stroke-dasharray': '3 11', opacity: 0.75 })
    )
  }
  return {
    back: cloud(look.hair.dark, { radius: 17, reach: 4, from: -1.8, to: 1.8 }),
    front:
      shape(
        'M-102-14C-112-66-98-118-60-138C-30-152 30-152 60-138C98-118 112-66 102-14C98-40 92-60 80-76L-80-76C-92-60-98-40-102-14Z',
        fill(id),
      ) + locks.map(lock).join(''),
  }
}

/** Curly hair by its name. */
export const curlyHair = { curls, afro, twists }
