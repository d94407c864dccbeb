import { unprintableMessage } from '#domain/printing/printable-letters.ts'

/** The message for a text that only the studio may write. */
export const fixedTextMessage = 'This text of the package can’t be changed'

/** The message for a text with letters that the print font lacks. */
export const unprintableLettersMessage = (letters: readonly string[]): string =>
  `${unprintableMessage(letters)}. Please write it without`
