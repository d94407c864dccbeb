import { searchKey } from './subject-search.ts'

/**
 * How images are matched with their subject (section 8 of the decisions): by a code, by the file's name, or by the
 * order of shooting.
 */
export const matchMethods = ['code', 'fileName', 'shooting'] as const
export type MatchMethod = (typeof matchMethods)[number]

/** The subject's data that file names contain. */
export type MatchableSubject = {
  readonly subjectId: number
  readonly code: string | null
  readonly reference: string | null
  readonly firstName: string
  readonly lastName: string
}

/** An image's data for matching. */
export type ImageMetadata = {
  readonly fileName: string
  /** Text of the metadata: title, comment, keywords. */
  readonly words: string
  /** When the image was taken, in milliseconds; null if the camera did not record it. */
  readonly takenAt: number | null
}

/** A subject's check-in at a camera station, with the frame numbers if they were noted. */
export type SubjectCheckIn = {
  readonly subjectId: number
  readonly station: string
  readonly firstFrame: string | null
  readonly lastFrame: string | null
  readonly checkedInAt: number
}

/** The subject of an image; `unknown` if nothing matches, `unclear` if several subjects do. */
export type ImageMatch = { readonly subjectId: number } | 'unknown' | 'unclear'

/** Milliseconds after which images no longer belong to the last check-in. */
export const maxCheckInAgeMs = 30 * 60_000

const stemOf = (fileName: string): string => fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')

/** Splits text at spaces, dashes, underscores and the like, into keys for the comparison of names. */
const tokensOf = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{M}\p{N}'’]+/u)
    .map(searchKey)
    .filter((token) => token !== '')

const only = (ids: readonly number[]): ImageMatch => {
  const [first, ...others] = new Set(ids)
  if (first === undefined) return 'unknown'
  return others.length === 0 ? { subjectId: first } : 'unclear'
}

/** Maximum number of words of a name that is searched for in a file's name. */
const maxNameWords = 6

/** Keys that may be a name in a file's name: its words, and consecutive words joined. */
export const nameCandidates = (fileName: string): string[] => {
  const tokens = tokensOf(stemOf(fileName))
  const runs = tokens.flatMap((_, from) =>
    Array.from({ length: maxNameWords }, (__, more) => tokens.slice(from, from + more + 1).join('')),
  )
  return [...new Set(runs)]
}

/** The normalised codes that an image's file name or metadata may contain. */
export const codeCandidates = ({ fileName, words }: ImageMetadata): string[] => {
  const tokens = [...tokensOf(stemOf(fileName)), ...tokensOf(words)]
  return [...new Set(tokens.map((token) => token.toUpperCase()).filter((token) => /^[A-Z0-9]{4,12}$/.test(token)))]
}

/** The subject whose code is a separate word of the file name or the metadata. */
export const matchByCode = (image: ImageMetadata, people: readonly MatchableSubject[]): ImageMatch => {
  const words = new Set([...tokensOf(stemOf(image.fileName)), ...tokensOf(image.words)])
  return only(people.filter(({ code }) => code !== null && words.has(searchKey(code))).map((one) => one.subjectId))
}

