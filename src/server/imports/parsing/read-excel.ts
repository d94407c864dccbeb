import {
  cleanCell,
  maxCellCharacters,
  maxSheetCharacters,
  maxSheetColumns,
  maxSheetRows,
  type SheetRow,
} from '#domain/imports/spreadsheet.ts'
import { capped, columnOf, fillMerged, type Merge, maxMergedCells, mergesOf, rowOf } from './cell-references.ts'
import { formatNumber, formatOf } from './number-formats.ts'
import { UnreadableFile, unreadableFileMessages } from './unreadable-file.ts'
import type { ZipParts } from './zip-parts.ts'

type SheetPart = { readonly name: string; readonly part: string }
type NumberFormat = ReturnType<typeof formatOf>

/** The parts of an Excel file that all of its sheets share. */
export type Workbook = {
  /** Visible sheets in their order. */
  readonly sheets: readonly SheetPart[]
  readonly counts: '1900' | '1904'
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
const appendCapped = (text: string, more: string): string =>
  text.length >= maxCellCharacters ? text : text + more.slice(0, maxCellCharacters - text.length)

/** Copies a string: the parser returns slices that would keep the whole part in memory. */
const detachedCopy = (text: string): string => Buffer.from(text).toString()

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'

const main = 'xl/workbook.xml'

/** The name of a part from a target, absolute or relative to the workbook's folder. */
const partName = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

const readSheetParts = async (parts: ZipParts): Promise<Pick<Workbook, 'sheets' | 'counts'>> => {
  const targets = new Map<string, string>()
  await parts.read('xl/_rels/workbook.xml.rels', {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, partName(capped(Target, maxPartNameLength)))
    },
  })
  const sheets: SheetPart[] = []
  let counts: Workbook['counts'] = '1900'
  await parts.read(main, {
    open: (name, attributes) => {
      if (name === 'workbookPr' && isOn(attributes.date1904)) counts = '1904'
      const isShown = attributes.state === undefined || attributes.state === 'visible'
      if (name !== 'sheet' || !isShown) return
      if (sheets.length === maxSheets) throw new UnreadableFile(unreadableFileMessages.bomb)
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      const part = targets.get(id)
      if (part !== undefined) sheets.push({ name: capped(attributes.name ?? '', maxSheetNameLength), part })
    },
  })
  return { sheets, counts }
}

/** The shared strings, without phonetic runs (`rPh`). */
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
      if (name === 'si') texts.push(detachedCopy(unescaped(current)))
    },
  })
  return texts
}

/** Excel writes characters that XML cannot contain as `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const readFormats = async (parts: ZipParts): Promise<NumberFormat[]> => {
  const codes = new Map<number, string>()
  const formatById = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let isCells = false
  await parts.read('xl/styles.xml', {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), capped(formatCode, maxFormatLength))
      if (name === 'cellXfs') isCells = true
      if (name !== 'xf' || !isCells) return
      const id = Number(numFmtId)
      const format = formatById.get(id) ?? formatOf(id, codes)
      formatById.set(id, format)
      formats.push(format)
      if (codes.size > maxFormats || formatById.size > maxFormats) throw new UnreadableFile(unreadableFileMessages.bomb)
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false
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
  if (!parts.has(main)) throw new UnreadableFile(unreadableFileMessages.archive)
  return { ...(await readSheetParts(parts)), texts: await readTexts(parts), formats: await readFormats(parts) }
}

type Cell = { column: number; type: string; style: number; raw: string; isFilled: boolean }

const displayedText = ({ texts, formats, counts }: Workbook, { type, style, raw, isFilled }: Cell): string => {
  if (!isFilled) return ''
  if (type === 's') return cleanCell(texts[Number(raw)] ?? '')
  if (type === 'inlineStr' || type === 'str') return cleanCell(unescaped(raw))
  if (type === 'b') return isOn(raw) ? 'TRUE' : 'FALSE'
  if (type === 'd') return isoDay(raw)
  return type === 'e' ? raw : formatNumber(raw, formats[style] ?? 'plain', counts)
}

/** An ISO date in the format of the other dates. */
const isoDay = (raw: string): string => raw.replace(/^(\d{4})-(\d\d)-(\d\d)(T.*)?$/, '$2/$3/$1')

