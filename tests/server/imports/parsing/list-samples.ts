import { makeXlsx, zipOf } from './make-xlsx.ts'

/**
 * A file such as schools send, with the expected result: the imported subjects (`people`) and the rows that are left out
 * with their reasons (`left`), or the message about the file (`error`).
 */
export type ListSample = {
  readonly name: string
  readonly fileName: string
  readonly bytes: () => Promise<Buffer> | Buffer
  /** What staff choose if the guessed sheet, header row or columns are wrong. */
  readonly sheet?: string
  readonly headerRow?: number
  readonly uses?: Readonly<Record<string, string>>
} & ({ readonly people: readonly string[]; readonly left?: readonly string[] } | { readonly error: string })

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')
const lines = (...rows: string[]): string => `${rows.join('\r\n')}\r\n`

/** Encodes a text with the bytes of a code page. */
const encodeWith = (letters: Readonly<Record<string, number>>, text: string): Buffer =>
  Buffer.from([...text].map((letter) => letters[letter] ?? letter.charCodeAt(0)))

const windows1252 = { é: 0xe9, ñ: 0xf1, ú: 0xfa, ë: 0xeb, '’': 0x92, í: 0xed, Ö: 0xd6 }
const macRoman = { é: 0x8e, ñ: 0x96, ú: 0x9c, ë: 0x91, '’': 0xd5, í: 0x92, Ö: 0x85 }
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const accents = lines('First name,Last name,Grade', 'Zoë,Núñez,3', 'José,O’Brien,4', 'María,García,2', 'Östen,Åker,1')
const accented = ['José O’Brien; Grade=4', 'María García; Grade=2', 'Zoë Núñez; Grade=3', 'Östen Åker; Grade=1']
const someAccents = accents.replace('Östen,Åker,1\r\n', '')
const someAccented = accented.slice(0, 3)

const ada = ['Ada', 'Lovelace'] as const
const grace = ['Grace', 'Hopper'] as const
const plainTable = (separator: string): string =>
  lines(
    ['Student ID', 'Last Name', 'First Name', 'Homeroom', 'Grade'].join(separator),
    ['00123', 'Lovelace', 'Ada', 'Room 12', '3'].join(separator),
    ['00124', 'Hopper', 'Grace', 'Room 12', '3'].join(separator),
  )
const plainPeople = [
  'Ada Lovelace; id 00123; in Room 12; Grade=3; Homeroom=Room 12',
  'Grace Hopper; id 00124; in Room 12; Grade=3; Homeroom=Room 12',
]
const adaAndGrace = ['Ada Lovelace', 'Grace Hopper']
const heading = ['First Name', 'Last Name'] as const
const sheetOf = (rows: Parameters<typeof makeXlsx>[0]['sheets'][number]['rows'], extra: object = {}) =>
  makeXlsx({ sheets: [{ name: 'Sheet1', rows, ...extra }] })

