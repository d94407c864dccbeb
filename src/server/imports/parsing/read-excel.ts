import {
  cleanCell,
  maxCellCharacters,
  maxSheetCharacters,
  maxSheetColumns,
  maxSheetRows,
  type SheetRow,
} from '#domain/imports/spreadsheet.ts'
import { assertLength, columnOf, fillMerged, type Merge, maxMergedCells, mergesOf, rowOf } from './cell-references.ts'
import { formatNumber, formatOf } from './number-formats.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'
import type { ZipParts } from './zip-parts.ts'

type SheetPart = { readonly name: string; readonly part: string }
type NumberFormat = ReturnType<typeof formatOf>

/** The parts of an Excel file that all of its sheets share. */
export type Workbook = {
  /** Visible sheets in their order. */
  readonly sheets: readonly SheetPart[]
  readonly dateSystem: '1900' | '1904'
  readonly texts: readonly string[]
  /** By style index. */
  readonly formats: readonly NumberFormat[]
}

/** Excel's own limits are 255 characters for a format, 31 for a sheet name, and 4,000 formats. */
const maxFormatLength = 255
const maxSheetNameLength = 100
const maxFormats = 4_000
const maxPartNameLength = 255
const maxSheets = 500

/** Appends to a text, up to the limit of a cell. */
const appendCapped = (text: string, addition: string): string =>
  text.length >= maxCellCharacters ? text : text + addition.slice(0, maxCellCharacters - text.length)

/** Copies a string: the parser returns slices that would keep the whole part in memory. */
const detachedCopy = (text: string): string => Buffer.from(text).toString()

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'

const workbookPart = 'xl/workbook.xml'

/** The name of a part from a target, absolute or relative to the workbook's folder. */
const partName = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

const readSheetParts = async (parts: ZipParts): Promise<Pick<Workbook, 'sheets' | 'dateSystem'>> => {
  const targets = new Map<string, string>()
  await parts.read('xl/_rels/workbook.xml.rels', {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, partName(assertLength(Target, maxPartNameLength)))
    },
  })
  const sheets: SheetPart[] = []
  let dateSystem: Workbook['dateSystem'] = '1900'
  await parts.read(workbookPart, {
    open: (name, attributes) => {
      if (name === 'workbookPr' && isOn(attributes.date1904)) dateSystem = '1904'
      const isVisible = attributes.state === undefined || attributes.state === 'visible'
      if (name !== 'sheet' || !isVisible) return
      if (sheets.length === maxSheets) throw new UnreadableFile(unreadableFileMessages.bomb)
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const part = targets.get(id)
      if (part !== undefined) sheets.push({ name: assertLength(attributes.name ?? '', maxSheetNameLength), part })
    },
  })
  return { sheets, dateSystem }
}

/** Reads the strings that sheets share, without phonetic runs (`rPh`). */
const readTexts = async (parts: ZipParts): Promise<string[]> => {
  const texts: string[] = []
  let [current, isText, isPhonetic] = ['', false, false]
  await parts.read('xl/sharedStrings.xml', {
    open: (name) => {
      if (name === 'si') current = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text: (chunk) => {
      if (isText) current = appendCapped(current, chunk)
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') texts.push(detachedCopy(unescapeText(current)))
    },
  })
  return texts
}

/** Excel writes characters that XML cannot contain as `_x000D_`. */
const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const readFormats = async (parts: ZipParts): Promise<NumberFormat[]> => {
  const codes = new Map<number, string>()
  const formatById = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let isInCellFormats = false
  await parts.read('xl/styles.xml', {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), assertLength(formatCode, maxFormatLength))
      if (name === 'cellXfs') isInCellFormats = true
      if (name !== 'xf' || !isInCellFormats) return
      const id = Number(numFmtId)
      const format = formatById.get(id) ?? formatOf(id, codes)
      formatById.set(id, format)
      formats.push(format)
      if (codes.size > maxFormats || formatById.size > maxFormats) throw new UnreadableFile(unreadableFileMessages.bomb)
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellFormats = false
    },
  })
  return formats
}

/** Opens an Excel file. Throws `UnreadableFile` on any other ZIP. */
export const openWorkbook = async (parts: ZipParts): Promise<Workbook> => {
  if (parts.has('xl/workbook.bin')) throw new UnreadableFile(unreadableFileMessages.xlsb)
  if (parts.has('Index/Document.iwa') || parts.has('Index.zip'))
    throw new UnreadableFile(unreadableFileMessages.numbers)
  if (parts.has('content.xml') && parts.has('mimetype')) throw new UnreadableFile(unreadableFileMessages.ods)
  if (!parts.has(workbookPart)) throw new UnreadableFile(unreadableFileMessages.archive)
  return { ...(await readSheetParts(parts)), texts: await readTexts(parts), formats: await readFormats(parts) }
}

