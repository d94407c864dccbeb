import { unprintableMessage } from '#domain/printing/printable-letters.ts'

/** The message for a text that only the studio may write. */
export const fixedTextMessage = 'This text of the package cannot be changed'

/** The message for a text with letters that the print font lacks. */
export const unprintableLettersMessage = (lacking: readonly string[]): string =>
  `${unprintableMessage(lacking)}. Please write it without`
