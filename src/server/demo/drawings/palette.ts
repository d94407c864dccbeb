/** Skin as painters mix it: the colour itself, its shadow, its light, and the warmth of cheeks and lips. */
export type Skin = { base: string; shadow: string; light: string; blush: string; lip: string; tone: Tone }

export type Tone = 'light' | 'medium' | 'deep'

/** Hair by its colour, its depth and its shine. */
export type HairColour = { base: string; dark: string; light: string }

/** A first and a second colour that look good together. */
export type ClothPair = readonly [string, string]

export const skins: readonly [Skin, ...Skin[]] = [
  { base: '#f7d3b8', shadow: '#dfa588', light: '#ffe9d8', blush: '#ef8f7e', lip: '#c4645c', tone: 'light' },
  { base: '#f3c8a5', shadow: '#d69a76', light: '#ffe2c6', blush: '#e98772', lip: '#b95c51', tone: 'light' },
  { base: '#f0cda4', shadow: '#cf9f73', light: '#fde6c4', blush: '#e58d6c', lip: '#b8604f', tone: 'light' },
  { base: '#e2b088', shadow: '#bd825c', light: '#f4cda9', blush: '#d9785c', lip: '#a8524a', tone: 'medium' },
  { base: '#cf9a6c', shadow: '#a87046', light: '#e6b98f', blush: '#c7694c', lip: '#964840', tone: 'medium' },
  { base: '#b97f54', shadow: '#915a36', light: '#d69f74', blush: '#b25a43', lip: '#87403a', tone: 'medium' },
  { base: '#96613f', shadow: '#6f4229', light: '#b78059', blush: '#98483a', lip: '#9c4a48', tone: 'deep' },
  { base: '#7a4a30', shadow: '#56311f', light: '#9c684a', blush: '#85402f', lip: '#914243', tone: 'deep' },
  { base: '#603a28', shadow: '#412418', light: '#81543d', blush: '#73352a', lip: '#85393c', tone: 'deep' },
]

/** Every colour of hair by its name. */
export const hairNamed = {
  black: { base: '#2b2326', dark: '#171215', light: '#5a4c50' },
  'dark-brown': { base: '#46302a', dark: '#2a1b18', light: '#7a5a4d' },
  brown: { base: '#6d4632', dark: '#472b1e', light: '#a57555' },
  chestnut: { base: '#85512f', dark: '#5a331b', light: '#bd8355' },
  auburn: { base: '#96472a', dark: '#662a17', light: '#cf7a4c' },
  ginger: { base: '#c9693a', dark: '#964420', light: '#ee9c66' },
  'dark-blonde': { base: '#b58a52', dark: '#866135', light: '#dcb981' },
  blonde: { base: '#dcb56e', dark: '#b0853f', light: '#f5dda4' },
} satisfies Record<string, HairColour>

export type HairName = keyof typeof hairNamed

/** Hair that goes with a skin; what is named twice is twice as common. */
export const hairColours: Readonly<Record<Tone, readonly [HairName, ...HairName[]]>> = {
  light: ['dark-brown', 'brown', 'chestnut', 'auburn', 'ginger', 'dark-blonde', 'blonde', 'blonde', 'brown'],
  medium: ['black', 'black', 'dark-brown', 'dark-brown', 'brown'],
  deep: ['black', 'black', 'dark-brown'],
}

export const eyeColours: Readonly<Record<Tone, readonly [string, ...string[]]>> = {
  light: ['#4f7fa8', '#5f8f6a', '#7a5a38', '#6b8790', '#8a6a3a', '#4d6f93'],
  medium: ['#5a3a22', '#6b4526', '#4a2f1e'],
  deep: ['#46291a', '#3a2116', '#5a361f'],
}

export const clothPairs: readonly [ClothPair, ...ClothPair[]] = [
  ['#2f5d7c', '#f3ede2'],
  ['#c9574a', '#f7efe3'],
  ['#e0a63b', '#34495e'],
  ['#4d7a62', '#f0e6d2'],
  ['#7c5c8f', '#f2e4ee'],
  ['#33415c', '#e7c06a'],
  ['#d98c86', '#fff4ea'],
  ['#5fa3a3', '#fdf3df'],
  ['#8c3f4d', '#f1dccb'],
  ['#6f87b5', '#fdfaf4'],
  ['#b8794a', '#f6e9d4'],
  ['#f0e6d6', '#5b7f95'],
]

/** The Riverside Rapids: shirt and trim. */
export const teamColours: ClothPair = ['#12707a', '#f4f6f2']
