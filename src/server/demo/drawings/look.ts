import { type Chance, chanceFrom } from './chance.ts'
import {
  type ClothPair,
  clothPairs,
  eyeColours,
  type HairColour,
  type HairName,
  hairColours,
  hairNamed,
  type Skin,
  skins,
  type Tone,
  teamColours,
} from './palette.ts'

const longStyles = [
  'bob',
  'long',
  'wavy',
  'pigtails',
  'ponytail',
  'braids',
  'buns',
  'topBun',
  'ringlets',
  'puffs',
] as const
const shortStyles = ['sweep', 'crop', 'spiky', 'curls', 'afro', 'tousled', 'twists', 'parted'] as const

type HairStyle = (typeof longStyles)[number] | (typeof shortStyles)[number] | 'hijab' | 'patka'
export type Garment =
  | 'tee'
  | 'striped'
  | 'polo'
  | 'shirt'
  | 'hoodie'
  | 'sweater'
  | 'dress'
  | 'dungarees'
  | 'cardigan'
  | 'jersey'

type Mouth = 'smile' | 'grin' | 'laugh' | 'gapTooth' | 'shy'

/** School picture day or a team's. */
export type Style = 'school' | 'sport'

/** What must be so about a person; all else follows from the seed. */
export type Hints = {
  hair?: 'long' | 'short'
  hairStyle?: HairStyle
  tone?: Tone
  garment?: Garment
  glasses?: boolean
  number?: number
  hairColour?: HairName
  mouth?: Mouth
}

/** Everything that makes a person recognisable from one picture to the next. */
export type Look = {
  skin: Skin
  hair: HairColour
  hairStyle: HairStyle
  eye: string
  /** Cheeks and jaw, 1 is usual. */
  faceWidth: number
  jaw: number
  eyeGap: number
  eyeSize: number
  brow: { thick: number; arch: number }
  nose: number
  mouth: Mouth
  lashes: boolean
  freckles: number
  glasses: { shape: 'round' | 'square' | 'oval'; colour: string } | undefined
  extra: 'none' | 'bow' | 'headband' | 'clips'
  earrings: boolean
  garment: Garment
  cloth: ClothPair
  trousers: string
  /** On a sport shirt. */
  number: number
  build: number
}

const curly: readonly HairStyle[] = ['curls', 'afro', 'twists', 'crop', 'puffs', 'braids', 'buns', 'ponytail']
const straight: readonly HairStyle[] = [
  'sweep',
  'spiky',
  'tousled',
  'parted',
  'curls',
  'bob',
  'long',
  'wavy',
  'pigtails',
  'ponytail',
  'braids',
  'topBun',
  'ringlets',
]

const pickStyle = (chance: Chance, tone: Tone, hair: 'long' | 'short'): HairStyle => {
  const grows = tone === 'deep' ? curly : straight
  const [first, ...rest] = (hair === 'long' ? longStyles : shortStyles).filter((style) => grows.includes(style))
  return chance.pick([first ?? 'tousled', ...rest])
}

const longGarments = ['tee', 'striped', 'dress', 'dress', 'cardigan', 'dungarees', 'sweater', 'hoodie'] as const
const shortGarments = ['tee', 'striped', 'polo', 'shirt', 'hoodie', 'sweater', 'dungarees'] as const

const frameColours: Readonly<Record<Tone, readonly [string, ...string[]]>> = {
  light: ['#3a2a2a', '#7a3b3f', '#2f4858', '#9a7442'],
  medium: ['#33242a', '#6b2f3a', '#24465c', '#f0d9a8'],
  deep: ['#d9b25f', '#e9dfcb', '#d8695a', '#7fb3c4'],
}

const pickTone = (chance: Chance): Tone => chance.pick(['light', 'light', 'medium', 'medium', 'deep'])

const pickSkin = (chance: Chance, tone: Tone): Skin => {
  const [first = skins[0], ...rest] = skins.filter((skin) => skin.tone === tone)
  return chance.pick([first, ...rest])
}

/** The person a seed stands for. The order of choices is part of the result: add new ones at the end. */
export const lookOf = (seed: string, { style, hints = {} }: { style: Style; hints?: Hints }): Look => {
  const chance = chanceFrom(seed)
  const tone = hints.tone ?? pickTone(chance)
  const length = hints.hair ?? chance.pick(['long', 'short'])
  const skin = pickSkin(chance, tone)
  const hairStyle = hints.hairStyle ?? pickStyle(chance, tone, length)
  const school = chance.pick<Garment>(length === 'long' ? longGarments : shortGarments)
  const hairName = hints.hairColour ?? chance.pick(hairColours[tone])
  const wearsGlasses = chance.happens(0.22)
  return {
    skin,
    hairStyle,
    hair: hairNamed[hairName],
    // Light eyes hardly ever go with black hair.
    eye: chance.pick(eyeColours[hairName === 'black' && tone === 'light' ? 'medium' : tone]),
    faceWidth: chance.between(0.95, 1.05),
    jaw: chance.between(0.9, 1.12),
    eyeGap: chance.between(41, 46),
    eyeSize: chance.between(0.94, 1.1),
    brow: { thick: chance.between(4.5, length === 'long' ? 6.5 : 8), arch: chance.between(3, 9) },
    nose: chance.between(0.85, 1.15),
    mouth: hints.mouth ?? chance.pick(['smile', 'smile', 'grin', 'grin', 'laugh', 'gapTooth', 'shy']),
    lashes: length === 'long',
    freckles: tone === 'light' && chance.happens(0.4) ? Math.round(chance.between(9, 16)) : 0,
    glasses:
      (hints.glasses ?? wearsGlasses)
        ? { shape: chance.pick(['round', 'square', 'oval']), colour: chance.pick(frameColours[tone]) }
        : undefined,
    extra: length === 'long' ? chance.pick(['none', 'none', 'bow', 'headband', 'clips']) : 'none',
    earrings: length === 'long' && chance.happens(0.35),
    garment: style === 'sport' ? 'jersey' : (hints.garment ?? school),
    cloth: style === 'sport' ? teamColours : chance.pick(clothPairs),
    trousers: chance.pick(['#3c4a63', '#55606e', '#7b6a55', '#2f3b4a', '#4c5b4a']),
    number: hints.number ?? Math.floor(chance.between(2, 34)),
    build: chance.between(0.94, 1.06),
  }
}
