import { maxSheetCharacters } from '#domain/imports/spreadsheet.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

/** The longest cell is `XFD1048576`, the longest range two of them with `$` and a colon. */
const mostReference = 10
const mostRange = 25
const mostSheetRows = 1_048_576

/** A value of the file as it is. Throws `RefusedFile` on one that is longer than any Excel writes. */
export const capped = (value: string, most: number): string => {
  if (value.length > most) throw new UnreadableFile(unreadableFileMessages.damaged)
  return value
}

type Reference = { readonly column: number; readonly row: number }

const parseReference = (text: string): Reference | undefined => {
  const [, letters, digits] = /^([A-Z]{1,3})([0-9]{1,7})$/i.exec(text) ?? []
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { column: column - 1, row: Number(digits) }
}

/** 0 for `A7`, 27 for `AB7`. Throws `RefusedFile` on what is no cell of any sheet. */
export const columnOf = (reference: string): number => {
  const found = parseReference(capped(reference, mostReference))
  if (!found) throw new UnreadableFile(unreadableFileMessages.damaged)
  return found.column
}

/** The number of a row. Throws `RefusedFile` on one that no sheet has. */
export const rowOf = (text: string): number => {
  const row = Number(capped(text, mostReference))
  if (!Number.isInteger(row) || row < 1 || row > mostSheetRows) throw new UnreadableFile(unreadableFileMessages.damaged)
  return row
}

export type Merge = { readonly column: number; readonly from: number; readonly to: number }

/** The merge of a range over several rows; none where it lies within one row, or is no range of cells. */
export const mergesOf = (range: string): Merge[] => {
  const [start = '', end = start] = capped(range, mostRange).replaceAll('$', '').split(':')
  const [from, to] = [parseReference(start), parseReference(end)]
  return from && to && to.row > from.row ? [{ column: from.column, from: from.row, to: to.row }] : []
}

/** A dozen columns merged over each of the rows of the longest list, and more than anybody merges by hand. */
export const maxMergedCells = 1_000_000

/** The place of the first row of these whose number is not below another. */
const placeFrom = (sorted: readonly number[], number: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** What stands once over several rows belongs to each of them. Throws `RefusedFile` on more of that than any list has. */
export const fillMerged = (rows: Map<number, string[]>, merges: readonly Merge[]): void => {
  const sorted = [...rows.keys()].sort((one, other) => one - other)
  let left = maxMergedCells
  let letters = maxSheetCharacters
  for (const { column, from, to } of merges) {
    const text = rows.get(from)?.[column] ?? ''
    if (text === '') continue
    const covered = sorted.slice(placeFrom(sorted, from + 1), placeFrom(sorted, to + 1))
    left -= covered.length
    letters -= covered.length * text.length
    if (left < 0 || letters < 0) throw new UnreadableFile(unreadableFileMessages.merged)
    for (const number of covered) {
      const cells = rows.get(number)
      if (cells) cells[column] = text
    }
  }
}
