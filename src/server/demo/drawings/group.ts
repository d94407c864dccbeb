import { type Chance, chanceFrom } from './chance.ts'
import { figure, type Stance } from './figure.ts'
import { group, round } from './ink.ts'
import { lookOf } from './look.ts'
import { backdropBehind, type Camera, photograph, type Size } from './paint.ts'
import type { Sitter } from './portrait.ts'
import type { Backdrop } from './scenery.ts'

export type GroupBrief = {
  people: readonly Sitter[]
  backdrop: Backdrop
  camera?: Partial<Camera>
  size?: Size
}

const VIEW: Size = { width: 1000, height: 800 }
const SIZE: Size = { width: 2000, height: 1600 }
const CAMERA: Camera = { orientation: 1, model: 'Canon EOS R6', takenAt: new Date('2027-04-16T11:00:00Z') }

/** Rows from the back to the front, the front one the longest, as photographers line up a class. */
const rowsOf = (people: readonly Sitter[]): (readonly Sitter[])[] => {
  const rows = people.length > 12 ? 3 : people.length > 4 ? 2 : 1
  const each = people.length / rows
  // One fewer behind and one more in front, so that heads show between shoulders.
  const ends = Array.from({ length: rows }, (_, row) =>
    Math.round((row + 1) * each - (row + 1 < rows ? (rows - 1) / 2 : 0)),
  )
  return ends.map((end, row) => people.slice(ends[row - 1] ?? 0, end))
}

const stand = (chance: Chance, ball: boolean): Stance => ({
  yaw: chance.between(-0.35, 0.35),
  tilt: chance.between(-5, 5),
  turn: 0,
  arms: ball ? 'ball' : 'behind',
  legs: true,
})

const FLOOR = 762

/** Everyone together, as a camera's JPEG: a class or a team. The same people give the same bytes. */
export const drawGroup = async ({ people, backdrop, camera, size = SIZE }: GroupBrief): Promise<Buffer> => {
  const rows = rowsOf(people)
  const widest = Math.max(...rows.map((row) => row.length))
  const scale = Math.min(0.46, 2.9 / (widest + 0.8), 0.56 / (1 + 0.24 * (rows.length - 1)))
  const step = Math.min(900 / widest, 430 * scale)
  const standing = rows.flatMap((row, r) =>
    row.map((sitter, n) => {
      const chance = chanceFrom(`${sitter.seed} group`)
      const look = lookOf(sitter.seed, { style: sitter.style, hints: sitter.hints })
      const behind = rows.length - 1 - r
      const middle = behind === 0 && n === Math.floor(row.length / 2)
      const x = 500 + (n - (row.length - 1) / 2) * step
      const y = FLOOR - 1134 * scale - behind * 270 * scale + chance.between(-16, 16) * scale
      const drawn = figure(`p${r}x${n}`, look, stand(chance, middle && sitter.style === 'sport'))
      return group(`translate(${round(x)} ${round(y)}) scale(${round(scale)})`, drawn)
    }),
  )
  const content = (await backdropBehind(backdrop, VIEW)) + standing.join('')
  return photograph({ content, view: VIEW }, size, { ...CAMERA, ...camera })
}
