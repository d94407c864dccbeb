import { searchKey } from './subject-search.ts'

/** How images are matched with their subject: by a code, by the file's name, or by the check-ins at the shoot. */
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

const singleMatch = (ids: readonly number[]): ImageMatch => {
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
    Array.from({ length: maxNameWords }, (__, extra) => tokens.slice(from, from + extra + 1).join('')),
  )
  return [...new Set(runs)]
}

/** The normalised codes that an image's file name or metadata may contain. */
export const codeCandidates = ({ fileName, words }: ImageMetadata): string[] => {
  const tokens = [...tokensOf(stemOf(fileName)), ...tokensOf(words)]
  return [...new Set(tokens.map((token) => token.toUpperCase()).filter((token) => /^[A-Z0-9]{4,12}$/.test(token)))]
}

/** The subject whose code is a separate word of the file name or the metadata. */
export const matchByCode = (image: ImageMetadata, subjects: readonly MatchableSubject[]): ImageMatch => {
  const words = new Set([...tokensOf(stemOf(image.fileName)), ...tokensOf(image.words)])
  return singleMatch(
    subjects.filter(({ code }) => code !== null && words.has(searchKey(code))).map((subject) => subject.subjectId),
  )
}

const containsSequence = (tokens: readonly string[], sequence: readonly string[]): boolean =>
  sequence.length > 0 && tokens.some((_, start) => sequence.every((token, offset) => tokens[start + offset] === token))

/** How many words of a file's name belong to a subject: the reference, or first and last name in either order. */
const countNameWords = (tokens: readonly string[], subject: MatchableSubject): number => {
  const reference = tokensOf(subject.reference ?? '')
  const [first, last] = [tokensOf(subject.firstName), tokensOf(subject.lastName)]
  const names =
    first.length > 0 && last.length > 0
      ? [
          [...first, ...last],
          [...last, ...first],
        ]
      : []
  // Cameras write file names without spaces: AdaLovelace_2.jpg.
  const joined = names.map((name) => [name.join('')])
  const matchLengths = [reference, ...names]
    .filter((sequence) => containsSequence(tokens, sequence))
    .map(({ length }) => length)
  const joinedLength = joined.some((name) => containsSequence(tokens, name)) ? first.length + last.length : 0
  return Math.max(0, joinedLength, ...matchLengths)
}

/** The subject whose reference or name the file name contains; of several, the one with the most words. */
export const matchByFileName = ({ fileName }: ImageMetadata, subjects: readonly MatchableSubject[]): ImageMatch => {
  const tokens = tokensOf(stemOf(fileName))
  const counted = subjects.map((subject) => ({ subject, count: countNameWords(tokens, subject) }))
  const maxCount = Math.max(0, ...counted.map(({ count }) => count))
  return maxCount === 0
    ? 'unknown'
    : singleMatch(counted.filter(({ count }) => count === maxCount).map(({ subject }) => subject.subjectId))
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
  return singleMatch(checkIns.filter((checkIn) => isWithin(frame, checkIn)).map(({ subjectId }) => subjectId))
}

const hasNotedFrames = ({ firstFrame, lastFrame }: SubjectCheckIn): boolean => firstFrame !== null && lastFrame !== null

/**
 * The subject of the last check-in at each station before that moment, within the age limit. If the first and last
 * frame of that check-in were noted, it matches nothing here: it matches by frame only.
 */
const byTime = (takenAt: number, checkIns: readonly SubjectCheckIn[]): ImageMatch => {
  const latest = new Map<string, SubjectCheckIn>()
  for (const checkIn of checkIns) {
    const { station, checkedInAt } = checkIn
    if (checkedInAt > takenAt || takenAt - checkedInAt > maxCheckInAgeMs) continue
    const previous = latest.get(station)
    if (!previous || previous.checkedInAt <= checkedInAt) latest.set(station, checkIn)
  }
  return singleMatch(
    [...latest.values()].filter((checkIn) => !hasNotedFrames(checkIn)).map(({ subjectId }) => subjectId),
  )
}

/**
 * The subject in front of the camera when an image was taken: by the frames noted at check-in, otherwise by time.
 * `cameraAheadMs` is how many milliseconds the camera's clock is fast (negative: slow). Unclear if two stations had a
 * subject at the time.
 */
export const matchByCheckIn = (
  image: ImageMetadata,
  checkIns: readonly SubjectCheckIn[],
  cameraAheadMs = 0,
): ImageMatch => {
  const byNotedFrame = byFrame(image.fileName, checkIns)
  if (byNotedFrame !== 'unknown') return byNotedFrame
  return image.takenAt === null ? 'unknown' : byTime(image.takenAt - cameraAheadMs, checkIns)
}

/** Shorter names occur in too many file names by chance. */
const minGroupNameLength = 3

/** The group whose name the file name contains; of several, the one with the most words. Null for none or a tie. */
export const matchGroup = (fileName: string, groups: readonly { groupId: number; name: string }[]): number | null => {
  const tokens = tokensOf(stemOf(fileName))
  const matchingGroups = groups
    .map(({ groupId, name }) => ({ groupId, words: tokensOf(name) }))
    .filter(({ words }) => words.join('').length >= minGroupNameLength && containsSequence(tokens, words))
  const maxWords = Math.max(0, ...matchingGroups.map(({ words }) => words.length))
  const [match, ...others] = matchingGroups.filter(({ words }) => words.length === maxWords)
  return match && others.length === 0 ? match.groupId : null
}
