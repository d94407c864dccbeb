import { formatDate } from '#domain/shared/dates.ts'
import type { reportClient } from './report-client.ts'

/** Splits each line into cells, and replaces placeholders by the order numbers and names in `names`. */
export const tableOf = (lines: readonly string[], names: ReadonlyMap<string, string>): string[][] =>
  lines.map((line) => line.split('|').map((cell) => names.get(cell) ?? cell))

/** A cell of a sheet as the CSV writes it. */
const textOfCell = (value: unknown, heading: unknown): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return formatDate(value)
  if (typeof value !== 'number') return String(value)
  if (heading === 'Rate') return `${Number((value * 100).toFixed(4))}%`
  const isCount = ['Orders', 'Sold', 'Images', 'Days old', 'Charges'].includes(String(heading))
  return isCount ? String(value) : value.toFixed(2)
}

/** A cell as LibreOffice shows it, as the CSV writes it: without separators of thousands, and percent without zeros at the end. */
const textOfShownCell = (text: string): string => {
  if (/^-?[\d,]+(\.\d+)?$/.test(text)) return text.replaceAll(',', '')
  return /^\d+\.\d+%$/.test(text) ? `${Number.parseFloat(text)}%` : text
}

/** A table of LibreOffice, as the CSV writes it. */
export const textsOfShownTable = (table: readonly (readonly string[])[]): string[][] =>
  table.map((row) => row.map(textOfShownCell))

type ReportClient = Awaited<ReturnType<typeof reportClient>>

/** Exports a report as CSV and as XLSX. Returns both as texts. */
export const exportBoth = async (
  { exportCsv, exportXlsx }: Pick<ReportClient, 'exportCsv' | 'exportXlsx'>,
  ...request: Parameters<ReportClient['exportCsv']>
): Promise<{ csv: string[][]; xlsx: string[][] }> => {
  const csv = await exportCsv(...request)
  const [headings = [], ...rows] = await exportXlsx(...request)
  const texts = rows.map((row) => row.map((cell, index) => textOfCell(cell, headings[index])))
  return { csv, xlsx: [headings.map(String), ...texts] }
}
