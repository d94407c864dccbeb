import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A cell of a generated sheet; `shown` is a number with a built-in format (by id) or a custom one (by code). */
export type XlsxCell =
  | string
  | number
  | boolean
  | null
  | { readonly shown: number; readonly as: number | string }
  | { readonly formula: string; readonly gives: string | number }
  | { readonly error: string }
  | { readonly rich: readonly string[] }

export type XlsxSheet = {
  readonly name: string
  readonly rows: readonly (readonly XlsxCell[])[]
  readonly state?: 'hidden' | 'veryHidden'
  readonly hiddenRows?: readonly number[]
  readonly merges?: readonly string[]
}

type XlsxInput = {
  readonly sheets: readonly XlsxSheet[]
  /** Writes texts inline, as some programs do, instead of as shared strings. */
  readonly isInline?: boolean
  readonly counts?: '1904'
  /** A namespace prefix, as some programs write. */
  readonly prefix?: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : `${letters(Math.floor(index / 26) - 1)}${letters(index % 26)}`

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Packs parts into a ZIP. */
export const zipOf = async (parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as string), name) // both types are accepted
  zip.end()
  return await buffer(zip.outputStream)
}

/** The bytes of an Excel file as Excel and other programs write it. */
export const makeXlsx = async ({ sheets, isInline = false, counts, prefix = '' }: XlsxInput): Promise<Buffer> => {
  const texts: string[] = []
  const codes: (number | string)[] = []
  const p = prefix

  const textCell = (at: string, text: string): string => {
    if (isInline) return `<${p}c r="${at}" t="inlineStr"><${p}is><${p}t>${escaped(text)}</${p}t></${p}is></${p}c>`
    texts.push(`<${p}si><${p}t xml:space="preserve">${escaped(text)}</${p}t></${p}si>`)
    return `<${p}c r="${at}" t="s"><${p}v>${texts.length - 1}</${p}v></${p}c>`
  }
  const cellOf = (cell: XlsxCell, at: string): string => {
    if (cell === null) return `<${p}c r="${at}"/>`
    if (typeof cell === 'string') return textCell(at, cell)
    if (typeof cell === 'number') return `<${p}c r="${at}"><${p}v>${cell}</${p}v></${p}c>`
    if (typeof cell === 'boolean') return `<${p}c r="${at}" t="b"><${p}v>${cell ? 1 : 0}</${p}v></${p}c>`
    if ('error' in cell) return `<${p}c r="${at}" t="e"><${p}v>${cell.error}</${p}v></${p}c>`
    if ('formula' in cell) {
      const type = typeof cell.gives === 'string' ? ' t="str"' : ''
      return `<${p}c r="${at}"${type}><${p}f>${escaped(cell.formula)}</${p}f><${p}v>${escaped(String(cell.gives))}</${p}v></${p}c>`
    }
    if ('rich' in cell) {
      const runs = cell.rich.map((run) => `<${p}r><${p}rPr><${p}b/></${p}rPr><${p}t>${escaped(run)}</${p}t></${p}r>`)
      texts.push(`<${p}si>${runs.join('')}<${p}rPh sb="0" eb="1"><${p}t>SPOKEN</${p}t></${p}rPh></${p}si>`)
      return `<${p}c r="${at}" t="s"><${p}v>${texts.length - 1}</${p}v></${p}c>`
    }
    if (!codes.includes(cell.as)) codes.push(cell.as)
    return `<${p}c r="${at}" s="${codes.indexOf(cell.as) + 1}"><${p}v>${cell.shown}</${p}v></${p}c>`
  }
  const sheetXml = ({ rows, hiddenRows = [], merges = [] }: XlsxSheet): string => {
    const written = rows.map((cells, row) => {
      const hidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : ''
      const inside = cells.map((cell, column) => cellOf(cell, `${letters(column)}${row + 1}`)).join('')
      return `<${p}row r="${row + 1}"${hidden}>${inside}</${p}row>`
    })
    const merged = merges.map((ref) => `<${p}mergeCell ref="${ref}"/>`).join('')
    const after = merged && `<${p}mergeCells count="${merges.length}">${merged}</${p}mergeCells>`
    const named = prefix ? `xmlns:${prefix.slice(0, -1)}` : 'xmlns'
    return `${head}<${p}worksheet ${named}="${main}"><${p}sheetData>${written.join('')}</${p}sheetData>${after}</${p}worksheet>`
  }

  const sheetParts = Object.fromEntries(
    sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet)]),
  )
  const named = sheets.map(({ name, state }, at) => {
    const hidden = state ? ` state="${state}"` : ''
    return `<sheet name="${escaped(name)}" sheetId="${at + 1}"${hidden} r:id="rId${at + 1}"/>`
  })
  const related = sheets.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const own = codes.map((code, at) => ({ code, id: typeof code === 'number' ? code : 200 + at }))
  const formats = own.filter(({ code }) => typeof code === 'string')
  const numFmts = formats.map(({ code, id }) => `<numFmt numFmtId="${id}" formatCode="${escaped(String(code))}"/>`)
  const xfs = own.map(({ id }) => `<xf numFmtId="${id}" fontId="0" applyNumberFormat="1"/>`)
  return await zipOf({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}">${counts ? '<workbookPr date1904="1"/>' : ''}<sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join('')}</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<${p}sst ${prefix ? `xmlns:${prefix.slice(0, -1)}` : 'xmlns'}="${main}">${texts.join('')}</${p}sst>`,
    ...sheetParts,
  })
}