const csv: ListSample[] = [
  { name: 'UTF-8 without a mark', fileName: 'roster.csv', bytes: () => utf8(accents), people: accented },
  { name: 'UTF-8 with a mark', fileName: 'roster.csv', bytes: () => utf8(`\ufeff${accents}`), people: accented },
  {
    name: 'UTF-16 little endian, Excel’s “Unicode text”',
    fileName: 'roster.txt',
    bytes: () => Buffer.from(`\ufeff${accents.replaceAll(',', '\t')}`, 'utf16le'),
    people: accented,
  },
  { name: 'UTF-16 big endian', fileName: 'roster.csv', bytes: () => bigEndian(`\ufeff${accents}`), people: accented },
  {
    name: 'UTF-16 without a mark',
    fileName: 'roster.csv',
    bytes: () => Buffer.from(accents, 'utf16le'),
    people: accented,
  },
  {
    name: 'Windows-1252',
    fileName: 'roster.csv',
    bytes: () => encodeWith(windows1252, someAccents),
    people: someAccented,
  },
  { name: 'Mac Roman', fileName: 'roster.csv', bytes: () => encodeWith(macRoman, someAccents), people: someAccented },
  {
    name: 'commas, with leading zeros preserved',
    fileName: 'a.csv',
    bytes: () => utf8(plainTable(',')),
    people: plainPeople,
  },
  { name: 'semicolons', fileName: 'a.csv', bytes: () => utf8(plainTable(';')), people: plainPeople },
  { name: 'tabs', fileName: 'a.tsv', bytes: () => utf8(plainTable('\t')), people: plainPeople },
  { name: 'pipes', fileName: 'a.txt', bytes: () => utf8(plainTable('|')), people: plainPeople },
  {
    name: 'a separator declared by Excel’s sep line',
    fileName: 'a.csv',
    bytes: () => utf8(`sep=;\r\n${lines('Name;Grade', '"Lovelace, Ada";3', '"Hopper, Grace";4')}`),
    people: ['Ada Lovelace; Grade=3', 'Grace Hopper; Grade=4'],
  },
  {
    name: 'carriage returns as line ends',
    fileName: 'a.csv',
    bytes: () => utf8('First,Last\rAda,Lovelace\rGrace,Hopper\r'),
    people: adaAndGrace,
  },
  {
    name: 'doubled quotes and separators in quotes',
    fileName: 'a.csv',
    bytes: () =>
      utf8(lines('"First Name","Last Name","Notes"', '"Ada ""Countess""","Lovelace","a, b"', 'Grace,Hopper,')),
    people: ['Ada "Countess" Lovelace; Notes=a, b', 'Grace Hopper'],
  },
  {
    name: 'line breaks in a cell and in a heading',
    fileName: 'a.csv',
    bytes: () => utf8('"First\nName",Last Name,Notes\nAda,Lovelace,"two\nlines"\nGrace,Hopper,\n'),
    people: ['Ada Lovelace; Notes=two\nlines', 'Grace Hopper'],
  },
  {
    name: 'a stray quote that never closes',
    fileName: 'a.csv',
    bytes: () =>
      utf8(lines('First,Last,Height', 'Ada,Lovelace,"5 ft', 'Grace,Hopper,5 ft 6', '"Mary",Somerville,"5, 7"')),
    people: ['Ada Lovelace; Height=5 ft', 'Grace Hopper; Height=5 ft 6', 'Mary Somerville; Height=5, 7'],
  },
  {
    name: 'titles and blank rows above the headings',
    fileName: 'a.csv',
    bytes: () =>
      utf8(
        lines(
          'Lincoln Elementary,,',
          'Roster of 9/1/2026,,',
          ',,',
          'First Name,Last Name,Grade',
          'Ada,Lovelace,3',
          ',,',
          'Grace,Hopper,4',
        ),
      ),
    people: ['Ada Lovelace; Grade=3', 'Grace Hopper; Grade=4'],
  },
  {
    name: 'blank columns before and between',
    fileName: 'a.csv',
    bytes: () => utf8(lines(',First Name,,Last Name,', ',Ada,,Lovelace,', ',Grace,,Hopper,')),
    people: adaAndGrace,
  },
  {
    name: 'repeated headings, sums and a note at the end',
    fileName: 'a.csv',
    bytes: () =>
      utf8(
        lines(
          'First,Last,Grade',
          'Ada,Lovelace,3',
          'First,Last,Grade',
          'Grace,Hopper,4',
          'Total students,2,',
          'Printed by SIS 9/1,,',
        ),
      ),
    people: ['Ada Lovelace; Grade=3', 'Grace Hopper; Grade=4'],
    left: [
      '3 skipped: The headings again',
      '5 skipped: This looks like a total',
      '6 skipped: Only one cell of this row is filled',
    ],
  },
  {
    name: 'no headings',
    fileName: 'a.csv',
    bytes: () => utf8(lines('00123,Ada,Lovelace,3', '00124,Grace,Hopper,4')),
    uses: { 'Column A': 'reference', 'Column B': 'firstName', 'Column C': 'lastName', 'Column D': 'field Grade' },
    people: ['Ada Lovelace; id 00123; Grade=3', 'Grace Hopper; id 00124; Grade=4'],
  },
  {
    name: 'names in one column, last name first',
    fileName: 'a.csv',
    bytes: () => utf8(lines('Student,Teacher', '"Lovelace, Ada",Ms. Lee', '"van der Berg, Anna Maria",Ms. Lee')),
    people: ['Ada Lovelace; Teacher=Ms. Lee', 'Anna Maria van der Berg; Teacher=Ms. Lee'],
  },
  {
    name: 'names in one column, first name first',
    fileName: 'a.csv',
    bytes: () => utf8(lines('Player,Team,Jersey #', 'Ada Lovelace,U10 Blue,7', 'Grace B. Hopper,U10 Blue,00')),
    people: [
      'Ada Lovelace; in U10 Blue; Jersey number=7; Team=U10 Blue',
      'Grace B. Hopper; in U10 Blue; Jersey number=00; Team=U10 Blue',
    ],
  },
  {
    name: 'a list of names only',
    fileName: 'a.txt',
    bytes: () => utf8('Name\nAda Lovelace\nGrace Hopper\n'),
    people: adaAndGrace,
  },
  {
    name: 'dates as Excel’s numbers in a CSV',
    fileName: 'a.csv',
    bytes: () => utf8(lines('First,Last,DOB', 'Ada,Lovelace,42348', 'Grace,Hopper,12/09/2016')),
    people: ['Ada Lovelace; Date of birth=12/10/2015', 'Grace Hopper; Date of birth=12/09/2016'],
  },
  {
    name: 'formulas in a CSV, which stay text',
    fileName: 'a.csv',
    bytes: () => utf8(lines('First,Last,Notes', 'Ada,Lovelace,=HYPERLINK("http://x.test")', 'Grace,Hopper,@SUM(A1)')),
    people: ['Ada Lovelace; Notes=@x', 'Grace Hopper; Notes=@SUM(A1)'].map((line) =>
      line.replace('@x', '=HYPERLINK("http://x.test")'),
    ),
  },
  {
    name: 'a repeated subject, and two subjects with the same id',
    fileName: 'a.csv',
    bytes: () =>
      utf8(lines('Student ID,First,Last', '1,Ada,Lovelace', '2,Grace,Hopper', '1,Ada,Lovelace', '2,Mary,Somerville')),
    people: ['Ada Lovelace; id 1', 'Grace Hopper; id 2'],
    left: ['4 skipped: The same as row 2', '5 refused: Row 3 has the same student id'],
  },
  {
    name: 'rows that are refused',
    fileName: 'a.csv',
    bytes: () =>
      utf8(
        lines(
          'Student ID,First,Last,Access code,Grade',
          '1,Ada,Lovelace,adal-vl,3',
          '2,,,,4',
          '1.23457E+08,Grace,Hopper,,4',
          '4,Mary,Somerville,no!,4',
          '5,#N/A,Noether,,4',
        ),
      ),
    people: ['Ada Lovelace; id 1; code ADALVL; Grade=3'],
    left: [
      '3 refused: There is no name in this row',
      '4 refused: The student id was shortened to 1.23457E+08. Make its column text in the spreadsheet, and save it again',
      '5 refused: The code NO! is not one: codes have 4 to 12 letters and digits',
      '6 refused: A cell shows #N/A instead of a value',
    ],
  },
  {
    name: 'sensitive columns, which are left out',
    fileName: 'a.csv',
    bytes: () => utf8(lines('First,Last,SSN,Allergies,Bus', 'Ada,Lovelace,111-22-3333,nuts,7')),
    people: ['Ada Lovelace; Bus=7'],
  },
  {
    name: 'headings in another language',
    fileName: 'a.csv',
    bytes: () => utf8(lines('Nombre;Apellidos;Grado', 'Ada;Lovelace;3')),
    people: ['Ada Lovelace; Grado=3'],
  },
]

