import { makeXlsx, zipOf } from '../imports/parsing/make-xlsx.ts'

const head = '<?xml version="1.0"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

type Parts = {
  sheet?: string
  styles?: string
  texts?: string
  workbook?: string
  more?: Record<string, string | Buffer>
}

const row = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`
const text = (at: string, said: string): string => `<c r="${at}" t="inlineStr"><is><t>${said}</t></is></c>`
const people = `${row(1, text('A1', 'First name') + text('B1', 'Last name'))}${row(2, text('A2', 'Ada') + text('B2', 'Lovelace'))}`

/** An Excel file of parts that no program would write. */
export const xlsxOf = ({ sheet = people, styles = '', texts = '', workbook = '', more = {} }: Parts): Promise<Buffer> =>
  zipOf({
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="List" sheetId="1" r:id="rId1"/>${workbook}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${texts}</sst>`,
    ...more,
  })

const megabyte = 1024 * 1024
const csv = (body: string): Buffer => Buffer.from(`First name,Last name\n${body}`)

/** Lists that once blocked the server or exhausted its memory, each scaled by a size from 1. */
export const hostileLists: Readonly<Record<string, (size: number) => Promise<Buffer>>> = {
  'a cell reference of digits': (size) =>
    xlsxOf({ sheet: `${people}${row(3, `<c r="A${'1'.repeat(20_000 * size)}x"><v>1</v></c>`)}` }),
  'a merged range of digits': (size) =>
    xlsxOf({ sheet: `${people}<mergeCells><mergeCell ref="A1:A${'1'.repeat(20_000 * size)}x"/></mergeCells>` }),
  'a row number of digits': (size) =>
    xlsxOf({ sheet: `<row r="${'9'.repeat(10_000 * size)}">${text('A1', 'Ada')}</row>` }),
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
      styles: `<numFmts>${Array.from({ length: 10_000 * size }, (_, at) => `<numFmt numFmtId="${at}" formatCode="[h]yyyy${at}"/>`).join('')}</numFmts>`,
    }),
  'a shared text of megabytes': (size) =>
    xlsxOf({
      texts: `<si><t>${'a'.repeat(10 * megabyte * size)}</t></si>`,
      sheet: `${people}${row(3, '<c r="A3" t="s"><v>0</v></c>')}`,
    }),
  'a cell of megabytes': (size) =>
    xlsxOf({ sheet: `${people}${row(3, text('A3', 'b'.repeat(10 * megabyte * size)))}` }),
  'one tag of a million attributes': (size) =>
    xlsxOf({ sheet: `<row ${Array.from({ length: 200_000 * size }, (_, at) => `a${at}=""`).join(' ')}/>` }),
  'tags within tags': (size) => xlsxOf({ sheet: '<a>'.repeat(200_000 * size) }),
  'thousands of sheets of one part': (size) =>
    xlsxOf({ sheet: '', workbook: '<sheet name="x" sheetId="2" r:id="rId1"/>'.repeat(20_000 * size) }),
  'a long text in every cell': (size) =>
    xlsxOf({
      texts: `<si><t>${'c'.repeat(32_000)}</t></si>`,
      sheet: Array.from({ length: 2_000 * size }, (_, at) =>
        row(at + 1, `<c r="A${at + 1}" t="s"><v>0</v></c><c r="B${at + 1}" t="s"><v>0</v></c>`),
      ).join(''),
    }),
  'a merge over everything': (size) =>
    makeXlsx({
      sheets: [
        {
          name: 'List',
          rows: Array.from({ length: 2_000 * size }, (_, at) => [`${at}`, 'd'.repeat(20)]),
          merges: Array.from({ length: 200 }, (_, at) => `${String.fromCharCode(65 + (at % 26))}1:B${2_000 * size}`),
        },
      ],
    }),
  'a bomb': (size) => xlsxOf({ more: { 'xl/sharedStrings.xml': Buffer.alloc(40 * megabyte * size, 'e') } }),
  'a ZIP of thousands of parts': (size) =>
    xlsxOf({ more: Object.fromEntries(Array.from({ length: 3_000 * size }, (_, at) => [`x/${at}`, 'x'])) }),
  'a ZIP cut short': async (size) => (await xlsxOf({})).subarray(0, 300 * size),
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
  'lines and nothing else': async (size) => csv('\n'.repeat(3 * megabyte * size)),
  'separators and nothing else': async (size) => csv(','.repeat(3 * megabyte * size)),
  'a total of blanks': async (size) => csv(`grand${' '.repeat(30_000)}x,y\n`.repeat(20 * size)),
  'a name of blanks': async (size) => csv(`,${' '.repeat(30_000)}1\n`.repeat(20 * size)),
  'a heading of megabytes': async (size) =>
    Buffer.from(`First name,${'h'.repeat(2 * megabyte * size)}\nAda,Lovelace\n`),
  'ten thousand columns': async (size) => csv(`${'i,'.repeat(10_000 * size)}\n`.repeat(20)),
  'bytes of no encoding': async (size) =>
    Buffer.from(Array.from({ length: 100_000 * size }, (_, at) => 128 + ((at * 7) % 127))),
}
