import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A cell of a generated sheet; `value` is a number; `format` is the id of a built-in format or a custom format code. */
export type XlsxCell =
  | string
  | number
  | boolean
  | null
  | { readonly value: number; readonly format: number | string }
  | { readonly formula: string; readonly result: string | number }
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
  readonly dateSystem?: '1904'
  /** An XML namespace prefix with its colon (`x:`), as some programs write it. */
  readonly prefix?: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const columnName = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : `${columnName(Math.floor(index / 26) - 1)}${columnName(index % 26)}`

const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** Packs parts into a ZIP. */
export const zipOf = async (parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as string), name) // both types are accepted
  zip.end()
  return await buffer(zip.outputStream)
}

/** The bytes of an Excel file as Excel and other programs write it. */
export const makeXlsx = async ({ sheets, isInline = false, dateSystem, prefix = '' }: XlsxInput): Promise<Buffer> => {
  const texts: string[] = []
  const cellFormats: (number | string)[] = []
  const p = prefix

  const textCell = (reference: string, text: string): string => {
    if (isInline)
      return `<${p}c r="${reference}" t="inlineStr"><${p}is><${p}t>${escaped(text)}</${p}t></${p}is></${p}c>`
    texts.push(`<${p}si><${p}t xml:space="preserve">${escaped(text)}</${p}t></${p}si>`)
    return `<${p}c r="${reference}" t="s"><${p}v>${texts.length - 1}</${p}v></${p}c>`
  }
  const cellXml = (cell: XlsxCell, reference: string): string => {
    if (cell === null) return `<${p}c r="${reference}"/>`
    if (typeof cell === 'string') return textCell(reference, cell)
    if (typeof cell === 'number') return `<${p}c r="${reference}"><${p}v>${cell}</${p}v></${p}c>`
    if (typeof cell === 'boolean') return `<${p}c r="${reference}" t="b"><${p}v>${cell ? 1 : 0}</${p}v></${p}c>`
    if ('error' in cell) return `<${p}c r="${reference}" t="e"><${p}v>${cell.error}</${p}v></${p}c>`
    if ('formula' in cell) {
      const type = typeof cell.result === 'string' ? ' t="str"' : ''
      return `<${p}c r="${reference}"${type}><${p}f>${escaped(cell.formula)}</${p}f><${p}v>${escaped(String(cell.result))}</${p}v></${p}c>`
    }
    if ('rich' in cell) {
      const runs = cell.rich.map((run) => `<${p}r><${p}rPr><${p}b/></${p}rPr><${p}t>${escaped(run)}</${p}t></${p}r>`)
      texts.push(`<${p}si>${runs.join('')}<${p}rPh sb="0" eb="1"><${p}t>SPOKEN</${p}t></${p}rPh></${p}si>`)
      return `<${p}c r="${reference}" t="s"><${p}v>${texts.length - 1}</${p}v></${p}c>`
    }
    if (!cellFormats.includes(cell.format)) cellFormats.push(cell.format)
    return `<${p}c r="${reference}" s="${cellFormats.indexOf(cell.format) + 1}"><${p}v>${cell.value}</${p}v></${p}c>`
  }
  const sheetXml = ({ rows, hiddenRows = [], merges = [] }: XlsxSheet): string => {
    const rowXml = rows.map((cells, row) => {
      const hidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : ''
      const cellsXml = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${row + 1}`)).join('')
      return `<${p}row r="${row + 1}"${hidden}>${cellsXml}</${p}row>`
    })
    const mergeCells = merges.map((ref) => `<${p}mergeCell ref="${ref}"/>`).join('')
    const mergeXml = mergeCells && `<${p}mergeCells count="${merges.length}">${mergeCells}</${p}mergeCells>`
    const namespace = prefix ? `xmlns:${prefix.slice(0, -1)}` : 'xmlns'
    return `${head}<${p}worksheet ${namespace}="${mainNamespace}"><${p}sheetData>${rowXml.join('')}</${p}sheetData>${mergeXml}</${p}worksheet>`
  }

  const sheetParts = Object.fromEntries(
    sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet)]),
  )
  const sheetElements = sheets.map(({ name, state }, index) => {
    const hidden = state ? ` state="${state}"` : ''
    return `<sheet name="${escaped(name)}" sheetId="${index + 1}"${hidden} r:id="rId${index + 1}"/>`
  })
  const relationships = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationsNamespace}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  const styles = cellFormats.map((code, index) => ({ code, id: typeof code === 'number' ? code : 200 + index }))
  const formats = styles.filter(({ code }) => typeof code === 'string')
  const numFmts = formats.map(({ code, id }) => `<numFmt numFmtId="${id}" formatCode="${escaped(String(code))}"/>`)
  const xfs = styles.map(({ id }) => `<xf numFmtId="${id}" fontId="0" applyNumberFormat="1"/>`)
  return await zipOf({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationsNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${mainNamespace}" xmlns:r="${relationsNamespace}">${dateSystem ? '<workbookPr date1904="1"/>' : ''}<sheets>${sheetElements.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationships.join('')}</Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${mainNamespace}"><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${head}<${p}sst ${prefix ? `xmlns:${prefix.slice(0, -1)}` : 'xmlns'}="${mainNamespace}">${texts.join('')}</${p}sst>`,
    ...sheetParts,
  })
}
