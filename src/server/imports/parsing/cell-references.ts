import { maxSheetCharacters } from '#domain/imports/spreadsheet.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

/** The longest cell reference is `XFD1048576`; the longest range is two of them with `$` and a colon. */
const maxReferenceLength = 10
const maxRangeLength = 25
const maxRowNumber = 1_048_576

/** Returns the value unchanged. Throws `UnreadableFile` if it is longer than Excel ever writes. */
export const capped = (value: string, maxLength: number): string => {
  if (value.length > maxLength) throw new UnreadableFile(unreadableFileMessages.damaged)
  return value
}

type Reference = { readonly column: number; readonly row: number }

const parseReference = (text: string): Reference | undefined => {
  const [, charactersLeft, digits] = /^([A-Z]{1,3})([0-9]{1,7})$/i.exec(text) ?? []
  if (charactersLeft === undefined) return undefined
  let column = 0
  for (const letter of charactersLeft.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { column: column - 1, row: Number(digits) }
}

/** The column of a cell reference: 0 for `A7`, 27 for `AB7`. Throws `UnreadableFile` on an invalid reference. */
export const columnOf = (reference: string): number => {
  const parsed = parseReference(capped(reference, maxReferenceLength))
  if (!parsed) throw new UnreadableFile(unreadableFileMessages.damaged)
  return parsed.column
}

/** A row number. Throws `UnreadableFile` if no sheet has such a row. */
export const rowOf = (text: string): number => {
  const row = Number(capped(text, maxReferenceLength))
  if (!Number.isInteger(row) || row < 1 || row > maxRowNumber) throw new UnreadableFile(unreadableFileMessages.damaged)
  return row
}

export type Merge = { readonly column: number; readonly from: number; readonly to: number }

/** The merge of a range that spans several rows; none if it is within one row or is not a range of cells. */
export const mergesOf = (range: string): Merge[] => {
  const [start = '', end = start] = capped(range, maxRangeLength).replaceAll('$', '').split(':')
  const [from, to] = [parseReference(start), parseReference(end)]
  return from && to && to.row > from.row ? [{ column: from.column, from: from.row, to: to.row }] : []
}

/** A dozen columns merged across every row of the longest list; more than anyone merges by hand. */
export const maxMergedCells = 1_000_000

/** Index of the first row number that is not below `number` (binary search). */
const lowerBound = (sorted: readonly number[], number: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Copies the value of a merged cell to each row it covers. Throws `UnreadableFile` above the limits. */
export const fillMerged = (rows: Map<number, string[]>, merges: readonly Merge[]): void => {
  const sorted = [...rows.keys()].sort((one, other) => one - other)
  let cellsLeft = maxMergedCells
  let charactersLeft = maxSheetCharacters
  for (const { column, from, to } of merges) {
    const text = rows.get(from)?.[column] ?? ''
    if (text === '') continue
    const covered = sorted.slice(lowerBound(sorted, from + 1), lowerBound(sorted, to + 1))
    cellsLeft -= covered.length
    charactersLeft -= covered.length * text.length
    if (cellsLeft < 0 || charactersLeft < 0) throw new UnreadableFile(unreadableFileMessages.merged)
    for (const number of covered) {
      const cells = rows.get(number)
      if (cells) cells[column] = text
    }
  }
}
