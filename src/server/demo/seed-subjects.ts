import { schoolCast, teamCast } from './drawings/cast.ts'
import type { Sitter } from './drawings/portrait.ts'
import type { SubjectDraft } from './seed-roster.ts'

/** A person of an event whom the photographer met: who to draw, and how many pictures. */
export type PhotographedSubject = SubjectDraft & { sitter: Sitter; imageCount: number }

const classes = [
  { group: 'Grade 3 · Ms. Alvarez', grade: '3', teacher: 'Ms. Alvarez' },
  { group: 'Grade 4 · Mr. Okafor', grade: '4', teacher: 'Mr. Okafor' },
] as const

/** Two to five each; the first, whom every test relies on, has four. */
const picturesOf = (index: number): number => [4, 3, 2, 2, 5, 2, 3, 2][index % 8] ?? 2

/** Two classes of Lincoln Elementary. Ada Lovelace is the first of them. */
export const pupils: readonly PhotographedSubject[] = schoolCast.map((sitter, index) => {
  const { group, grade, teacher } = index < schoolCast.length / 2 ? classes[0] : classes[1]
  return {
    ...sitter,
    group,
    fields: [
      ['Grade', grade],
      ['Teacher', teacher],
    ],
    code: index === 0 ? { is: 'ADALVL' } : 'drawn',
    sitter,
    imageCount: picturesOf(index),
  }
})

const positions = ['Forward', 'Midfield', 'Defense', 'Goalkeeper'] as const

/** The Rapids, in two teams. */
export const players: readonly PhotographedSubject[] = teamCast.map((sitter, index) => {
  const team = index < teamCast.length / 2 ? 'Rapids U10' : 'Rapids U12'
  return {
    ...sitter,
    group: team,
    fields: [
      ['Team', team],
      ['Jersey Number', String(sitter.hints?.number ?? index + 2)],
      ['Position', positions[index % positions.length] ?? 'Midfield'],
    ],
    code: 'drawn',
    sitter,
    imageCount: index % 4 === 0 ? 3 : 2,
  }
})

const hawk = (firstName: string, lastName: string, hair: 'long' | 'short'): PhotographedSubject => ({
  firstName,
  lastName,
  group: 'Hawks U14',
  fields: [],
  code: 'drawn',
  sitter: { seed: `Hawks ${firstName} ${lastName}`, style: 'sport', hints: { hair } },
  imageCount: 2,
})

export const hawks: readonly PhotographedSubject[] = [
  hawk('Tessa', 'Marlow', 'long'),
  hawk('Drew', 'Castellan', 'short'),
  hawk('Ines', 'Duarte', 'long'),
]

const onRoster = (firstName: string, lastName: string, grade: string): SubjectDraft => ({
  firstName,
  lastName,
  group: `Grade ${grade}`,
  fields: [['Grade', grade]],
  code: 'none',
})

/** Whom the school has named for the picture day to come; nobody was photographed yet. */
export const fallRoster: readonly SubjectDraft[] = [
  onRoster('Ava', 'Mitchell', '1'),
  onRoster('Leo', 'Fontaine', '1'),
  onRoster('Zoë', 'Åkesson', '2'),
  onRoster('Miles', 'O’Connor', '2'),
  onRoster('Yara', 'Nasser', '5'),
  onRoster('Ben', 'de la Cruz', '5'),
]
