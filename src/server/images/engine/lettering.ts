/** A glyph of pen strokes: its width and the pen's path, in a box 100 high (0 is the top, 100 the baseline). */
type Glyph = readonly [width: number, path: string]

/**
 * Capitals, digits and some punctuation as pen strokes. Text in an SVG is drawn with the fonts of the machine, and a server may have none;
 * strokes look the same everywhere.
 */
const glyphs: Readonly<Record<string, Glyph>> = {
  A: [80, 'M0 100 40 0 80 100M14 66H66'],
  B: [66, 'M0 0V100H38a28 28 0 0 0 0-56H0M0 0H34a22 22 0 0 1 0 44'],
  C: [80, 'M78 20A46 50 0 1 0 78 80'],
  D: [78, 'M0 0V100H28a50 50 0 0 0 0-100Z'],
  E: [56, 'M54 0H0V100H56M0 48H46'],
  F: [54, 'M54 0H0V100M0 48H44'],
  G: [84, 'M78 20A46 50 0 1 0 82 76V54H50'],
  H: [72, 'M0 0V100M72 0V100M0 48H72'],
  I: [0, 'M0 0V100'],
  J: [46, 'M46 0V74a23 26 0 0 1-46 0'],
  K: [66, 'M0 0V100M62 0 0 60M22 39 66 100'],
  L: [52, 'M0 0V100H52'],
  M: [92, 'M0 100V0L46 66 92 0V100'],
  N: [74, 'M0 100V0L74 100V0'],
  O: [96, 'M48 0a48 50 0 1 0 0 100a48 50 0 1 0 0-100Z'],
  P: [62, 'M0 100V0H34a28 28 0 0 1 0 56H0'],
  Q: [96, 'M48 0a48 50 0 1 0 0 100a48 50 0 1 0 0-100ZM60 72 92 106'],
  R: [64, 'M0 100V0H34a28 28 0 0 1 0 56H0M34 56 64 100'],
  S: [60, 'M56 18C50 6 40 0 29 0 13 0 3 10 3 25 3 56 59 43 59 74 59 90 46 100 30 100 16 100 5 93 0 80'],
  T: [70, 'M0 0H70M35 0V100'],
  U: [72, 'M0 0V64a36 36 0 0 0 72 0V0'],
  V: [78, 'M0 0 39 100 78 0'],
  W: [112, 'M0 0 28 100 56 12 84 100 112 0'],
  X: [70, 'M0 0 70 100M70 0 0 100'],
  Y: [72, 'M0 0 36 50 72 0M36 50V100'],
  Z: [66, 'M0 0H66L0 100H66'],
  0: [68, 'M34 0a34 50 0 1 0 0 100a34 50 0 1 0 0-100Z'],
  1: [28, 'M0 18 28 0V100'],
  2: [62, 'M2 28A30 28 0 1 1 54 46L0 100H62'],
  3: [58, 'M4 15C10 5 19 0 29 0a25 24 0 0 1 0 48H22M29 48a27 26 0 0 1 0 52C16 100 6 94 0 82'],
  4: [70, 'M50 100V0L0 70H70'],
  5: [60, 'M54 0H10L5 44C13 37 21 34 29 34a32 33 0 0 1 0 66C16 100 6 94 0 84'],
  6: [64, 'M52 0C20 20 0 44 0 68a32 32 0 0 0 64 0a32 32 0 0 0-64 0'],
  7: [62, 'M0 0H62L22 100'],
  8: [58, 'M29 46a23 23 0 1 1 0-46a23 23 0 1 1 0 46a29 27 0 1 0 0 54a29 27 0 1 0 0-54'],
  9: [64, 'M12 100C44 80 64 56 64 32a32 32 0 0 0-64 0a32 32 0 0 0 64 0'],
  '&': [74, 'M74 100 16 34C4 20 12 0 30 0 48 0 54 20 40 32L18 48C-6 66 4 100 32 100 54 100 68 84 72 60'],
  "'": [0, 'M0 0V22'],
  '.': [0, 'M0 98V100'],
  '-': [34, 'M0 54H34'],
  '·': [0, 'M0 50V52'],
  ' ': [34, ''],
}

const unaccented: Readonly<Record<string, string>> = {
  Æ: 'AE',
  Ø: 'O',
  Œ: 'OE',
  Ł: 'L',
  Đ: 'D',
  ẞ: 'SS',
  '’': "'",
  '–': '-',
}

const SPACING = 30

const drawableCharacters = (text: string): string[] =>
  [...text.toUpperCase()]
    .flatMap((letter) => [...(unaccented[letter] ?? letter.normalize('NFD'))])
    .filter((letter) => letter in glyphs)

/** A line of text as one path with capitals 100 high, and its width; accents and unknown letters are left out. */
export const letteringPath = (text: string): { path: string; width: number } => {
  let offset = 0
  const paths: string[] = []
  for (const character of drawableCharacters(text)) {
    const [width, path] = glyphs[character] ?? [0, '']
    if (path !== '') paths.push(shiftRight(path, offset))
    offset += width + SPACING
  }
  return { path: paths.join(''), width: Math.max(0, offset - SPACING) }
}

/** Moves a glyph to the right. Each stroke begins with an absolute M; all commands except `a` use absolute coordinates. */
const shiftRight = (path: string, distance: number): string =>
  path.replace(/([MLHVCAaZ])([^MLHVCAaZ]*)/g, (_, command: string, numbers: string) => {
    const values = numbers.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? []
    const shifted = values.map((value, index) => (isAbsoluteX(command, index) ? value + distance : value))
    return `${command}${shifted.join(' ')}`
  })

const isAbsoluteX = (command: string, index: number): boolean => {
  if (command === 'H') return true
  if (command === 'A') return index % 7 === 5
  return 'MLC'.includes(command) && index % 2 === 0
}
