/** A row of an uploaded list: its number as a spreadsheet shows it, and its cells as text, empty cells as ''. */
export type SheetRow = { readonly number: number; readonly cells: readonly string[]; readonly isHidden?: boolean }

/** More columns than any list of subjects has; further columns are dropped, and staff see how many. */
export const maxSheetColumns = 300

/** More rows than any school has; longer lists are rejected. */
export const maxSheetRows = 50_000

/** Excel's maximum number of characters in a cell; longer cells of other formats are truncated. */
export const maxCellCharacters = 32_767

/** Maximum number of characters in all cells of a sheet; text shared by several cells counts for each. */
export const maxSheetCharacters = 40_000_000

const isOnlyJoiners = (text: string): boolean => /^[\u200c\u200d]+$/.test(text)

/**
 * Cleans a cell: no control characters, zero-width spaces or directional marks (U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069), composed (NFC) and trimmed. The joiners U+200C and U+200D stay: Persian, Indic scripts and emoji
 * need them.
 */
export const cleanCell = (text: string): string => {
  const clean = text
    .slice(0, maxCellCharacters)
    .toWellFormed()
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: removes them on purpose
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g,
      '',
    )
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .normalize('NFC')
    .trim()
  return isOnlyJoiners(clean) ? '' : clean
}

/** A spreadsheet's name for a column: A for 0, AA for 26. */
export const columnLetters = (index: number): string => {
  const prefix = Math.floor(index / 26) - 1
  const letter = String.fromCharCode(65 + (index % 26))
  return prefix < 0 ? letter : `${columnLetters(prefix)}${letter}`
}

const dayMs = 24 * 60 * 60 * 1000
const daysFrom1900To1904 = 1462

/**
 * Converts a spreadsheet's serial number to MM/DD/YYYY; null if it is no date. Counts from 1900 (with a 29 February
 * 1900, as spreadsheets do) or from 1904.
 */
export const dateOfSerial = (serial: number, epoch: '1900' | '1904' = '1900'): string | null => {
  const since1900 = Math.floor(epoch === '1904' ? serial + daysFrom1900To1904 : serial)
  if (since1900 < 1 || since1900 > 2_958_465) return null
  const days = since1900 < 60 ? since1900 + 1 : since1900
  const date = new Date(Date.UTC(1899, 11, 30) + days * dayMs)
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  return `${twoDigits(date.getUTCMonth() + 1)}/${twoDigits(date.getUTCDate())}/${date.getUTCFullYear()}`
}
