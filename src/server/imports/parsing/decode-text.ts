import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

const byteOrderMarks: readonly (readonly [readonly number[], string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** How many bytes are examined to detect the encoding. */
const sampleBytes = 64 * 1024

/** Detects UTF-16 without a byte order mark: in Latin text every second byte is zero. */
const detectUtf16 = (bytes: Buffer): string | null => {
  const sample = bytes.subarray(0, sampleBytes)
  const zeroCounts = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeroCounts[at % 2] = (zeroCounts[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeroCounts
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

/** How plausible a decoded text is. Accented small letters occur anywhere, capitals only at the start of a word. */
const plausibility = (text: string): number => {
  let score = 0
  for (const { 0: letter, index } of text.matchAll(/[^\p{ASCII}]/gu)) {
    const previous = text[index - 1] ?? ''
    const next = text[index + 1] ?? ''
    const isInWord = /[\p{Ll}]/u.test(previous)
    if (/\p{Ll}/u.test(letter)) score += 1
    else if (/\p{Lu}/u.test(letter)) score += isInWord ? -1 : 1
    // Plausible as in O’Brien and Bo’s, but not as in Garc’a.
    else if (/[‘’]/.test(letter)) score += isInWord && /[a-rt-z]/.test(next) ? -1 : 1
    else if (/[“”–—…\s]/.test(letter)) score += isInWord ? 0 : 1
    else score -= 1
  }
  return score
}

/** Of the two single-byte encodings, Windows-1252 and Mac Roman, the one that gives more plausible names. */
const detectSingleByte = (bytes: Buffer): string => {
  const sample = bytes.subarray(0, sampleBytes * 4)
  const [windows, mac] = ['windows-1252', 'macintosh'].map((name) => plausibility(new TextDecoder(name).decode(sample)))
  return (mac ?? 0) > (windows ?? 0) ? 'macintosh' : 'windows-1252'
}

const encodingOf = (bytes: Buffer): string => {
  const [, encoding] = byteOrderMarks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? []
  return encoding ?? detectUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : detectSingleByte(bytes))
}

/** Decodes a text file in UTF-8, UTF-16, Windows-1252 or Mac Roman. Throws `UnreadableFile` if it is not text. */
export const decodeText = (bytes: Buffer): string => new TextDecoder(encodingOf(bytes)).decode(bytes)
