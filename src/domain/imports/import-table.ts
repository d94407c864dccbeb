import { headingKey, type ImportColumn, isKnownHeading } from './import-columns.ts'
import { columnLetters, type SheetRow } from './spreadsheet.ts'

/** A row below the headings: its number in the sheet and, if it is not a subject, the reason. */
export type ImportTableRow = {
  readonly number: number
  readonly cells: readonly string[]
  readonly skipReason: string | null
}

export type ImportTable = {
  /** The number of the heading row; 0 if there is none. */
  readonly headerRow: number
  readonly columns: readonly ImportColumn[]
  readonly rows: readonly ImportTableRow[]
}

/** Headings can come after titles, dates and addresses, but not further down. */
const maxHeaderRow = 30
const maxSamples = 5
/** Long enough to recognise a cell or read a heading. */
const maxSampleLength = 200

const filledCells = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '')

/** How many cells of a row are known headings. */
const countKnownHeadings = ({ cells }: SheetRow): number =>
  cells.filter((cell) => isKnownHeading(cell.slice(0, maxSampleLength))).length

const isWordsOnly = ({ cells }: SheetRow): boolean => {
  const filled = filledCells(cells)
  return new Set(filled.map(headingKey)).size === filled.length && filled.every((cell) => !/\d/.test(cell))
}

/** A row without digits above rows with digits is likely the heading row, in any language. */
const looksLikeHeadings = (row: SheetRow, below: readonly SheetRow[]): boolean =>
  isWordsOnly(row) &&
  filledCells(row.cells).length > 1 &&
  row.cells.some(
    (cell, index) => cell !== '' && below.length > 1 && below.every(({ cells }) => /\d/.test(cells[index] ?? '')),
  )

/** The number of the heading row: the one with the most known headings. */
const findHeaderRow = (rows: readonly SheetRow[]): number => {
  const topRows = rows.filter(({ isHidden }) => !isHidden).slice(0, maxHeaderRow)
  const [best] = topRows.map((row) => ({ row, score: countKnownHeadings(row) })).toSorted((a, b) => b.score - a.score)
  if (!best) return 0
  const isAlone = filledCells(best.row.cells).length === 1
  const widest = Math.max(...topRows.map(({ cells }) => filledCells(cells).length))
  // "Students" alone above a list is a title; a list of one column has one heading.
  if (best.score > 1 || (best.score === 1 && (!isAlone || widest === 1))) return best.row.number
  const [first, ...below] = topRows
  return first && looksLikeHeadings(first, below.slice(0, 10)) ? first.number : 0
}

const totalRow =
  /^(?:(?:grand|sub)[ -]{0,3})?totals?\b|^(?:count|sum|number of (?:students|players|records))\b|^end of (?:list|report|file)/i

type Context = { readonly headings: string; readonly width: number }

const headingText = (cells: readonly string[]): string => {
  const keys = cells.map((cell) => headingKey(cell.slice(0, maxSampleLength)))
  return keys.slice(0, keys.findLastIndex((key) => key !== '') + 1).join('|')
}

/** Why a row below the headings is not a subject; null if it may be one. */
const skipReasonOf = ({ cells, isHidden }: SheetRow, { headings, width }: Context): string | null => {
  if (isHidden) return 'This row is hidden in the sheet'
  if (headingText(cells) === headings) return 'The headings again'
  const filled = filledCells(cells)
  if (filled.length <= Math.max(2, width / 2) && filled.some((cell) => totalRow.test(cell)))
    return 'This looks like a total'
  return width > 2 && filled.length === 1 ? 'Only one cell of this row is filled' : null
}

const nameColumns = (headings: readonly string[], rows: readonly SheetRow[]): ImportColumn[] => {
  const width = Math.max(headings.length, ...rows.slice(0, 5000).map(({ cells }) => cells.length))
  const countByKey = new Map<string, number>()
  return Array.from({ length: width }, (_, index) => {
    const writtenHeading = (headings[index] ?? '').slice(0, maxSampleLength).replace(/\s+/g, ' ')
    const samples: string[] = []
    for (const { cells } of rows) {
      const cell = cells[index] ?? ''
      if (cell !== '' && samples.push(cell.slice(0, maxSampleLength)) === maxSamples) break
    }
    const name = writtenHeading === '' ? `Column ${columnLetters(index)}` : writtenHeading
    const earlierCount = countByKey.get(headingKey(name)) ?? 0
    countByKey.set(headingKey(name), earlierCount + 1)
    return {
      index,
      heading: earlierCount === 0 ? name : `${name} ${earlierCount + 1}`,
      isNamed: writtenHeading !== '',
      samples,
    }
  }).filter(({ samples, isNamed }) => samples.length > 0 || isNamed)
}

/**
 * Finds the list in a sheet: its heading row (`headerRow` if staff chose it, 0 for none), its columns and its rows.
 * Repeated headings, totals, notes and hidden rows get a `skipReason`.
 */
export const findImportTable = (sheet: readonly SheetRow[], headerRow?: number): ImportTable => {
  const headerRowNumber = headerRow ?? findHeaderRow(sheet)
  const headings = sheet.find(({ number }) => number === headerRowNumber)?.cells ?? []
  const below = sheet.filter(({ number }) => number > headerRowNumber)
  const columns = nameColumns(headings, below)
  const context = { headings: headingText(headings), width: columns.filter(({ samples }) => samples.length > 0).length }
  const rows = below.map((row) => ({ number: row.number, cells: row.cells, skipReason: skipReasonOf(row, context) }))
  return { headerRow: headerRowNumber, columns, rows }
}
