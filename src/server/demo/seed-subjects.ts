import type { SubjectDraft } from './seed-roster.ts'

/** A photographed subject of a job, and its files in the folder `pictures`; the first is the cover. */
export type PhotographedSubject = SubjectDraft & { imageFiles: readonly string[] }

const classes = [
  { group: 'Grade 3 · Ms. Alvarez', grade: '3', teacher: 'Ms. Alvarez' },
  { group: 'Grade 4 · Mr. Okafor', grade: '4', teacher: 'Mr. Okafor' },
  { group: 'Grade 2 · Mrs. Novak', grade: '2', teacher: 'Mrs. Novak' },
  { group: 'Grade 5 · Mr. Ellis', grade: '5', teacher: 'Mr. Ellis' },
] as const

const pupil = (
  [firstName, lastName]: readonly [string, string],
  {
    classIndex,
    code = 'drawn',
    imageFiles,
  }: { classIndex: 0 | 1 | 2 | 3; code?: SubjectDraft['code']; imageFiles: readonly string[] },
): PhotographedSubject => {
  const { group, grade, teacher } = classes[classIndex]
  return {
    firstName,
    lastName,
    group,
    fields: [
      ['Grade', grade],
      ['Teacher', teacher],
    ],
    code,
    imageFiles,
  }
}

/** Files in the folder `pictures`. Children of different classes share them. */
const boyCurls = ['boy-curls-glasses-facing.jpg', 'boy-curls-glasses-arms-crossed.jpg']
const boyParting = ['boy-side-parting-facing.jpg', 'boy-side-parting-arms-crossed.jpg']
const boyPatka = ['boy-patka-facing.jpg', 'boy-patka-arms-crossed.jpg']
const boyTwists = ['boy-twists-facing.jpg', 'boy-twists-arms-crossed.jpg']
const girlBraids = ['girl-braids-facing.jpg', 'girl-braids-full-length.jpg']
const girlHijab = ['girl-hijab-facing.jpg', 'girl-hijab-turned.jpg']
const girlPigtails = ['girl-pigtails-facing.jpg', 'girl-pigtails-turned.jpg']
const girlPuffs = ['girl-puffs-facing.jpg', 'girl-puffs-turned.jpg']
const ada = ['ada-facing.jpg', 'ada-turned.jpg', 'ada-arms-crossed.jpg', 'ada-in-the-park.jpg']

/** Two classes of Lincoln Elementary. Many tests rely on the first pupil, Ada Lovelace. */
export const pupils: readonly PhotographedSubject[] = [
  pupil(['Ada', 'Lovelace'], { classIndex: 0, code: { is: 'ADALVL' }, imageFiles: ada }),
  pupil(['Mateo', 'Alvarez'], { classIndex: 0, imageFiles: boyParting }),
  pupil(['Zuri', 'Okafor'], { classIndex: 0, imageFiles: girlPuffs }),
  pupil(['Oliver', 'Bennett'], { classIndex: 0, imageFiles: boyCurls }),
  pupil(['Priya', 'Raman'], { classIndex: 0, imageFiles: girlBraids }),
  pupil(['Harjit', 'Gill'], { classIndex: 0, imageFiles: boyPatka }),
  pupil(['Layla', 'Haddad'], { classIndex: 0, imageFiles: girlHijab }),
  pupil(['Isaiah', 'Brooks'], { classIndex: 0, imageFiles: boyTwists }),
  pupil(['Freya', 'Lindqvist'], { classIndex: 1, imageFiles: girlPigtails }),
  pupil(['Arjun', 'Singh'], { classIndex: 1, imageFiles: boyPatka }),
  pupil(['Amina', 'Yusuf'], { classIndex: 1, imageFiles: girlHijab }),
  pupil(['Caleb', 'Whitfield'], { classIndex: 1, imageFiles: boyCurls }),
  pupil(['Amara', 'Diallo'], { classIndex: 1, imageFiles: girlPuffs }),
  pupil(['Noah', 'Castillo'], { classIndex: 1, imageFiles: boyParting }),
  pupil(['Sofia', 'Petrova'], { classIndex: 1, imageFiles: girlBraids }),
  pupil(['Elijah', 'Grant'], { classIndex: 1, imageFiles: boyTwists }),
]

/** Two more classes of Lincoln Elementary, photographed earlier. All but the last ordered. */
export const portraitPupils: readonly PhotographedSubject[] = [
  pupil(['Clara', 'Benson'], { classIndex: 2, code: { is: 'CLABEN' }, imageFiles: girlPigtails }),
  pupil(['Diego', 'Fuentes'], { classIndex: 2, code: { is: 'DIEFUE' }, imageFiles: boyParting }),
  pupil(['Emma', 'Hart'], { classIndex: 2, code: { is: 'EMMHAR' }, imageFiles: girlBraids }),
  pupil(['Felix', 'Nguyen'], { classIndex: 2, code: { is: 'FELNGU' }, imageFiles: boyCurls }),
  pupil(['Gia', 'Romano'], { classIndex: 2, code: { is: 'GIAROM' }, imageFiles: girlPuffs }),
  pupil(['Henry', 'Cho'], { classIndex: 2, code: { is: 'HENCHO' }, imageFiles: boyTwists }),
  pupil(['Imani', 'Wells'], { classIndex: 3, code: { is: 'IMAWEL' }, imageFiles: girlHijab }),
  pupil(['Jonas', 'Berg'], { classIndex: 3, code: { is: 'JONBER' }, imageFiles: boyParting }),
  pupil(['Kira', 'Patel'], { classIndex: 3, code: { is: 'KIRPAT' }, imageFiles: girlBraids }),
  pupil(['Luca', 'Moretti'], { classIndex: 3, code: { is: 'LUCMOR' }, imageFiles: boyCurls }),
  pupil(['Maya', 'Kowalski'], { classIndex: 3, code: { is: 'MAYKOW' }, imageFiles: girlPigtails }),
]

const positions = ['Forward', 'Midfield', 'Defense', 'Goalkeeper'] as const

/** The players with their jersey numbers. Each number exists in both teams. */
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
export const players: readonly PhotographedSubject[] = team.map(([firstName, lastName, number], index) => {
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
    imageFiles: [`player-${number}-facing.webp`, `player-${number}-with-ball.webp`],
  }
})

const hawksPlayer = (firstName: string, lastName: string): PhotographedSubject => ({
  firstName,
  lastName,
  group: 'Hawks U14',
  fields: [],
  code: 'drawn',
  imageFiles: ['facing', 'arms-crossed'].map((pose) => `hawk-${firstName.toLowerCase()}-${pose}.jpg`),
})

export const hawks: readonly PhotographedSubject[] = [
  hawksPlayer('Tessa', 'Marlow'),
  hawksPlayer('Drew', 'Castellan'),
  hawksPlayer('Ines', 'Duarte'),
]

const rosterEntry = (firstName: string, lastName: string, grade: string): SubjectDraft => ({
  firstName,
  lastName,
  group: `Grade ${grade}`,
  fields: [['Grade', grade]],
  code: 'none',
})

/** The school's roster for the coming picture day. No subject is photographed yet. */
export const fallRoster: readonly SubjectDraft[] = [
  rosterEntry('Ava', 'Mitchell', '1'),
  rosterEntry('Leo', 'Fontaine', '1'),
  rosterEntry('Zoë', 'Åkesson', '2'),
  rosterEntry('Miles', 'O’Connor', '2'),
  rosterEntry('Yara', 'Nasser', '5'),
  rosterEntry('Ben', 'de la Cruz', '5'),
]