const excel: ListSample[] = [
  {
    name: 'a plain sheet',
    fileName: 'roster.xlsx',
    bytes: () =>
      sheetOf([
        ['Student ID', ...heading],
        ['00123', ...ada],
        ['00124', ...grace],
      ]),
    people: ['Ada Lovelace; id 00123', 'Grace Hopper; id 00124'],
  },
  {
    name: 'numbers as numbers, as texts, and with leading zeros',
    fileName: 'roster.xlsx',
    bytes: () =>
      sheetOf([
        ['ID', ...heading, 'Locker'],
        [{ value: 123, format: '00000' }, ...ada, 7.1],
        [123456789012, ...grace, 12],
        ['00042', 'Mary', 'Somerville', 0.1 + 0.2],
      ]),
    people: [
      'Ada Lovelace; id 00123; Locker=7.1',
      'Grace Hopper; id 123456789012; Locker=12',
      'Mary Somerville; id 00042; Locker=0.3',
    ],
  },
  {
    name: 'dates as Excel stores them',
    fileName: 'roster.xlsx',
    bytes: () =>
      sheetOf([
        [...heading, 'Birthday', 'Enrolled'],
        [...ada, { value: 42348, format: 14 }, { value: 45901.5, format: 'yyyy\\-mm\\-dd h:mm' }],
        [...grace, { value: 42713, format: '[$-409]d\\ mmm\\ yyyy' }, 'last year'],
      ]),
    people: [
      'Ada Lovelace; Date of birth=12/10/2015; Enrolled=09/01/2025',
      'Grace Hopper; Date of birth=12/09/2016; Enrolled=last year',
    ],
  },
  {
    name: 'dates counted from 1904, as Excel on a Macintosh stored them',
    fileName: 'roster.xlsx',
    bytes: () =>
      makeXlsx({
        dateSystem: '1904',
        sheets: [
          {
            name: 'Sheet1',
            rows: [
              [...heading, 'DOB'],
              [...ada, { value: 40886, format: 14 }],
            ],
          },
        ],
      }),
    people: ['Ada Lovelace; Date of birth=12/10/2015'],
  },
  {
    name: 'merged titles, and a homeroom merged over its subjects',
    fileName: 'roster.xlsx',
    bytes: () =>
      sheetOf(
        [
          ['Lincoln Elementary', null, null],
          ['Homeroom', ...heading],
          ['Room 12', ...ada],
          [null, ...grace],
          ['Room 13', 'Mary', 'Somerville'],
        ],
        { merges: ['A1:C1', 'A3:A4'] },
      ),
    people: [
      'Ada Lovelace; in Room 12; Homeroom=Room 12',
      'Grace Hopper; in Room 12; Homeroom=Room 12',
      'Mary Somerville; in Room 13; Homeroom=Room 13',
    ],
  },
  {
    name: 'several sheets, of which one is chosen, and a hidden one',
    fileName: 'roster.xlsx',
    bytes: () =>
      makeXlsx({
        sheets: [
          { name: 'Read me', rows: [['How to use this workbook'], ['Ask the office']] },
          { name: 'Codes', state: 'hidden', rows: [['x']] },
          { name: 'Grade 3', rows: [[...heading], [...ada], [...grace]] },
        ],
      }),
    sheet: 'Grade 3',
    people: adaAndGrace,
  },
  {
    name: 'rows that are hidden',
    fileName: 'roster.xlsx',
    bytes: () => sheetOf([[...heading], [...ada], [...grace]], { hiddenRows: [3] }),
    people: ['Ada Lovelace'],
    left: ['3 skipped: This row is hidden in the sheet'],
  },
  {
    name: 'formulas with values',
    fileName: 'roster.xlsx',
    bytes: () =>
      sheetOf([
        ['Name', 'Grade'],
        [
          { formula: 'B9&", "&A9', result: 'Lovelace, Ada' },
          { formula: '2+1', result: 3 },
        ],
        ['Hopper, Grace', { error: '#REF!' }],
      ]),
    people: ['Ada Lovelace; Grade=3'],
    left: ['3 refused: A cell shows #REF! instead of a value'],
  },
  {
    name: 'inline texts and rich texts',
    fileName: 'export.xlsx',
    bytes: () =>
      makeXlsx({
        isInline: true,
        sheets: [{ name: 'Export', rows: [[...heading], [...ada], ['Grace', { rich: ['Hop', 'per'] }]] }],
      }),
    people: adaAndGrace,
  },
  {
    name: 'XML names with prefixes, and Excel’s own escapes',
    fileName: 'export.xlsx',
    bytes: () =>
      makeXlsx({
        prefix: 'x:',
        sheets: [
          {
            name: 'R&D <1>',
            rows: [
              [...heading, 'Notes'],
              [...ada, 'a_x000D_\nb & <c>'],
              [...grace, true],
            ],
          },
        ],
      }),
    people: ['Ada Lovelace; Notes=a\nb & <c>', 'Grace Hopper; Notes=TRUE'],
  },
  {
    name: 'a .csv that is an Excel file',
    fileName: 'roster.csv',
    bytes: () => sheetOf([[...heading], [...ada], [...grace]]),
    people: adaAndGrace,
  },
  {
    name: 'headings in a row that staff choose',
    fileName: 'roster.xlsx',
    headerRow: 3,
    bytes: () => sheetOf([['Name', 'Phone'], ['Office', '555-0100'], ['Vorname', 'Nachname'], [...ada], [...grace]]),
    people: adaAndGrace,
  },
]

