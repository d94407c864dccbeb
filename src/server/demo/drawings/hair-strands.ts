import { inside, line, shape, sheen } from './ink.ts'
import type { Look } from './look.ts'

/** Hair in two layers: behind the head and the shoulders, and over the face. `id` names its paints. */
export type Hair = { back: string; front: string }

/** What a hair style is drawn from; `yaw` shifts the fringe with the face. */
export type HairBrief = { id: string; look: Look; yaw: number }

/** The paint of a person's hair. */
export const fill = (id: string) => `url(#${id}hair)`

/** Strands of light and dark over a mass of hair, kept inside it. */
export const strands = ({ id, look }: HairBrief, outline: string, lights: string, darks: string): string =>
  inside(`${id}strands`, outline, sheen(lights, look.hair.light), line(darks, look.hair.dark, 4, { opacity: 0.42 }))

/** Hair drawn back from the forehead: the base of every style that is tied. */
export const cap = (brief: HairBrief, parting = true): string => {
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