/** Reads a sheet cell by cell. Cells that are formatted but empty use no memory. */
class SheetReading {
  readonly rows = new Map<number, string[]>()
  readonly hidden = new Set<number>()
  readonly merges: Merge[] = []
  readonly #book: Workbook
  #row = 0
  #cell: Cell | undefined
  #next = 0
  #isValue = false
  #lastColumn = -1
  #letters = 0

  constructor(book: Workbook) {
    this.#book = book
  }

  open(name: string, { r, t = 'n', s = '0', hidden, ref = '' }: Readonly<Record<string, string>>): void {
    this.#isValue = this.#cell !== undefined && (name === 'v' || name === 't')
    if (name === 'row') {
      this.#row = r === undefined ? this.#row + 1 : rowOf(r)
      this.#next = 0
      if (isOn(hidden)) this.hidden.add(this.#row)
    } else if (name === 'c') {
      const column = r === undefined ? this.#next : columnOf(r)
      this.#next = column + 1
      this.#cell = { column, type: t, style: Number(s), raw: '', isFilled: false }
    } else if (name === 'mergeCell') this.#keepMerges(mergesOf(ref))
  }

  #keepMerges(merges: readonly Merge[]): void {
    this.merges.push(...merges.filter(({ column }) => column < maxSheetColumns))
    if (this.merges.length > maxMergedCells) throw new UnreadableFile(unreadableFileMessages.merged)
  }

  text(chunk: string): void {
    if (!this.#isValue || !this.#cell) return
    this.#cell.raw = appendCapped(this.#cell.raw, chunk)
    this.#cell.isFilled = true
  }

  close(name: string): void {
    this.#isValue = false
    if (name !== 'c' || !this.#cell) return
    const text = displayedText(this.#book, this.#cell)
    const { column, type } = this.#cell
    if (text !== '') this.#lastColumn = Math.max(this.#lastColumn, column)
    if (text !== '' && column < maxSheetColumns) this.#keep(column, type === 's' ? text : detachedCopy(text))
    this.#cell = undefined
  }

  /** How many columns the sheet has, up to the last that is not empty. */
  get columns(): number {
    return this.#lastColumn + 1
  }

  #keep(column: number, text: string): void {
    const cells = this.rows.get(this.#row) ?? []
    while (cells.length < column) cells.push('')
    cells[column] = text
    this.rows.set(this.#row, cells)
    this.#letters += text.length
    if (this.rows.size > maxSheetRows) throw new UnreadableFile(unreadableFileMessages.long)
    if (this.#letters > maxSheetCharacters) throw new UnreadableFile(unreadableFileMessages.bomb)
  }
}

/**
 * The rows of a sheet that are not empty (values of formulas; each row under a merged cell gets its value), and its
 * number of columns.
 */
export const readSheet = async (
  parts: ZipParts,
  book: Workbook,
  { part }: SheetPart,
): Promise<{ rows: SheetRow[]; columns: number }> => {
  const reading = new SheetReading(book)
  await parts.read(part, {
    open: (name, attributes) => reading.open(name, attributes),
    text: (chunk) => reading.text(chunk),
    close: (name) => reading.close(name),
  })
  fillMerged(reading.rows, reading.merges)
  const rows = [...reading.rows]
    .map(([number, cells]) => ({
      number,
      cells: Array.from(cells, (cell) => cell ?? ''),
      isHidden: reading.hidden.has(number),
    }))
    .toSorted((one, other) => one.number - other.number)
  return { rows, columns: reading.columns }
}
