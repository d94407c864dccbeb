import type { SheetRow } from '#domain/imports/spreadsheet.ts'
import { decodeText } from './decode-text.ts'
import { assertList, detectFileKind } from './detect-file-kind.ts'
import { readCsv } from './read-csv.ts'
import { openWorkbook, readSheet } from './read-excel.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'
import { openZip } from './zip-parts.ts'

/** A file that was read: its sheets (none for a CSV), which one was read, and the rows of that one. */
export type ParsedList = {
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly rows: readonly SheetRow[]
  /** How many columns are not empty, those beyond the limit included. */
  readonly columns: number
}

const readExcel = async (bytes: Buffer, sheetName: string | null): Promise<ParsedList> => {
  const parts = await openZip(bytes)
  const book = await openWorkbook(parts)
  const sheets = book.sheets.map(({ name }) => name)
  const chosen = book.sheets.filter(({ name }) => sheetName === null || name === sheetName)
  // Without a chosen sheet, read the first that is not empty.
  for (const sheet of chosen) {
    const read = await readSheet(parts, book, sheet)
    if (read.rows.length > 0 || sheetName !== null) return { sheets, sheet: sheet.name, ...read }
  }
  throw new UnreadableFile(unreadableFileMessages.empty)
}

/** Replaces the ZIP library's errors by a message for staff. */
const asUnreadable = async (reading: Promise<ParsedList>): Promise<ParsedList> => {
  try {
    return await reading
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(unreadableFileMessages.damaged, { cause: error })
  }
}

/**
 * Reads a list from a CSV or from a sheet of an Excel file (`sheetName`, else the first that is not empty). The kind of
 * file is detected by its bytes. Throws `UnreadableFile` with what to do on everything else.
 */
export const readList = async (bytes: Buffer, sheetName: string | null = null): Promise<ParsedList> => {
  if (detectFileKind(bytes) === 'zip') return await asUnreadable(readExcel(bytes, sheetName))
  const text = decodeText(bytes)
  assertList(text)
  return { sheets: [], sheet: null, ...readCsv(text) }
}
