import {
  cleanCell,
  maxSheetCharacters,
  maxSheetColumns,
  maxSheetRows,
  type SheetRow,
} from '#domain/imports/spreadsheet.ts'
import { type CsvRow, csvRows } from './csv-rows.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'

const separators = [',', ';', '\t', '|'] as const

/** How many characters are examined to detect the separator. */
const sampleLength = 64 * 1024
/** If the quotes of a file are not balanced, a multi-line cell is accepted only up to this many lines. */
const maxLinesOfCell = 10

const sampleRows = 200

const firstRows = (text: string, separator: string, limit: number): CsvRow[] => {
  const rows: CsvRow[] = []
  for (const row of csvRows(text, separator)) if (rows.push(row) === limit) break
  return rows
}

/** The most frequent number of cells, and the share of rows that have it. */
const commonCellCount = (text: string, separator: string): { share: number; cells: number } => {
  const rows = firstRows(text, separator, sampleRows).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const rowsByCount = Map.groupBy(rows, ({ cells }) => cells.length)
  const [cells, agreeingRows] = [...rowsByCount].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [1, []]
  return { share: rows.length === 0 ? 0 : agreeingRows.length / rows.length, cells }
}

/** The separator for which most rows have the same number of cells; among several, the one with more cells. */
const separatorOf = (text: string): string => {
  const sample = text.slice(0, sampleLength)
  const candidates = separators
    .map((separator) => ({ separator, ...commonCellCount(sample, separator) }))
    .filter(({ cells }) => cells > 1)
  const consistent = candidates.filter(({ share }) => share >= 0.6)
  const [best] =
    consistent.length > 0
      ? consistent.toSorted((a, b) => b.cells - a.cells)
      : candidates.toSorted((a, b) => b.share - a.share)
  return best?.separator ?? ','
}

const unquote = (cell: string): string => {
  const trimmed = cell.trim()
  const from = trimmed.startsWith('"') ? 1 : 0
  const to = trimmed.length - (trimmed.length > from && trimmed.endsWith('"') ? 1 : 0)
  return trimmed.slice(from, to).replaceAll('""', '"')
}

type ExpectedRow = { readonly separator: string; readonly cells: number }

const hasOddQuotes = (line: string): boolean => line.split('"').length % 2 === 0

/** How many lines a quoted cell spans that begins in this line: up to the next line with an odd number of quotes. */
const spanOf = (hasOddQuotesByLine: readonly boolean[], at: number): number => {
  if (hasOddQuotesByLine[at] !== true) return 1
  const end = hasOddQuotesByLine.indexOf(true, at + 1)
  return end >= 0 && end - at < maxLinesOfCell ? end - at + 1 : 1
}

/** The row in these lines; undefined if a quote is not closed, or if a multi-line row has another number of cells than other rows. */
const parseRow = (lines: readonly string[], { separator, cells }: ExpectedRow): readonly string[] | undefined => {
  const [row, nextRow] = firstRows(lines.join('\n'), separator, 2)
  if (!row) return ['']
  const isSingleRow = row.isClosed && !nextRow
  return isSingleRow && (lines.length === 1 || row.cells.length === cells) ? row.cells : undefined
}

/** Whether a line has only blanks, separators and quotes. A file may have a million such lines, and parsing them is useless. */
const isBlank = (line: string): boolean => !/[^\s,;|"]/.test(line)

type OnRow = (cells: readonly string[]) => void

/**
 * Parses a file with unbalanced quotes line by line, so that an unbalanced quote breaks only its own row. A properly quoted
 * multi-line cell is still joined. Each line is parsed at most twice.
 */
const parseByLines = (text: string, separator: string, onRow: OnRow): void => {
  const expected = { separator, cells: commonCellCount(text.slice(0, sampleLength), separator).cells }
  const lines = text.split('\n')
  const hasOddQuotesByLine = lines.map(hasOddQuotes)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const span = spanOf(hasOddQuotesByLine, at)
    if (span === 1 && isBlank(line)) {
      onRow([])
      continue
    }
    const singleLine = parseRow([line], expected)
    const multiLine = singleLine || span === 1 ? undefined : parseRow(lines.slice(at, at + span), expected)
    onRow(singleLine ?? multiLine ?? line.split(separator).map(unquote))
    if (multiLine) at += span - 1
  }
}

/** Emits each row while its quotes are closed. Returns false at the first row with an open quote; the emitted rows are then invalid. */
const parseQuoted = (text: string, separator: string, onRow: OnRow): boolean => {
  for (const { cells, isClosed } of csvRows(text, separator)) {
    if (!isClosed) return false
    onRow(cells)
  }
  return true
}

/** Cleans and collects the rows that are not empty. Throws `UnreadableFile` above the limits. */
class FilledRows {
  readonly rows: SheetRow[] = []
  /** The number of columns of the widest row. Beyond the limit, only columns up to the last one that is not empty count. */
  columns = 0
  #number: number
  #characters = 0

  constructor(firstNumber: number) {
    this.#number = firstNumber
  }

  add(cells: readonly string[]): void {
    const number = this.#number
    this.#number += 1
    const cleanCells = cells.slice(0, maxSheetColumns).map(cleanCell)
    const lastColumn =
      cells.length > maxSheetColumns ? cells.findLastIndex((cell) => cell.trim() !== '') : cleanCells.length - 1
    this.columns = Math.max(this.columns, lastColumn + 1)
    if (cleanCells.every((cell) => cell === '')) return
    this.rows.push({ number, cells: cleanCells })
    for (const cell of cleanCells) this.#characters += cell.length
    if (this.rows.length > maxSheetRows) throw new UnreadableFile(unreadableFileMessages.long)
    if (this.#characters > maxSheetCharacters) throw new UnreadableFile(unreadableFileMessages.bomb)
  }
}

/** The limit on lines, blank ones included: somewhat more than an Excel sheet has. */
const maxLinesOfFile = 1_100_000

const assertLines = (text: string): void => {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines > maxLinesOfFile) throw new UnreadableFile(unreadableFileMessages.long)
}

/**
 * The rows of a CSV with any separator, line end and quoting, and its number of columns. Throws `UnreadableFile` above
 * the limits.
 */
export const readCsv = (text: string): { rows: SheetRow[]; columns: number } => {
  const normalized = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  assertLines(normalized)
  // Excel may declare the separator in the first line.
  const [declaration, declaredSeparator] = /^"?sep=(.)"?\n/i.exec(normalized) ?? []
  const content = normalized.slice(declaration?.length ?? 0)
  const separator = declaredSeparator ?? separatorOf(content)
  const firstNumber = declaration === undefined ? 1 : 2
  const quotedRows = new FilledRows(firstNumber)
  if (parseQuoted(content, separator, (cells) => quotedRows.add(cells))) return quotedRows
  const lineRows = new FilledRows(firstNumber)
  parseByLines(content, separator, (cells) => lineRows.add(cells))
  return lineRows
}
