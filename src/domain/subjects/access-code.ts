// Without 0 O 1 I L, which look alike on paper.
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const length = 8

/** Makes a job's or subject's code of eight characters from eight random 32-bit integers. Throws on fewer. */
export const accessCodeFrom = (randomNumbers: ArrayLike<number>): string => {
  if (randomNumbers.length < length) throw new RangeError(`An access code takes ${length} random numbers`)
  return Array.from({ length }, (_, index) => alphabet[(randomNumbers[index] ?? 0) % alphabet.length]).join('')
}

/** Normalises a typed code for storage and comparison: upper case, without spaces and dashes. */
export const normaliseAccessCode = (typed: string): string => typed.toUpperCase().replace(/[\s\-–—]/g, '')

/** Whether a normalised code is one that staff may set: 4 to 12 letters and digits. */
export const isAccessCode = (code: string): boolean => /^[A-Z0-9]{4,12}$/.test(code)
