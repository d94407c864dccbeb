import type { SheetRow } from '#domain/imports/spreadsheet.ts'
import { decodeText } from './decode-text.ts'
import { assertList, detectFileKind } from './detect-file-kind.ts'
import { readCsv } from './read-csv.ts'
import { openWorkbook, readSheet } from './read-excel.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'
import { openZip } from './zip-parts.ts'

/** A file read: its sheets, none where it is a CSV; which of them was read; and that one's rows. */
export type ParsedList = {
  readonly sheets: readonly string[]
  readonly sheet: string | null
  readonly rows: readonly SheetRow[]
  /** How many columns hold something, those that are left out too. */
  readonly columns: number
}

const readExcel = async (bytes: Buffer, wanted: string | null): Promise<ParsedList> => {
  const parts = await openZip(bytes)
  const book = await openWorkbook(parts)
  const sheets = book.sheets.map(({ name }) => name)
  const chosen = book.sheets.filter(({ name }) => wanted === null || name === wanted)
  // Where nobody chose, the first that holds anything.
  for (const sheet of chosen) {
    const read = await readSheet(parts, book, sheet)
    if (read.rows.length > 0 || wanted !== null) return { sheets, sheet: sheet.name, ...read }
  }
  throw new UnreadableFile(unreadableFileMessages.empty)
}

/** What a library says of a ZIP that is broken is for nobody to read. */
const orDamaged = async (reading: Promise<ParsedList>): Promise<ParsedList> => {
  try {
    return await reading
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile(unreadableFileMessages.damaged, { cause: error })
  }
}

/**
 * Reads a list as a school sent it: a CSV, or a sheet of an Excel file (`wanted`, else the first with anything in it). What kind it is, its bytes say. Throws
 * `RefusedFile`, with what to do, on everything else.
 */
export const readList = async (bytes: Buffer, wanted: string | null = null): Promise<ParsedList> => {
  if (detectFileKind(bytes) === 'zip') return await orDamaged(readExcel(bytes, wanted))
  const text = decodeText(bytes)
  assertList(text)
  return { sheets: [], sheet: null, ...readCsv(text) }
}
