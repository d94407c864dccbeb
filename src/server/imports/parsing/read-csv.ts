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
const agreement = (text: string, separator: string): { share: number; cells: number } => {
  const rows = firstRows(text, separator, sampleRows).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const counts = Map.groupBy(rows, ({ cells }) => cells.length)
  const [cells, agreeing] = [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [1, []]
  return { share: rows.length === 0 ? 0 : agreeing.length / rows.length, cells }
}

/** The separator for which the most rows have the same number of cells; among several, the one with more cells. */
const separatorOf = (text: string): string => {
  const sample = text.slice(0, sampleLength)
  const candidates = separators
    .map((separator) => ({ separator, ...agreement(sample, separator) }))
    .filter(({ cells }) => cells > 1)
  const consistent = candidates.filter(({ share }) => share >= 0.6)
  const [best] =
    consistent.length > 0
      ? consistent.toSorted((one, other) => other.cells - one.cells)
      : candidates.toSorted((one, other) => other.share - one.share)
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
  return end >= 0 && end - at < maxLinesOfCell ? end - at + 1 : 1
}

/** The row in these lines; undefined if their quotes do not close or the number of cells differs from other rows. */
const parseRow = (lines: readonly string[], { separator, cells }: Expected): readonly string[] | undefined => {
  const [row, another] = firstRows(lines.join('\n'), separator, 2)
  if (!row) return ['']
  const isWhole = row.closes && !another
  return isWhole && (lines.length === 1 || row.cells.length === cells) ? row.cells : undefined
}

/** Lines of only blanks, separators and quotes; a file may have a million, and parsing them is useless. */
const isBlank = (line: string): boolean => !/[^\s,;|"]/.test(line)

type OnRow = (cells: readonly string[]) => void

/**
 * Parses a file with unbalanced quotes line by line, so that a stray quote spoils only its own row. A properly quoted
 * multi-line cell is still joined. Each line is parsed at most twice.
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
    const singleLine = parseRow([line], expected)
    const joined = singleLine || span === 1 ? undefined : parseRow(lines.slice(at, at + span), expected)
    onRow(singleLine ?? joined ?? line.split(separator).map(unquoted))
    if (joined) at += span - 1
  }
}

/** Emits each row while quotes close. Returns false at the first that does not; the emitted rows are then worthless. */
const parseQuoted = (text: string, separator: string, onRow: OnRow): boolean => {
  for (const { cells, closes } of csvRows(text, separator)) {
    if (!closes) return false
    onRow(cells)
  }
  return true
}

/** Collects the rows that are not empty, cleaned. Throws `UnreadableFile` above the limits. */
class FilledRows {
  readonly rows: SheetRow[] = []
  /** How many columns are not empty. */
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

/** As many lines as an Excel sheet has, most of them blank. */
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
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  assertLines(plain)
  // Excel's declaration of the separator in the first line.
  const [declaration, declaredSeparator] = /^"?sep=(.)"?\n/i.exec(plain) ?? []
  const content = plain.slice(declaration?.length ?? 0)
  const separator = declaredSeparator ?? separatorOf(content)
  const first = declaration === undefined ? 1 : 2
  const quoted = new FilledRows(first)
  if (parseQuoted(content, separator, (cells) => quoted.add(cells))) return quoted
  const byLines = new FilledRows(first)
  parseByLines(content, separator, (cells) => byLines.add(cells))
  return byLines
}
