import type { SubjectDraft } from './seed-roster.ts'

/** A photographed subject of a job, and its files in `pictures`; the first is the cover. */
export type Photographed = SubjectDraft & { pictures: readonly string[] }

const classes = [
  { group: 'Grade 3 · Ms. Alvarez', grade: '3', teacher: 'Ms. Alvarez' },
  { group: 'Grade 4 · Mr. Okafor', grade: '4', teacher: 'Mr. Okafor' },
] as const

const pupil = (
  [firstName, lastName]: readonly [string, string],
  { of, code = 'drawn', pictures }: { of: 0 | 1; code?: SubjectDraft['code']; pictures: readonly string[] },
): Photographed => {
  const { group, grade, teacher } = classes[of]
  return {
    firstName,
    lastName,
    group,
    fields: [
      ['Grade', grade],
      ['Teacher', teacher],
    ],
    code,
    pictures,
  }
}

/** Children of different classes share their images. */
const boyCurls = ['boy-curls-glasses-facing.jpg', 'boy-curls-glasses-arms-crossed.jpg']
const boyParting = ['boy-side-parting-facing.jpg', 'boy-side-parting-arms-crossed.jpg']
const boyPatka = ['boy-patka-facing.jpg', 'boy-patka-arms-crossed.jpg']
const boyTwists = ['boy-twists-facing.jpg', 'boy-twists-arms-crossed.jpg']
const girlBraids = ['girl-braids-facing.jpg', 'girl-braids-full-length.jpg']
const girlHijab = ['girl-hijab-facing.jpg', 'girl-hijab-turned.jpg']
const girlPigtails = ['girl-pigtails-facing.jpg', 'girl-pigtails-turned.jpg']
const girlPuffs = ['girl-puffs-facing.jpg', 'girl-puffs-turned.jpg']
const ada = ['ada-facing.jpg', 'ada-turned.jpg', 'ada-arms-crossed.jpg', 'ada-in-the-park.jpg']

/** Two classes of Lincoln Elementary. Ada Lovelace is the first; many tests rely on her. */
export const pupils: readonly Photographed[] = [
  pupil(['Ada', 'Lovelace'], { of: 0, code: { is: 'ADALVL' }, pictures: ada }),
  pupil(['Mateo', 'Alvarez'], { of: 0, pictures: boyParting }),
  pupil(['Zuri', 'Okafor'], { of: 0, pictures: girlPuffs }),
  pupil(['Oliver', 'Bennett'], { of: 0, pictures: boyCurls }),
  pupil(['Priya', 'Raman'], { of: 0, pictures: girlBraids }),
  pupil(['Harjit', 'Gill'], { of: 0, pictures: boyPatka }),
  pupil(['Layla', 'Haddad'], { of: 0, pictures: girlHijab }),
  pupil(['Isaiah', 'Brooks'], { of: 0, pictures: boyTwists }),
  pupil(['Freya', 'Lindqvist'], { of: 1, pictures: girlPigtails }),
  pupil(['Arjun', 'Singh'], { of: 1, pictures: boyPatka }),
  pupil(['Amina', 'Yusuf'], { of: 1, pictures: girlHijab }),
  pupil(['Caleb', 'Whitfield'], { of: 1, pictures: boyCurls }),
  pupil(['Amara', 'Diallo'], { of: 1, pictures: girlPuffs }),
  pupil(['Noah', 'Castillo'], { of: 1, pictures: boyParting }),
  pupil(['Sofia', 'Petrova'], { of: 1, pictures: girlBraids }),
  pupil(['Elijah', 'Grant'], { of: 1, pictures: boyTwists }),
]

const positions = ['Forward', 'Midfield', 'Defense', 'Goalkeeper'] as const

/** The shirt numbers; both teams have each of them. */
const team = [
  ['Jonah', 'Reyes', 7],
  ['Harper', 'Quinn', 16],
  ['Malik', 'Johnson', 21],
  ['Camila', 'Torres', 11],
  ['Finn', "O'Brien", 9],
  ['Nia', 'Thompson', 5],
  ['Rory', 'Byrne', 9],
  ['Ruby', 'Carter', 5],
  ['Omar', 'Farouk', 7],
  ['Leah', 'Goldberg', 16],
  ['Andre', 'Baptiste', 21],
  ['Sana', 'Malik', 11],
] as const

/** The Rapids, in two teams. */
export const players: readonly Photographed[] = team.map(([firstName, lastName, number], index) => {
  const group = index < team.length / 2 ? 'Rapids U10' : 'Rapids U12'
  return {
    firstName,
    lastName,
    group,
    fields: [
      ['Team', group],
      ['Jersey Number', String(number)],
      ['Position', positions[index % positions.length] ?? 'Midfield'],
    ],
    code: 'drawn',
    pictures: [`player-${number}-facing.webp`, `player-${number}-with-ball.webp`],
  }
})

const hawk = (firstName: string, lastName: string): Photographed => ({
  firstName,
  lastName,
  group: 'Hawks U14',
  fields: [],
  code: 'drawn',
  pictures: ['facing', 'arms-crossed'].map((pose) => `hawk-${firstName.toLowerCase()}-${pose}.jpg`),
})

export const hawks: readonly Photographed[] = [
  hawk('Tessa', 'Marlow'),
  hawk('Drew', 'Castellan'),
  hawk('Ines', 'Duarte'),
]

const onRoster = (firstName: string, lastName: string, grade: string): SubjectDraft => ({
  firstName,
  lastName,
  group: `Grade ${grade}`,
  fields: [['Grade', grade]],
  code: 'none',
})

/** The school's roster for the coming picture day. None is photographed yet. */
export const fallRoster: readonly SubjectDraft[] = [
  onRoster('Ava', 'Mitchell', '1'),
  onRoster('Leo', 'Fontaine', '1'),
  onRoster('Zoë', 'Åkesson', '2'),
  onRoster('Miles', 'O’Connor', '2'),
  onRoster('Yara', 'Nasser', '5'),
  onRoster('Ben', 'de la Cruz', '5'),
]