const holdsInARow = (tokens: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length > 0 && tokens.some((_, at) => wanted.every((token, n) => tokens[at + n] === token))

/** How many words of a file's name belong to a subject: the reference, or first and last name in either order. */
const wordsOf = (tokens: readonly string[], person: MatchableSubject): number => {
  const reference = tokensOf(person.reference ?? '')
  const [first, last] = [tokensOf(person.firstName), tokensOf(person.lastName)]
  const names =
    first.length > 0 && last.length > 0
      ? [
          [...first, ...last],
          [...last, ...first],
        ]
      : []
  // Cameras write file names without spaces: AdaLovelace_2.jpg.
  const joined = names.map((name) => [name.join('')])
  const found = [reference, ...names].filter((wanted) => holdsInARow(tokens, wanted)).map(({ length }) => length)
  const run = joined.some((wanted) => holdsInARow(tokens, wanted)) ? first.length + last.length : 0
  return Math.max(0, run, ...found)
}

/** The subject whose reference or name the file name contains; of several, the one with the most words. */
export const matchByFileName = ({ fileName }: ImageMetadata, people: readonly MatchableSubject[]): ImageMatch => {
  const tokens = tokensOf(stemOf(fileName))
  const counted = people.map((person) => ({ person, count: wordsOf(tokens, person) }))
  const most = Math.max(0, ...counted.map(({ count }) => count))
  return most === 0 ? 'unknown' : only(counted.filter(({ count }) => count === most).map((one) => one.person.subjectId))
}

type Frame = { readonly prefix: string; readonly number: number }

/** `IMG_0123` and `0123` are frame 123 of a camera. */
const frameOf = (name: string): Frame | null => {
  const [, prefix = '', digits] = /^(.*?)(\d{1,9})$/.exec(stemOf(name).trim()) ?? []
  return digits === undefined ? null : { prefix: searchKey(prefix), number: Number(digits) }
}

const isWithin = (frame: Frame, { firstFrame, lastFrame }: SubjectCheckIn): boolean => {
  const first = frameOf(firstFrame ?? lastFrame ?? '')
  const last = frameOf(lastFrame ?? firstFrame ?? '')
  if (!first || !last) return false
  const isOfCamera = first.prefix === '' || first.prefix === frame.prefix
  return isOfCamera && frame.number >= first.number && frame.number <= last.number
}

const byFrame = (fileName: string, checkIns: readonly SubjectCheckIn[]): ImageMatch => {
  const frame = frameOf(fileName)
  if (!frame) return 'unknown'
  return only(checkIns.filter((checkIn) => isWithin(frame, checkIn)).map(({ subjectId }) => subjectId))
}

const areNoted = ({ firstFrame, lastFrame }: SubjectCheckIn): boolean => firstFrame !== null && lastFrame !== null

/**
 * The last subject checked in at each station before that moment, within the age limit. Check-ins with noted frames are
 * skipped: they match by frame only.
 */
const byTime = (takenAt: number, checkIns: readonly SubjectCheckIn[]): ImageMatch => {
  const latest = new Map<string, SubjectCheckIn>()
  for (const checkIn of checkIns) {
    const { station, checkedInAt } = checkIn
    if (checkedInAt > takenAt || takenAt - checkedInAt > maxCheckInAgeMs) continue
    const known = latest.get(station)
    if (!known || known.checkedInAt <= checkedInAt) latest.set(station, checkIn)
  }
  return only([...latest.values()].filter((checkIn) => !areNoted(checkIn)).map(({ subjectId }) => subjectId))
}

/**
 * The subject in front of the camera when an image was taken: by the frames noted at check-in, otherwise by time.
 * `ahead` is how many milliseconds the camera's clock is fast (negative: slow). Unclear if two stations had a subject
 * at the time.
 */
export const matchByCheckIn = (image: ImageMetadata, checkIns: readonly SubjectCheckIn[], ahead = 0): ImageMatch => {
  const noted = byFrame(image.fileName, checkIns)
  if (noted !== 'unknown') return noted
  return image.takenAt === null ? 'unknown' : byTime(image.takenAt - ahead, checkIns)
}

/** Shorter names occur in too many file names by chance. */
const minGroupNameLength = 3

/** The group whose name the file name contains, the longest of several; null for none or a tie. */
export const matchGroup = (fileName: string, groups: readonly { groupId: number; name: string }[]): number | null => {
  const tokens = tokensOf(stemOf(fileName))
  const fitting = groups
    .map(({ groupId, name }) => ({ groupId, words: tokensOf(name) }))
    .filter(({ words }) => words.join('').length >= minGroupNameLength && holdsInARow(tokens, words))
  const most = Math.max(0, ...fitting.map(({ words }) => words.length))
  const [found, ...others] = fitting.filter(({ words }) => words.length === most)
  return found && others.length === 0 ? found.groupId : null
}
