// Joiners, directional marks and the like: invisible, but often part of pasted text.
const invisible = /[\p{DI}\p{Cc}]/gu

export const stripInvisible = (value: string): string => value.replace(invisible, '')

/** Composes accents with their letters (NFC) and collapses white space. */
export const composeText = (value: string): string => value.normalize('NFC').replace(/\s+/g, ' ')

/** A text as it is printed: composed, and without invisible characters. */
export const printedText = (value: string): string => stripInvisible(composeText(value)).trim()
