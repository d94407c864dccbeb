import { unprintableMessage } from '#domain/printing/printable-letters.ts'

/** Why a text that only the studio writes is not taken from a customer. */
export const fixedTextMessage = 'This text of the package cannot be changed'

/** Why a text is not taken: what is drawn is what prints, and these letters would be missing. */
export const unprintableLettersMessage = (lacking: readonly string[]): string =>
  `${unprintableMessage(lacking)}. Please write it without`
