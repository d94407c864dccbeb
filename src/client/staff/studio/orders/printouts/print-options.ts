/** Paper sizes. Each has a named page in the style sheet. */
export const paperSizes = [
  { value: 'letter', label: 'Letter' },
  { value: 'a4', label: 'A4' },
] as const
export type PaperSize = (typeof paperSizes)[number]['value']

/** Numbers of cards per sheet. */
export const cardsPerSheetOptions = [
  { value: '10', label: '10 on a sheet' },
  { value: '4', label: '4 on a sheet' },
] as const
export type CardsPerSheet = (typeof cardsPerSheetOptions)[number]['value']

/** Splits a list into chunks of at most `most` items. */
export const splitIntoChunks = <Item>(all: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
