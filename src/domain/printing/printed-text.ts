// Joiners, marks of direction and the like: they show nothing, but paste well.
const unseen = /[\p{DI}\p{Cc}]/gu

export const stripInvisible = (value: string): string => value.replace(unseen, '')

/** Accents composed with their letters, one space between words. */
export const composeText = (value: string): string => value.normalize('NFC').replace(/\s+/g, ' ')

/** A text as a print draws it: composed, and nothing unseen. */
export const printedText = (value: string): string => stripInvisible(composeText(value)).trim()