type Cell = { column: number; type: string; style: number; raw: string; isFilled: boolean }

const displayedText = ({ texts, formats, dateSystem }: Workbook, { type, style, raw, isFilled }: Cell): string => {
  if (!isFilled) return ''
  if (type === 's') return cleanCell(texts[Number(raw)] ?? '')
  if (type === 'inlineStr' || type === 'str') return cleanCell(unescapeText(raw))
  if (type === 'b') return isOn(raw) ? 'TRUE' : 'FALSE'
  if (type === 'd') return isoDay(raw)
  return type === 'e' ? raw : formatNumber(raw, formats[style] ?? 'plain', dateSystem)
}

/** Converts an ISO date to the format of the other dates. */
const isoDay = (raw: string): string => raw.replace(/^(\d{4})-(\d\d)-(\d\d)(T.*)?$/, '$2/$3/$1')

/** Reads a sheet cell by cell. Cells that are formatted but empty use no memory. */
class SheetReader {
  readonly rows = new Map<number, string[]>()
  readonly hidden = new Set<number>()
  readonly merges: Merge[] = []
  readonly #book: Workbook
  #row = 0
  #cell: Cell | undefined
  #nextColumn = 0
  #isInValue = false
  #lastColumn = -1
  #characters = 0

  constructor(book: Workbook) {
    this.#book = book
  }

  open(name: string, { r, t = 'n', s = '0', hidden, ref = '' }: Readonly<Record<string, string>>): void {
    this.#isInValue = this.#cell !== undefined && (name === 'v' || name === 't')
    if (name === 'row') {
      this.#row = r === undefined ? this.#row + 1 : rowOf(r)
      this.#nextColumn = 0
      if (isOn(hidden)) this.hidden.add(this.#row)
    } else if (name === 'c') {
      const column = r === undefined ? this.#nextColumn : columnOf(r)
      this.#nextColumn = column + 1
      this.#cell = { column, type: t, style: Number(s), raw: '', isFilled: false }
    } else if (name === 'mergeCell') this.#addMerges(mergesOf(ref))
  }

  #addMerges(merges: readonly Merge[]): void {
    this.merges.push(...merges.filter(({ column }) => column < maxSheetColumns))
    if (this.merges.length > maxMergedCells) throw new UnreadableFile(unreadableFileMessages.merged)
  }

  text(chunk: string): void {
    if (!this.#isInValue || !this.#cell) return
    this.#cell.raw = appendCapped(this.#cell.raw, chunk)
    this.#cell.isFilled = true
  }

  close(name: string): void {
    this.#isInValue = false
    if (name !== 'c' || !this.#cell) return
    const text = displayedText(this.#book, this.#cell)
    const { column, type } = this.#cell
    if (text !== '') this.#lastColumn = Math.max(this.#lastColumn, column)
    if (text !== '' && column < maxSheetColumns) this.#addCell(column, type === 's' ? text : detachedCopy(text))
    this.#cell = undefined
  }

  /** The number of columns, up to the last one that is not empty. */
  get columns(): number {
    return this.#lastColumn + 1
  }

  #addCell(column: number, text: string): void {
    const cells = this.rows.get(this.#row) ?? []
    while (cells.length < column) cells.push('')
    cells[column] = text
    this.rows.set(this.#row, cells)
    this.#characters += text.length
    if (this.rows.size > maxSheetRows) throw new UnreadableFile(unreadableFileMessages.long)
    if (this.#characters > maxSheetCharacters) throw new UnreadableFile(unreadableFileMessages.bomb)
  }
}

/**
 * The rows of a sheet that are not empty, and its number of columns. A formula gives its value, and each row under a merged cell gets the
 * value of the cell.
 */
export const readSheet = async (
  parts: ZipParts,
  book: Workbook,
  { part }: SheetPart,
): Promise<{ rows: SheetRow[]; columns: number }> => {
  const reader = new SheetReader(book)
  await parts.read(part, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (chunk) => reader.text(chunk),
    close: (name) => reader.close(name),
  })
  fillMerged(reader.rows, reader.merges)
  const rows = [...reader.rows]
    .map(([number, cells]) => ({
      number,
      cells: Array.from(cells, (cell) => cell ?? ''),
      isHidden: reader.hidden.has(number),
    }))
    .toSorted((a, b) => a.number - b.number)
  return { rows, columns: reader.columns }
}
