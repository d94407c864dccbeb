import { lackingSentence } from '#domain/printing/printable-letters.ts'

/** Why a text that only the studio writes is not taken from a customer. */
export const textFixed = 'This text of the package cannot be changed'

/** Why a text is not taken: what is drawn is what prints, and these letters would be missing. */
export const lettersSentence = (lacking: readonly string[]): string =>
  `${lackingSentence(lacking)}. Please write it without`
