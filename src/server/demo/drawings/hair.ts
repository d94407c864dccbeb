import { curlyHair } from './hair-curly.ts'
import { longHair } from './hair-long.ts'
import { shortHair } from './hair-short.ts'
import type { Hair, HairBrief } from './hair-strands.ts'
import { tiedHair } from './hair-tied.ts'
import { fade, group, line, oval, shade, shape, tint } from './ink.ts'
import type { Look } from './look.ts'

const hijab = ({ id, look, yaw }: HairBrief): Hair => {
  const f = yaw * 12
  const cloth = `url(#${id}scarf)`
  const fold = shade(look.cloth[0], 0.3)
  return {
    back: shape(
      'M-130 40C-150-90-96-164 0-164C96-164 150-90 130 40C150 130 196 220 188 300L-188 300C-196 220-150 130-130 40Z',
      fold,
    ),
    front:
      `<path d="M${f}-164C106-164 142-92 128 20C124 100 150 150 172 210C120 300-120 300-172 210C-150 150-124 100-128 20C-142-92-106-164 ${f}-164ZM${f}-108C${-70 + f}-108-92-60-92-8C-92 60-58 126 ${yaw * 14} 136C58 126 92 60 92-8C92-60 ${70 + f}-108 ${f}-108Z" fill="${cloth}" fill-rule="evenodd"/>` +
      line('M-92 60C-60 150 40 180 120 150M-112 110C-60 210 60 220 150 190M-104-40C-110-90-70-140-10-146', fold, 4, {
        opacity: 0.45,
      }) +
      line('M-100-66C-84-114-50-136-14-138', tint(look.cloth[0], 0.5), 9, { opacity: 0.35 }),
  }
}

const patka = ({ id, look, yaw }: HairBrief): Hair => {
  const f = yaw * 12
  return {
    back: '',
    front:
      oval({ x: f * 0.5, y: -168, rx: 34, ry: 28 }, `url(#${id}scarf)`) +
      shape(
        `M-106-6C-122-72-96-152 0-152C96-152 122-72 106-6C100-30 96-46 90-58C${60 + f}-82 ${28 + f}-92 ${f}-92C${-28 + f}-92 ${-60 + f}-82-90-58C-96-46-100-30-106-6Z`,
        `url(#${id}scarf)`,
      ) +
      line(
        `M-98-36C${-60 + f}-92 ${60 + f}-92 98-36M-98-66C-60-116 60-116 98-66M-30-148Q0-138 30-148`,
        shade(look.cloth[0], 0.35),
        4,
        { opacity: 0.4 },
      ),
  }
}

const styles = { ...shortHair, ...curlyHair, ...longHair, ...tiedHair, hijab, patka }

const covered: readonly Look['hairStyle'][] = ['hijab', 'patka']

const bow = (colour: string): string =>
  group(
    'translate(62 -128) rotate(24)',
    shape('M0 0C-14-26-46-26-42 0C-46 26-14 26 0 0ZM0 0C14-26 46-26 42 0C46 26 14 26 0 0Z', colour),
    shape('M0 0C-16-6-28-6-36-2C-28 2-14 6 0 0ZM0 0C16-6 28-6 36-2C28 2 14 6 0 0Z', shade(colour, 0.3), {
      opacity: 0.5,
    }),
    oval({ x: 0, y: 0, rx: 9, ry: 10 }, tint(colour, 0.2)),
  )

const extras = ({ extra, cloth, hairStyle }: Look, yaw: number): string => {
  if (covered.includes(hairStyle) || ['puffs', 'buns', 'topBun'].includes(hairStyle)) return ''
  const f = yaw * 12
  if (extra === 'bow') return bow(cloth[0])
  if (extra === 'headband')
    return (
      line(`M-112-52C-92-126 ${-40 + f * 0.3}-136 ${f * 0.3}-136C${40 + f * 0.3}-136 92-126 112-52`, cloth[0], 15) +
      line(`M-92-96C-70-128-34-133 ${f * 0.3}-134`, tint(cloth[0], 0.5), 4, { opacity: 0.5 })
    )
  if (extra === 'clips')
    return (
      line(`M${64 + f}-92L${90 + f}-76`, cloth[0], 10) + line(`M${56 + f}-104L${84 + f}-90`, tint(cloth[0], 0.35), 10)
    )
  return ''
}

/** Gradients hair and scarves are painted with. */
export const hairPaints = (id: string, { hair, cloth }: Look): string =>
  fade(`${id}hair`, [-90, -160, 90, 130], [0, hair.light], [0.32, hair.base], [1, hair.dark]) +
  fade(`${id}scarf`, [-120, -160, 120, 260], [0, tint(cloth[0], 0.3)], [0.4, cloth[0]], [1, shade(cloth[0], 0.3)])

/** A person's hair, behind and in front. */
export const hairOf = (id: string, look: Look, yaw: number): Hair => {
  const { back, front } = styles[look.hairStyle]({ id, look, yaw })
  return { back, front: front + extras(look, yaw) }
}
