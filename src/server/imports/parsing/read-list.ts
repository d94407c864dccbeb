import type { SheetRow } from '#domain/imports/spreadsheet.ts'
import { decodeText } from './decode-text.ts'
import { assertList, detectFileKind } from './detect-file-kind.ts'
import { readCsv } from './read-csv.ts'
import { openWorkbook, readSheet } from './read-excel.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'
import { openZip } from './zip-parts.ts'

/** A file that was read: the names of its sheets (none for a CSV), the sheet that was read, and the rows of that sheet. */
export type ParsedList = {
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly rows: readonly SheetRow[]
  /** The number of columns, including those beyond the limit. */
  readonly columns: number
}

const readExcel = async (bytes: Buffer, sheetName: string | null): Promise<ParsedList> => {
  const parts = await openZip(bytes)
  const book = await openWorkbook(parts)
  const sheets = book.sheets.map(({ name }) => name)
  const candidates = book.sheets.filter(({ name }) => sheetName === null || name === sheetName)
  // Without a sheet name, the first sheet that is not empty is read.
  for (const sheet of candidates) {
    const content = await readSheet(parts, book, sheet)
    if (content.rows.length > 0 || sheetName !== null) return { sheets, sheet: sheet.name, ...content }
  }
  throw new UnreadableFile(unreadableFileMessages.empty)
}

/** Converts errors of the ZIP library to a message for staff. */
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
 * file is detected by its bytes. Throws `UnreadableFile` with advice for staff on every other file.
 */
export const readList = async (bytes: Buffer, sheetName: string | null = null): Promise<ParsedList> => {
  if (detectFileKind(bytes) === 'zip') return await asUnreadable(readExcel(bytes, sheetName))
  const text = decodeText(bytes)
  assertList(text)
  return { sheets: [], sheet: null, ...readCsv(text) }
}
