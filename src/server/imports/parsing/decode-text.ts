import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

const marks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** So many bytes tell how the rest is written. */
const sampleBytes = 64 * 1024

/** UTF-16 without a mark: of Latin letters every second byte is nothing. */
const unmarked = (bytes: Buffer): string | null => {
  const sample = bytes.subarray(0, sampleBytes)
  const nothings = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) nothings[at % 2] = (nothings[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = nothings
  if (even + odd === 0) return null
  if (odd > sample.length * 0.2 && even < odd / 10) return 'utf-16le'
  if (even > sample.length * 0.2 && odd < even / 10) return 'utf-16be'
  throw new UnreadableFile(unreadableFileMessages.unknown)
}

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** How much a text looks as people write: accents are small letters within words, capitals stand at their start. */
const plausibility = (text: string): number => {
  let sum = 0
  for (const { 0: letter, index } of text.matchAll(/[^\p{ASCII}]/gu)) {
    const before = text[index - 1] ?? ''
    const after = text[index + 1] ?? ''
    const isInWord = /[\p{Ll}]/u.test(before)
    if (/\p{Ll}/u.test(letter)) sum += 1
    else if (/\p{Lu}/u.test(letter)) sum += isInWord ? -1 : 1
    // O’Brien, Bo’s; but no Garc’a.
    else if (/[‘’]/.test(letter)) sum += isInWord && /[a-rt-z]/.test(after) ? -1 : 1
    else if (/[“”–—…\s]/.test(letter)) sum += isInWord ? 0 : 1
    else sum -= 1
  }
  return sum
}

/** Of the two ways in which one byte was a letter, Windows’ and the old Macintosh’s, the one in which the names make sense. */
const oneByte = (bytes: Buffer): string => {
  const sample = bytes.subarray(0, sampleBytes * 4)
  const [windows, mac] = ['windows-1252', 'macintosh'].map((name) => plausibility(new TextDecoder(name).decode(sample)))
  return (mac ?? 0) > (windows ?? 0) ? 'macintosh' : 'windows-1252'
}

const encodingOf = (bytes: Buffer): string => {
  const [, marked] = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? []
  return marked ?? unmarked(bytes) ?? (isUtf8(bytes) ? 'utf-8' : oneByte(bytes))
}

/** A text file’s content, however it is written: UTF-8, UTF-16, Windows-1252 or Mac Roman. Throws `RefusedFile` on what is no text. */
export const decodeText = (bytes: Buffer): string => new TextDecoder(encodingOf(bytes)).decode(bytes)
