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

/** So many characters tell which separator it is. */
const sampleLength = 64 * 1024
/** A cell with line breaks has no more lines than this where quotes are not to be trusted. */
const mostLines = 10

const sampleRows = 200

const firstRows = (text: string, separator: string, most: number): CsvRow[] => {
  const rows: CsvRow[] = []
  for (const row of csvRows(text, separator)) if (rows.push(row) === most) break
  return rows
}

/** Rows that agree on how many cells they have, and how many that is. */
const agreement = (text: string, separator: string): { share: number; cells: number } => {
  const rows = firstRows(text, separator, sampleRows).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const counts = Map.groupBy(rows, ({ cells }) => cells.length)
  const [cells, agreeing] = [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [1, []]
  return { share: rows.length === 0 ? 0 : agreeing.length / rows.length, cells }
}

/** The separator by which most rows have the same number of cells; of several such, the one that makes more cells. */
const separatorOf = (text: string): string => {
  const sample = text.slice(0, sampleLength)
  const found = separators
    .map((separator) => ({ separator, ...agreement(sample, separator) }))
    .filter(({ cells }) => cells > 1)
  const sure = found.filter(({ share }) => share >= 0.6)
  const [best] =
    sure.length > 0
      ? sure.toSorted((one, other) => other.cells - one.cells)
      : found.toSorted((one, other) => other.share - one.share)
  return best?.separator ?? ','
}

const unquoted = (cell: string): string => {
  const trimmed = cell.trim()
  const from = trimmed.startsWith('"') ? 1 : 0
  const to = trimmed.length - (trimmed.length > from && trimmed.endsWith('"') ? 1 : 0)
  return trimmed.slice(from, to).replaceAll('""', '"')
}

type Expected = { readonly separator: string; readonly cells: number }

const hasOddQuotes = (line: string): boolean => line.split('"').length % 2 === 0

/** How many lines a quoted cell that begins in this line spans: up to the next line with an odd number of quotes. */
const spanOf = (odd: readonly boolean[], at: number): number => {
  if (odd[at] !== true) return 1
  const end = odd.indexOf(true, at + 1)
  return end >= 0 && end - at < mostLines ? end - at + 1 : 1
}

/** One row of so many lines; undefined where their quotes do not close, or they are no row as the others are. */
const wholeRow = (lines: readonly string[], { separator, cells }: Expected): readonly string[] | undefined => {
  const [row, another] = firstRows(lines.join('\n'), separator, 2)
  if (!row) return ['']
  const isWhole = row.closes && !another
  return isWhole && (lines.length === 1 || row.cells.length === cells) ? row.cells : undefined
}

/** Lines of nothing but blanks, separators and quotes: parsing them is for nothing, and a file may have a million. */
const isBlank = (line: string): boolean => !/[^\s,;|"]/.test(line)

type OnRow = (cells: readonly string[]) => void

/**
 * Rows of a file whose quotes do not close: line by line, so that a stray one spoils its own row at most. What is quoted properly over
 * several lines stays together. Each line is parsed twice at most.
 */
const parseByLines = (text: string, separator: string, onRow: OnRow): void => {
  const expected = { separator, cells: agreement(text.slice(0, sampleLength), separator).cells }
  const lines = text.split('\n')
  const odd = lines.map(hasOddQuotes)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const span = spanOf(odd, at)
    if (span === 1 && isBlank(line)) {
      onRow([])
      continue
    }
    const alone = wholeRow([line], expected)
    const joined = alone || span === 1 ? undefined : wholeRow(lines.slice(at, at + span), expected)
    onRow(alone ?? joined ?? line.split(separator).map(unquoted))
    if (joined) at += span - 1
  }
}

/** Gives each row of a file whose quotes close; false as soon as they do not, when the rows given are worth nothing. */
const parseQuoted = (text: string, separator: string, onRow: OnRow): boolean => {
  for (const { cells, closes } of csvRows(text, separator)) {
    if (!closes) return false
    onRow(cells)
  }
  return true
}

/** Collects the rows that hold anything, cleaned. Throws `RefusedFile` on more than are taken. */
class FilledRows {
  readonly rows: SheetRow[] = []
  /** How many columns hold something. */
  columns = 0
  #number: number
  #letters = 0

  constructor(first: number) {
    this.#number = first
  }

  add(cells: readonly string[]): void {
    const number = this.#number
    this.#number += 1
    const clean = cells.slice(0, maxSheetColumns).map(cleanCell)
    const last = cells.length > maxSheetColumns ? cells.findLastIndex((cell) => cell.trim() !== '') : clean.length - 1
    this.columns = Math.max(this.columns, last + 1)
    if (clean.every((cell) => cell === '')) return
    this.rows.push({ number, cells: clean })
    for (const cell of clean) this.#letters += cell.length
    if (this.rows.length > maxSheetRows) throw new UnreadableFile(unreadableFileMessages.long)
    if (this.#letters > maxSheetCharacters) throw new UnreadableFile(unreadableFileMessages.bomb)
  }
}

/** As many lines as a sheet of Excel has, most of them blank. */
const mostLinesOfFile = 1_100_000

const assertLines = (text: string): void => {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines > mostLinesOfFile) throw new UnreadableFile(unreadableFileMessages.long)
}

/**
 * The rows of a CSV, whatever its separator, line ends and quotes, and how many columns it has. Throws `RefusedFile` on more rows than are
 * taken.
 */
export const readCsv = (text: string): { rows: SheetRow[]; columns: number } => {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  assertLines(plain)
  // Excel's own word on the separator.
  const [told, named] = /^"?sep=(.)"?\n/i.exec(plain) ?? []
  const content = plain.slice(told?.length ?? 0)
  const separator = named ?? separatorOf(content)
  const first = told === undefined ? 1 : 2
  const quoted = new FilledRows(first)
  if (parseQuoted(content, separator, (cells) => quoted.add(cells))) return quoted
  const byLines = new FilledRows(first)
  parseByLines(content, separator, (cells) => byLines.add(cells))
  return byLines
}
