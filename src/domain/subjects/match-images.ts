import { searchKey } from './subject-search.ts'

/** How pictures find their person (section 8 of the decisions): by a code, by the file's name, or by the order of shooting. */
export const matchMethods = ['code', 'fileName', 'shooting'] as const
export type MatchMethod = (typeof matchMethods)[number]

/** A person as files are named after them. */
export type MatchableSubject = {
  readonly subjectId: number
  readonly code: string | null
  readonly reference: string | null
  readonly firstName: string
  readonly lastName: string
}

/** What a picture tells of itself. */
export type ImageMetadata = {
  readonly fileName: string
  /** What its metadata says in words: title, comment, keywords. */
  readonly words: string
  /** The moment it was taken, in milliseconds; null where the camera wrote none. */
  readonly takenAt: number | null
}

/** A person before a camera, with the frames that were noted, if any were. */
export type SubjectCheckIn = {
  readonly subjectId: number
  readonly station: string
  readonly firstFrame: string | null
  readonly lastFrame: string | null
  readonly checkedInAt: number
}

/** Whose picture it is; `unknown` where it says nothing, `unclear` where it fits several. */
export type ImageMatch = { readonly subjectId: number } | 'unknown' | 'unclear'

/** After so many milliseconds a picture belongs to nobody who was checked in before. */
export const maxCheckInAgeMs = 30 * 60_000

const stemOf = (fileName: string): string => fileName.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')

/** What stands between blanks, dashes, underlines and the like, as names are compared. */
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

/** Names have so many words at the most that a file's name is searched for. */
const maxNameWords = 6

/** What a file's name could name somebody by: its words, and those that follow each other as one. */
export const nameCandidates = (fileName: string): string[] => {
  const tokens = tokensOf(stemOf(fileName))
  const runs = tokens.flatMap((_, from) =>
    Array.from({ length: maxNameWords }, (__, more) => tokens.slice(from, from + more + 1).join('')),
  )
  return [...new Set(runs)]
}

/** The codes that a picture's name or metadata could hold, as codes are kept. */
export const codeCandidates = ({ fileName, words }: ImageMetadata): string[] => {
  const tokens = [...tokensOf(stemOf(fileName)), ...tokensOf(words)]
  return [...new Set(tokens.map((token) => token.toUpperCase()).filter((token) => /^[A-Z0-9]{4,12}$/.test(token)))]
}

/** The person whose code stands in the file's name or in its metadata, as a word of its own. */
export const matchByCode = (shot: ImageMetadata, people: readonly MatchableSubject[]): ImageMatch => {
  const words = new Set([...tokensOf(stemOf(shot.fileName)), ...tokensOf(shot.words)])
  return only(people.filter(({ code }) => code !== null && words.has(searchKey(code))).map((one) => one.subjectId))
}

const holdsInARow = (tokens: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length > 0 && tokens.some((_, at) => wanted.every((token, n) => tokens[at + n] === token))

/** How many words of a file's name are a person's: their reference, or first and last name in either order. */
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
  // A camera writes its frames without blanks: AdaLovelace_2.jpg.
  const joined = names.map((name) => [name.join('')])
  const found = [reference, ...names].filter((wanted) => holdsInARow(tokens, wanted)).map(({ length }) => length)
  const run = joined.some((wanted) => holdsInARow(tokens, wanted)) ? first.length + last.length : 0
  return Math.max(0, run, ...found)
}

/** The person whose reference or name the file carries; where it holds several, the one of whom it holds the most. */
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

const byFrame = (fileName: string, sittings: readonly SubjectCheckIn[]): ImageMatch => {
  const frame = frameOf(fileName)
  if (!frame) return 'unknown'
  return only(sittings.filter((sitting) => isWithin(frame, sitting)).map(({ subjectId }) => subjectId))
}

const areNoted = ({ firstFrame, lastFrame }: SubjectCheckIn): boolean => firstFrame !== null && lastFrame !== null

/** Who sat at each station at that moment: the last one checked in there, if that is not too long ago. Noted frames take no others. */
const byTime = (takenAt: number, sittings: readonly SubjectCheckIn[]): ImageMatch => {
  const latest = new Map<string, SubjectCheckIn>()
  for (const sitting of sittings) {
    const { station, checkedInAt } = sitting
    if (checkedInAt > takenAt || takenAt - checkedInAt > maxCheckInAgeMs) continue
    const known = latest.get(station)
    if (!known || known.checkedInAt <= checkedInAt) latest.set(station, sitting)
  }
  return only([...latest.values()].filter((sitting) => !areNoted(sitting)).map(({ subjectId }) => subjectId))
}

/**
 * The person who sat when a picture was taken: by the frames that were noted at the check-in, else by the clock. `ahead` says by how
 * many milliseconds the camera's clock was fast (below nothing: slow). Where two stations had somebody at once it is unclear.
 */
export const matchByCheckIn = (shot: ImageMetadata, sittings: readonly SubjectCheckIn[], ahead = 0): ImageMatch => {
  const noted = byFrame(shot.fileName, sittings)
  if (noted !== 'unknown') return noted
  return shot.takenAt === null ? 'unknown' : byTime(shot.takenAt - ahead, sittings)
}

/** A name of fewer letters and digits is in too many files' names by chance. */
const minGroupNameLength = 3

/** The group whose name a file carries, the longest of several; null for none or two alike. */
export const matchGroup = (fileName: string, groups: readonly { groupId: number; name: string }[]): number | null => {
  const tokens = tokensOf(stemOf(fileName))
  const fitting = groups
    .map(({ groupId, name }) => ({ groupId, words: tokensOf(name) }))
    .filter(({ words }) => words.join('').length >= minGroupNameLength && holdsInARow(tokens, words))
  const most = Math.max(0, ...fitting.map(({ words }) => words.length))
  const [found, ...others] = fitting.filter(({ words }) => words.length === most)
  return found && others.length === 0 ? found.groupId : null
}