/** An OLE compound file, the format of Excel files before 2007 and of encrypted ones. */
const compound = (extra: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(504), extra])

/** An Excel file whose directory declares this unpacked size for each part. */
const withDeclaredSize = async (size: number): Promise<Buffer> => {
  const bytes = await sheetOf([[...heading], [...ada]])
  const entry = Buffer.from([0x50, 0x4b, 0x01, 0x02])
  for (let at = bytes.indexOf(entry); at >= 0; at = bytes.indexOf(entry, at + 4)) bytes.writeUInt32LE(size, at + 24)
  return bytes
}

const unreadable: ListSample[] = [
  {
    name: 'an Excel file from before 2007',
    fileName: 'old.xls',
    bytes: () => compound(Buffer.from('Workbook', 'utf16le')),
    error: 'This is an Excel file from before 2007 (.xls). Save it as .xlsx or CSV',
  },
  {
    name: 'an Excel file with a password',
    fileName: 'locked.xlsx',
    bytes: () => compound(Buffer.from('EncryptedPackage', 'utf16le')),
    error: 'This file is protected by a password. Save it as .xlsx or CSV without one',
  },
  {
    name: 'a Numbers file',
    fileName: 'list.numbers',
    bytes: () => zipOf({ 'Index/Document.iwa': 'x' }),
    error: 'This is a Numbers file. Save it as .xlsx or CSV',
  },
  {
    name: 'an OpenDocument file',
    fileName: 'list.ods',
    bytes: () => zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    error: 'This is an OpenDocument file. Save it as .xlsx or CSV',
  },
  {
    name: 'a web page named .xls',
    fileName: 'export.xls',
    bytes: () => utf8('<html><table><tr><td>Ada</td></tr></table></html>'),
    error: 'This is a web page, whatever its name says. Open it in Excel. Save it as .xlsx or CSV',
  },
  {
    name: 'a PDF',
    fileName: 'list.pdf',
    bytes: () => utf8('%PDF-1.7\n'),
    error: 'This is a PDF. Ask for the list as .xlsx or CSV',
  },
  { name: 'an empty file', fileName: 'a.csv', bytes: () => utf8('\ufeff \r\n'), error: 'This file is empty' },
  {
    name: 'headings without subjects',
    fileName: 'a.csv',
    bytes: () => utf8('First,Last\r\n'),
    error: 'There are no people below the headings of this list',
  },
  {
    name: 'a damaged Excel file',
    fileName: 'cut.xlsx',
    bytes: async () => (await sheetOf([[...heading], [...ada]])).subarray(0, 900),
    error: 'This Excel file is damaged. Open it in Excel. Save it as .xlsx or CSV',
  },
  {
    name: 'a ZIP that unpacks to far more than its size',
    fileName: 'bomb.xlsx',
    bytes: () => withDeclaredSize(2_000_000_000),
    error: 'This file unpacks to more than we can take. Send only the sheet with the list',
  },
  {
    name: 'a ZIP that unpacks to more than it declares',
    fileName: 'bomb.xlsx',
    bytes: () => withDeclaredSize(10),
    error: 'This Excel file is damaged. Open it in Excel. Save it as .xlsx or CSV',
  },
  {
    name: 'too many merged cells',
    fileName: 'merged.xlsx',
    bytes: () =>
      sheetOf([[...heading], ...Array.from({ length: 1_000 }, () => [...ada])], {
        merges: Array.from({ length: 1_100 }, () => 'A2:A1001'),
      }),
    error: 'This sheet has more merged cells than any list. Unmerge them in Excel, and send it again',
  },
  {
    name: 'bytes that are not text',
    fileName: 'a.csv',
    bytes: () => Buffer.from([1, 0, 0, 0, 7, 0, 9, 0, 0, 0, 1]),
    error: 'We cannot read this kind of file. Save it as .xlsx or CSV',
  },
]

/** All sample lists. */
export const listSamples: readonly ListSample[] = [...csv, ...excel, ...unreadable]
