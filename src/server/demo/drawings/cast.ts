import type { Hints } from './look.ts'
import type { Sitter } from './portrait.ts'

/** A demo subject: a name and the person drawn for it. */
export type CastMember = Sitter & { firstName: string; lastName: string }

type Entry = readonly [firstName: string, lastName: string, hints: Hints]

const school: readonly Entry[] = [
  [
    'Ada',
    'Lovelace',
    {
      hair: 'long',
      tone: 'light',
      hairStyle: 'ringlets',
      hairColour: 'dark-brown',
      mouth: 'smile',
      garment: 'dress',
      glasses: false,
    },
  ],
  ['Mateo', 'Alvarez', { hair: 'short', tone: 'medium', hairStyle: 'tousled' }],
  ['Zuri', 'Okafor', { hair: 'long', tone: 'deep', hairStyle: 'puffs' }],
  ['Oliver', 'Bennett', { mouth: 'grin', hair: 'short', tone: 'light', hairStyle: 'sweep' }],
  ['Priya', 'Raman', { hair: 'long', tone: 'medium', hairStyle: 'braids' }],
  ['Theo', 'Nakamura', { hair: 'short', tone: 'light', hairStyle: 'spiky', hairColour: 'black' }],
  ['Layla', 'Haddad', { mouth: 'smile', hair: 'long', tone: 'medium', hairStyle: 'hijab', garment: 'cardigan' }],
  ['Isaiah', 'Brooks', { mouth: 'smile', hair: 'short', tone: 'deep', hairStyle: 'twists', garment: 'hoodie' }],
  [
    'Freya',
    'Lindqvist',
    { mouth: 'laugh', hair: 'long', tone: 'light', hairColour: 'blonde', hairStyle: 'pigtails', garment: 'dungarees' },
  ],
  ['Arjun', 'Singh', { mouth: 'smile', hair: 'short', tone: 'medium', hairStyle: 'patka' }],
  ['Mei', 'Chen', { mouth: 'smile', hair: 'long', tone: 'light', hairStyle: 'bob', hairColour: 'black' }],
  ['Caleb', 'Whitfield', { hair: 'short', tone: 'light', hairStyle: 'curls', glasses: true }],
  ['Amara', 'Diallo', { hair: 'long', tone: 'deep', hairStyle: 'buns' }],
  ['Noah', 'Castillo', { mouth: 'laugh', hair: 'short', tone: 'medium', hairStyle: 'parted', garment: 'sweater' }],
  ['Sofia', 'Petrova', { mouth: 'smile', hair: 'long', tone: 'light', hairStyle: 'wavy' }],
  ['Elijah', 'Grant', { mouth: 'grin', hair: 'short', tone: 'deep', hairStyle: 'afro' }],
]

const team: readonly Entry[] = [
  ['Jonah', 'Reyes', { hair: 'short', tone: 'medium', hairStyle: 'sweep', number: 7 }],
  ['Harper', 'Quinn', { hair: 'long', tone: 'light', hairStyle: 'ponytail', number: 10 }],
  ['Malik', 'Johnson', { mouth: 'grin', hair: 'short', tone: 'deep', hairStyle: 'crop', number: 4 }],
  ['Camila', 'Torres', { hair: 'long', tone: 'medium', hairStyle: 'braids', number: 11 }],
  ['Finn', "O'Brien", { hair: 'short', tone: 'light', hairColour: 'ginger', hairStyle: 'tousled', number: 9 }],
  ['Nia', 'Thompson', { mouth: 'grin', hair: 'long', tone: 'deep', hairStyle: 'puffs', number: 5 }],
  ['Kenji', 'Ito', { hair: 'short', tone: 'light', hairStyle: 'spiky', hairColour: 'black', number: 8 }],
  ['Ruby', 'Carter', { hair: 'long', tone: 'light', hairStyle: 'topBun', number: 14, glasses: true }],
  ['Omar', 'Farouk', { hair: 'short', tone: 'medium', hairStyle: 'curls', number: 3 }],
  ['Leah', 'Goldberg', { mouth: 'grin', hair: 'long', tone: 'light', hairStyle: 'wavy', number: 16 }],
  ['Andre', 'Baptiste', { hair: 'short', tone: 'deep', hairStyle: 'afro', number: 21 }],
  ['Sana', 'Malik', { hair: 'long', tone: 'medium', hairStyle: 'bob', number: 12 }],
]

const cast = (entries: readonly Entry[], style: Sitter['style']): readonly CastMember[] =>
  entries.map(([firstName, lastName, hints]) => ({
    firstName,
    lastName,
    seed: `${firstName} ${lastName}`,
    style,
    hints,
  }))

/** Sixteen pupils for the school's jobs; the first is Ada Lovelace. */
export const schoolCast = cast(school, 'school')

/** Twelve players for the team's job, each with a number of their own. */
export const teamCast = cast(team, 'sport')
