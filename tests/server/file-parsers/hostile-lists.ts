import { makeXlsx, zipOf } from '../imports/parsing/make-xlsx.ts'

const head = '<?xml version="1.0"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

type WorkbookParts = {
  sheet?: string
  styles?: string
  texts?: string
  workbook?: string
  otherParts?: Record<string, string | Buffer>
}

const rowXml = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`
const textCell = (at: string, content: string): string => `<c r="${at}" t="inlineStr"><is><t>${content}</t></is></c>`
const subjectRows = `${rowXml(1, textCell('A1', 'First name') + textCell('B1', 'Last name'))}${rowXml(2, textCell('A2', 'Ada') + textCell('B2', 'Lovelace'))}`

/** Creates an Excel file from arbitrary XML, including XML that no program would write. */
export const xlsxOf = ({
  sheet = subjectRows,
  styles = '',
  texts = '',
  workbook = '',
  otherParts = {},
}: WorkbookParts): Promise<Buffer> =>
  zipOf({
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="List" sheetId="1" r:id="rId1"/>${workbook}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${texts}</sst>`,
    ...otherParts,
  })

const megabyte = 1024 * 1024
const csv = (body: string): Buffer => Buffer.from(`First name,Last name\n${body}`)

/** Lists that once blocked the server or exhausted its memory; `size` from 1 makes them larger. */
export const hostileLists: Readonly<Record<string, (size: number) => Promise<Buffer>>> = {
  'a cell reference of digits': (size) =>
    xlsxOf({ sheet: `${subjectRows}${rowXml(3, `<c r="A${'1'.repeat(20_000 * size)}x"><v>1</v></c>`)}` }),
  'a merged range of digits': (size) =>
    xlsxOf({ sheet: `${subjectRows}<mergeCells><mergeCell ref="A1:A${'1'.repeat(20_000 * size)}x"/></mergeCells>` }),
  'a row number of digits': (size) =>
    xlsxOf({ sheet: `<row r="${'9'.repeat(10_000 * size)}">${textCell('A1', 'Ada')}</row>` }),
  'a format of brackets': (size) =>
    xlsxOf({
      styles: `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(20_000 * size)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
    }),
  'a format of quotes': (size) =>
    xlsxOf({
      styles: `<numFmts><numFmt numFmtId="200" formatCode="${'&quot;_'.repeat(5_000 * size)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
    }),
  'a styles part of formats': (size) =>
    xlsxOf({
      styles: `<numFmts>${Array.from({ length: 10_000 * size }, (_, index) => `<numFmt numFmtId="${index}" formatCode="[h]yyyy${index}"/>`).join('')}</numFmts>`,
    }),
  'a shared text of megabytes': (size) =>
    xlsxOf({
      texts: `<si><t>${'a'.repeat(10 * megabyte * size)}</t></si>`,
      sheet: `${subjectRows}${rowXml(3, '<c r="A3" t="s"><v>0</v></c>')}`,
    }),
  'a cell of megabytes': (size) =>
    xlsxOf({ sheet: `${subjectRows}${rowXml(3, textCell('A3', 'b'.repeat(10 * megabyte * size)))}` }),
  'one tag of many attributes': (size) =>
    xlsxOf({ sheet: `<row ${Array.from({ length: 200_000 * size }, (_, index) => `a${index}=""`).join(' ')}/>` }),
  'deeply nested tags': (size) => xlsxOf({ sheet: '<a>'.repeat(200_000 * size) }),
  'thousands of sheets that share one part': (size) =>
    xlsxOf({ sheet: '', workbook: '<sheet name="x" sheetId="2" r:id="rId1"/>'.repeat(20_000 * size) }),
  'a long text in every cell': (size) =>
    xlsxOf({
      texts: `<si><t>${'c'.repeat(32_000)}</t></si>`,
      sheet: Array.from({ length: 2_000 * size }, (_, index) =>
        rowXml(index + 1, `<c r="A${index + 1}" t="s"><v>0</v></c><c r="B${index + 1}" t="s"><v>0</v></c>`),
      ).join(''),
    }),
  'overlapping merges of all rows': (size) =>
    makeXlsx({
      sheets: [
        {
          name: 'List',
          rows: Array.from({ length: 2_000 * size }, (_, index) => [`${index}`, 'd'.repeat(20)]),
          merges: Array.from(
            { length: 200 },
            (_, index) => `${String.fromCharCode(65 + (index % 26))}1:B${2_000 * size}`,
          ),
        },
      ],
    }),
  'a ZIP bomb': (size) => xlsxOf({ otherParts: { 'xl/sharedStrings.xml': Buffer.alloc(40 * megabyte * size, 'e') } }),
  'a ZIP of thousands of parts': (size) =>
    xlsxOf({ otherParts: Object.fromEntries(Array.from({ length: 3_000 * size }, (_, index) => [`x/${index}`, 'x'])) }),
  'a truncated ZIP': async (size) => (await xlsxOf({})).subarray(0, 300 * size),
  'a ZIP with its bytes changed': async (size) => {
    const bytes = await xlsxOf({})
    for (let at = 40; at < bytes.length; at += 37 + size) bytes[at] = (bytes[at] ?? 0) ^ 0x55
    return bytes
  },
  'quotes that open each line': async (size) => csv('"a\n'.repeat(65_000 * size)),
  'quotes that never close': async (size) => csv(`"${'a'.repeat(100_000 * size)}`),
  'quotes within words': async (size) => csv('a"b"c"d\n'.repeat(25_000 * size)),
  'quotes and blanks': async (size) => csv(`"x"${'y" "'.repeat(30_000 * size)}${' '.repeat(30_000 * size)},z\n`),
  'a cell of the whole file': async (size) => csv(`${'f'.repeat(3 * megabyte * size)},g\n`),
  'empty lines only': async (size) => csv('\n'.repeat(3 * megabyte * size)),
  'separators only': async (size) => csv(','.repeat(3 * megabyte * size)),
  'a total of blanks': async (size) => csv(`grand${' '.repeat(30_000)}x,y\n`.repeat(20 * size)),
  'a name of blanks': async (size) => csv(`,${' '.repeat(30_000)}1\n`.repeat(20 * size)),
  'a heading of megabytes': async (size) =>
    Buffer.from(`First name,${'h'.repeat(2 * megabyte * size)}\nAda,Lovelace\n`),
  'ten thousand columns': async (size) => csv(`${'i,'.repeat(10_000 * size)}\n`.repeat(20)),
  'bytes of no valid encoding': async (size) =>
    Buffer.from(Array.from({ length: 100_000 * size }, (_, index) => 128 + ((index * 7) % 127))),
}
