import papaparse from 'papaparse'
import { cleanCell, mostColumns, mostRows, type SheetRow } from '../../domain/sheet.ts'
import { RefusedFile, refusedKinds } from './refused-file.ts'

const separators = [',', ';', '\t', '|'] as const

/** So many characters tell which separator it is. */
const sampleLength = 64 * 1024
/** A cell with line breaks has no more lines than this where quotes are not to be trusted. */
const mostLines = 10

const parse = (text: string, delimiter: string, most = 0) =>
  papaparse.parse<string[]>(text, { delimiter, newline: '\n', preview: most })

/** Rows that agree on how many cells they have, and how many that is. */
const agreement = (text: string, delimiter: string): { share: number; cells: number } => {
  const rows = parse(text, delimiter, 200).data.filter((row) => row.some((cell) => cell.trim() !== ''))
  const counts = Map.groupBy(rows, (row) => row.length)
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

const unquoted = (cell: string): string => cell.trim().replace(/^"|"$/g, '').replaceAll('""', '"')

/**
 * Rows of a file whose quotes do not close: line by line, so that a stray one spoils its own row at most. What is quoted properly over
 * several lines stays together.
 */
const parseByLines = (text: string, separator: string): string[][] => {
  const { cells } = agreement(text.slice(0, sampleLength), separator)
  const lines = text.split('\n')
  const rows: string[][] = []
  for (let at = 0; at < lines.length; at += 1) {
    const { row, taken } = rowFrom(lines, at, { separator, cells })
    rows.push(row)
    at += taken - 1
  }
  return rows
}

type Expected = { readonly separator: string; readonly cells: number }

const rowFrom = (lines: readonly string[], at: number, { separator, cells }: Expected) => {
  for (let taken = 1; taken <= mostLines && at + taken <= lines.length; taken += 1) {
    const { data, errors } = parse(lines.slice(at, at + taken).join('\n'), separator)
    const [row = [''], ...more] = data
    const isWhole = errors.every(({ type }) => type !== 'Quotes') && more.length === 0
    if (isWhole && (taken === 1 || row.length === cells)) return { row, taken }
  }
  return { row: (lines[at] ?? '').split(separator).map(unquoted), taken: 1 }
}

const parseRows = (text: string, separator: string): string[][] => {
  const { data, errors } = parse(text, separator)
  return errors.some(({ type }) => type === 'Quotes') ? parseByLines(text, separator) : data
}

/** The rows of a CSV, whatever its separator, line ends and quotes. Throws `RefusedFile` on more rows than are taken. */
export const readCsv = (text: string): SheetRow[] => {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  // Excel's own word on the separator.
  const [told, named] = /^"?sep=(.)"?\n/i.exec(plain) ?? []
  const start = told?.length ?? 0
  const content = plain.slice(start)
  const rows = parseRows(content, named ?? separatorOf(content))
  const read = rows.map((cells, index) => ({
    number: index + (told === undefined ? 1 : 2),
    cells: cells.slice(0, mostColumns).map(cleanCell),
  }))
  const filled = read.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (filled.length > mostRows) throw new RefusedFile(refusedKinds.long)
  return filled
}
