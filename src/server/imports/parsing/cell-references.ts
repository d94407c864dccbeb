import { maxSheetCharacters } from '#domain/imports/spreadsheet.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

/** The longest cell reference is `XFD1048576`; the longest range is two of them with `$` and a colon. */
const maxReferenceLength = 10
const maxRangeLength = 25
const maxRowNumber = 1_048_576

/** Returns a text unchanged. Throws `UnreadableFile` if it is longer than Excel ever writes. */
export const assertLength = (text: string, maxLength: number): string => {
  if (text.length > maxLength) throw new UnreadableFile(unreadableFileMessages.damaged)
  return text
}

type Reference = { readonly column: number; readonly row: number }

const parseReference = (text: string): Reference | undefined => {
  const [, letters, digits] = /^([A-Z]{1,3})([0-9]{1,7})$/i.exec(text) ?? []
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { column: column - 1, row: Number(digits) }
}

/** The column of a cell reference: 0 for `A7`, 27 for `AB7`. Throws `UnreadableFile` on an invalid reference. */
export const columnOf = (reference: string): number => {
  const parsed = parseReference(assertLength(reference, maxReferenceLength))
  if (!parsed) throw new UnreadableFile(unreadableFileMessages.damaged)
  return parsed.column
}

/** A row number. Throws `UnreadableFile` if no sheet has such a row. */
export const rowOf = (text: string): number => {
  const row = Number(assertLength(text, maxReferenceLength))
  if (!Number.isInteger(row) || row < 1 || row > maxRowNumber) throw new UnreadableFile(unreadableFileMessages.damaged)
  return row
}

/** Rows `from` to `to` of a column that one merged cell covers. */
export type Merge = { readonly column: number; readonly from: number; readonly to: number }

/** The merge that a range describes; none if it is within one row or is not a range of cells. */
export const mergesOf = (range: string): Merge[] => {
  const [start = '', end = start] = assertLength(range, maxRangeLength).replaceAll('$', '').split(':')
  const [from, to] = [parseReference(start), parseReference(end)]
  return from && to && to.row > from.row ? [{ column: from.column, from: from.row, to: to.row }] : []
}

/** The limit on merged cells: more than a dozen columns that are merged in every row of the longest list. */
export const maxMergedCells = 1_000_000

/** Index of the first row number that is not below `number` (binary search). */
const lowerBound = (sortedNumbers: readonly number[], number: number): number => {
  let [low, high] = [0, sortedNumbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sortedNumbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Copies the value of a merged cell to each row it covers. Throws `UnreadableFile` above the limits. */
export const fillMerged = (rows: Map<number, string[]>, merges: readonly Merge[]): void => {
  const rowNumbers = [...rows.keys()].sort((a, b) => a - b)
  let remainingCells = maxMergedCells
  let remainingCharacters = maxSheetCharacters
  for (const { column, from, to } of merges) {
    const text = rows.get(from)?.[column] ?? ''
    if (text === '') continue
    const coveredRows = rowNumbers.slice(lowerBound(rowNumbers, from + 1), lowerBound(rowNumbers, to + 1))
    remainingCells -= coveredRows.length
    remainingCharacters -= coveredRows.length * text.length
    if (remainingCells < 0 || remainingCharacters < 0) throw new UnreadableFile(unreadableFileMessages.merged)
    for (const number of coveredRows) {
      const cells = rows.get(number)
      if (cells) cells[column] = text
    }
  }
}
