import { baseLetters } from '../subjects/subject-search.ts'
import type { ExportValues } from './export-fields.ts'

/** The placeholders of a name pattern. `number` counts the files of the export; `imageNumber` is unique in the studio. */
export const namePlaceholders = [
  'number',
  'imageNumber',
  'firstName',
  'lastName',
  'studentId',
  'grade',
  'homeroom',
  'teacher',
  'group',
] as const
type Placeholder = (typeof namePlaceholders)[number]

const isPlaceholder = (name: string): name is Placeholder =>
  namePlaceholders.some((placeholder) => placeholder === name)

const placeholderPattern = /\{([^{}]*)\}/g
const maxPatternLength = 100

/** The errors of a name pattern. */
export const patternErrors = (pattern: string): string[] => {
  const names = [...pattern.matchAll(placeholderPattern)].map(([, name = '']) => name)
  const unknown = names.find((name) => !isPlaceholder(name))
  if (unknown !== undefined) return [`{${unknown}} is not a placeholder`]
  if (pattern.length > maxPatternLength) return [`Use up to ${maxPatternLength} characters`]
  return names.length === 0 ? ['Use at least one placeholder, such as {lastName}'] : []
}

/**
 * The letters, digits, `-` and `_` of a text, with accents removed: CDs, Windows, macOS and Linux all store them without
 * a change, and compare them alike. Other characters become `-`.
 */
const plainText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðłıþ]/giu, (letter) => baseLetters[letter.toLowerCase()] ?? '-')
    .split(/[^A-Za-z0-9_]+/)
    .filter((part) => part !== '')
    .join('-')

/** The maximum length of the name of an export’s folder: that of a CD’s volume name. */
export const maxVolumeLength = 32

/** The suggested name of an export's folder: a school's name in capital letters and digits, as on the CDs of publishers. */
export const volumeFromName = (name: string): string => {
  const words = plainText(name).toUpperCase().split(/[-_]+/)
  return words.join('_').slice(0, maxVolumeLength).replace(/^_|_$/g, '') || 'PORTRAITS'
}

/** Device names, which Windows refuses with any ending. */
const reservedName = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** Short enough for every file system and for the paths of Windows. */
const maxStemLength = 64

/** A file to name: the image and the values of its subject. */
export type NamedFile = { readonly imageId: number; readonly values: ExportValues }

const imageNumberDigits = 8

const stemOf = (pattern: string, { imageId, values }: NamedFile, number: string): string => {
  const imageNumber = String(imageId).padStart(imageNumberDigits, '0')
  const texts: Record<Placeholder, string> = { ...values, number, imageNumber }
  const filled = pattern.replace(placeholderPattern, (_, name: string) =>
    isPlaceholder(name) ? plainText(texts[name]) : '',
  )
  const stem = plainText(plainText(filled).slice(0, maxStemLength))
  if (stem === '') return number
  return reservedName.test(stem) ? `${stem}_` : stem
}

/**
 * The file names of an export, in the order of its subjects. They are valid and unique on every file system, regardless
 * of case: a second `Smith-Ada.jpg` becomes `Smith-Ada_2.jpg`. A name without any usable character is a number.
 */
export const exportFileNames = (pattern: string, files: readonly NamedFile[]): string[] => {
  const digits = Math.max(4, String(files.length).length)
  const takenNames = new Set<string>()
  const copies = new Map<string, number>()
  return files.map((file, index) => {
    const stem = stemOf(pattern, file, String(index + 1).padStart(digits, '0'))
    const key = stem.toLowerCase()
    let copy = copies.get(key) ?? 1
    let uniqueStem = copy === 1 ? stem : `${stem}_${copy}`
    while (takenNames.has(uniqueStem.toLowerCase())) {
      copy += 1
      uniqueStem = `${stem}_${copy}`
    }
    copies.set(key, copy + 1)
    takenNames.add(uniqueStem.toLowerCase())
    return `${uniqueStem}.jpg`
  })
}
