import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type ColumnUse,
  columnUseErrors,
  guessColumnUses,
  headingKey,
  type ImportColumn,
} from '#domain/imports/import-columns.ts'
import { planImportRows } from '#domain/imports/import-plan.ts'
import { readSubjectRow, splitName } from '#domain/imports/import-subject.ts'
import { findImportTable } from '#domain/imports/import-table.ts'
import { cleanCell, columnLetters, dateOfSerial, type SheetRow } from '#domain/imports/spreadsheet.ts'
import {
  detailChanges,
  hasSameDetails,
  mergeDetails,
  type SubjectDetails,
  sortDetails,
  subjectNameKey,
} from '#domain/subjects/subject-details.ts'

const ada: SubjectDetails = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  reference: '1',
  code: 'ADALVL',
  groups: ['Room 1'],
  fields: [{ name: 'Grade', value: '3' }],
}
const noDetails: SubjectDetails = { firstName: '', lastName: '', reference: null, code: null, groups: [], fields: [] }

describe('cells of a sheet', () => {
  test.each([
    ['  Ada\u00a0 ', 'Ada'],
    ['a\r\nb\rc', 'a\nb\nc'],
    ['\ufeffA\u200bda\u0000\u0007', 'Ada'],
    ['A\ud800', 'A\ufffd'],
    ['e\u0301', 'é'],
    ['=1+1', '=1+1'],
    ['00123', '00123'],
  ])('%j is cleaned to %j', (cell, cleaned) => expect(cleanCell(cell)).toBe(cleaned))

  test('cleaning a clean cell changes nothing', () => {
    fc.assert(fc.property(fc.string(), (text) => cleanCell(cleanCell(text)) === cleanCell(text)))
  })

  test.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [51, 'AZ'],
    [52, 'BA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('column %i is called %s', (index, letters) => expect(columnLetters(index)).toBe(letters))

  test.each([
    [1, '01/01/1900'],
    [59, '02/28/1900'],
    [60, '02/28/1900'],
    [61, '03/01/1900'],
    [42348, '12/10/2015'],
    [42348.99, '12/10/2015'],
    [2_958_465, '12/31/9999'],
    [0, null],
    [-1, null],
    [2_958_466, null],
  ])('the serial number %d is the day %s', (serial, day) => expect(dateOfSerial(serial)).toBe(day))

  test('a serial number of the 1904 date system means a day that is four years and one day later', () => {
    expect(dateOfSerial(0, '1904')).toBe('01/01/1904')
    expect(dateOfSerial(40_886, '1904')).toBe(dateOfSerial(42_348))
  })
})

const columnsOf = (...headings: string[]): ImportColumn[] =>
  headings.map((heading, index) => ({ index, heading, isNamed: true, samples: ['x'] }))
const guessUses = (...headings: string[]): string[] =>
  guessColumnUses(columnsOf(...headings)).map(({ target, field }) => (field === null ? target : `${target} ${field}`))

describe('columns of a list', () => {
  test.each([
    ['Student #', 'studentnumber'],
    [' First_Name ', 'firstname'],
    ['Prénom', 'prenom'],
    ['***', ''],
  ])('the heading %j has the key %j', (heading, key) => expect(headingKey(heading)).toBe(key))

  test.each<[string[], string[]]>([
    [
      ['First Name', 'LAST-NAME', 'Student ID', 'Access code', 'Group'],
      ['firstName', 'lastName', 'reference', 'code', 'group'],
    ],
    [
      ['Player', 'Team', 'Jersey #'],
      ['fullName', 'group Team', 'field Jersey number'],
    ],
    [
      ['Name', 'Surname'],
      ['firstName', 'lastName'],
    ],
    [
      ['Nom', 'Prénom'],
      ['lastName', 'firstName'],
    ],
    [
      ['Name', 'First', 'Last'],
      ['field Name', 'firstName', 'lastName'],
    ],
    [
      ['Last', 'First', 'ID', 'Student ID'],
      ['lastName', 'firstName', 'field ID', 'reference'],
    ],
    [
      ['Name', 'Class', 'Homeroom', 'Team'],
      ['fullName', 'group', 'field Homeroom', 'field Team'],
    ],
    [
      ['Name', 'Phone', 'Cell', 'Mobile'],
      ['fullName', 'field Phone', 'field Cell', 'field Mobile'],
    ],
    [
      ['Name', 'SSN', 'Lunch status', '504 plan', 'Bus stop'],
      ['fullName', 'ignore', 'ignore', 'ignore', 'field Bus stop'],
    ],
  ])('the headings %j are used as %j', (headings, uses) => expect(guessUses(...headings)).toEqual(uses))

  test('a column without a heading contains names if each cell is "Last, First"', () => {
    const column = { index: 0, heading: 'Column A', isNamed: false, samples: ['Lovelace, Ada', 'Hopper, Grace'] }
    expect(guessColumnUses([column])).toEqual([{ column: 0, target: 'fullName', field: null }])
    const [other] = guessColumnUses([{ ...column, samples: ['Lovelace, Ada', '12, 3'] }])
    expect(other?.target).toBe('ignore')
    expect(guessColumnUses([{ ...column, samples: [] }])[0]?.target).toBe('ignore')
  })

  test('a column headed as the name is used rather than one without a heading that contains names', () => {
    const unnamed = { index: 0, heading: 'Column A', isNamed: false, samples: ['Lovelace, Ann', 'Hopper, Grace'] }
    const named = { index: 1, heading: 'Student Name', isNamed: true, samples: ['Ada Lovelace', 'Ruth Hopper'] }
    const uses = guessColumnUses([unnamed, named])
    expect(uses.map(({ target }) => target)).toEqual(['field', 'fullName'])
  })

  const use = (target: ColumnUse['target'], field: string | null = null, column = 0): ColumnUse => ({
    column,
    target,
    field,
  })
  test.each<[string, ColumnUse[], string[]]>([
    ['no error', [use('fullName'), use('field', 'Grade')], []],
    ['no column of names', [use('reference')], ['Please choose the column with the names']],
    [
      'names in one column and in two',
      [use('fullName'), use('lastName')],
      ['Choose either one column for the full name, or one for the first and one for the last name'],
    ],
    [
      'two columns of student ids',
      [use('lastName'), use('reference'), use('reference')],
      ['Only one column can be the student id'],
    ],
    [
      'two columns of the same field',
      [use('lastName'), use('field', 'Home room'), use('group', 'homeroom')],
      ['Two columns have the name “homeroom”. Please rename one of them'],
    ],
    ['a field without a name', [use('lastName'), use('field', ' ')], ['Please name each field']],
    [
      'a field name that is too long',
      [use('lastName'), use('field', 'x'.repeat(61))],
      ['The name of a field can have at most 60 characters'],
    ],
    ['two columns of groups', [use('firstName'), use('group'), use('group')], []],
  ])('column uses with %s are validated', (_, uses, errors) => expect(columnUseErrors(uses)).toEqual(errors))

  test('guessed columns never have duplicates, whatever the headings are', () => {
    const words = [
      'First',
      'Last',
      'Name',
      'Student',
      'ID',
      'Student ID',
      'Code',
      'Class',
      'Team',
      'Phone',
      'Cell',
      'Bus',
      '',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (headings) => {
        const errors = columnUseErrors(guessColumnUses(columnsOf(...headings)))
        expect(errors.filter((error) => !error.startsWith('Please choose the column'))).toEqual([])
      }),
    )
  })
})

const rowsOf = (...rows: string[]): SheetRow[] =>
  rows.map((row, index) => ({ number: index + 1, cells: row.split(',') }))

describe('finding the table in a sheet', () => {
  test.each<[string, string[], number]>([
    ['headings at the top', ['First,Last', 'Ada,Lovelace'], 1],
    ['headings below titles', ['Students,', 'of 2026,', 'First,Last', 'Ada,Lovelace'], 3],
    ['the heading of a single column', ['Name', 'Ada Lovelace'], 1],
    ['no headings below a title that is a known heading', ['Students,,', 'a,b,c', 'x,1,y', 'z,2,y'], 0],
    ['no headings', ['1,Ada,Lovelace', '2,Grace,Hopper'], 0],
    ['unknown words above figures', ['Wie,Was', 'Ada,3', 'Bo,4'], 1],
    ['no headings for words above a single row of figures', ['Wie,Was', 'Ada,3'], 0],
    ['no headings for the same word twice', ['Ada,Ada', 'Ada,3', 'Bo,4'], 0],
  ])('the heading row is found: %s', (_, rows, headerRow) =>
    expect(findImportTable(rowsOf(...rows)).headerRow).toBe(headerRow),
  )

  it('columns get unique names, and empty ones are left out', () => {
    const { columns } = findImportTable(rowsOf('Name,,Bus,Bus', 'Ada L,,1,2', 'Bo L,,,3'))
    expect(columns).toEqual([
      { index: 0, heading: 'Name', isNamed: true, samples: ['Ada L', 'Bo L'] },
      { index: 2, heading: 'Bus', isNamed: true, samples: ['1'] },
      { index: 3, heading: 'Bus 2', isNamed: true, samples: ['2', '3'] },
    ])
  })

  it('rows that are no subjects are marked with the reason', () => {
    const rows = rowsOf(
      'First,Last,Grade',
      'first,LAST,grade',
      'Ada,Lovelace,3',
      'Total: 1,,',
      'Room 3,,',
      'Bo,,4',
      'Grand Total,1,',
    )
    const { rows: tableRows } = findImportTable([...rows, { number: 9, cells: ['Di', 'No', '1'], isHidden: true }])
    expect(tableRows.map(({ number, skipReason }) => [number, skipReason])).toEqual([
      [2, 'The headings again'],
      [3, null],
      [4, 'This looks like a total'],
      [5, 'Only one cell of this row is filled'],
      [6, null],
      [7, 'This looks like a total'],
      [9, 'This row is hidden in the sheet'],
    ])
  })

  it('the given heading row is used, and none for 0', () => {
    const rows = rowsOf('First,Last', 'a,b', 'Ada,Lovelace')
    expect(findImportTable(rows, 2).columns.map(({ heading }) => heading)).toEqual(['a', 'b'])
    expect(findImportTable(rows, 0).rows).toHaveLength(3)
    expect(findImportTable(rows, 0).columns.map(({ heading }) => heading)).toEqual(['Column A', 'Column B'])
  })
})

describe('reading the subject of a row', () => {
  test.each([
    ['Lovelace, Ada', 'Ada', 'Lovelace'],
    ['van der Berg,  Anna Maria', 'Anna Maria', 'van der Berg'],
    ['Smith, Jr., John', 'John', 'Smith, Jr.'],
    ['Ada Byron Lovelace', 'Ada Byron', 'Lovelace'],
    ['Cher', 'Cher', ''],
    ['', '', ''],
  ])('the name %j is split into %j and %j', (name, firstName, lastName) =>
    expect(splitName(name)).toEqual({ firstName, lastName }),
  )

  const uses: ColumnUse[] = [
    { column: 0, target: 'firstName', field: null },
    { column: 1, target: 'lastName', field: null },
    { column: 2, target: 'reference', field: null },
    { column: 3, target: 'code', field: null },
    { column: 4, target: 'group', field: 'Homeroom' },
    { column: 5, target: 'field', field: 'Date of birth' },
    { column: 6, target: 'ignore', field: null },
  ]
  it('a subject is read by the uses of the columns', () => {
    const { details, error } = readSubjectRow(['Ada', 'Love  lace', '007', 'ada-lvl', 'Room 1', '42348', '#REF!'], uses)
    expect(error).toBeNull()
    expect(details).toEqual({
      firstName: 'Ada',
      lastName: 'Love lace',
      reference: '007',
      code: 'ADALVL',
      groups: ['Room 1'],
      fields: [
        { name: 'Date of birth', value: '12/10/2015' },
        { name: 'Homeroom', value: 'Room 1' },
      ],
    })
  })
  test.each<[string[], string]>([
    [['', '', '1'], 'There is no name in this row'],
    [['--', '7', '1'], 'The name has no letter in it'],
    [['Ada', 'L', '1', 'abc'], 'The code ABC is not one: codes have 4 to 12 letters and digits'],
    [['Ada', '#N/A'], 'A cell shows #N/A instead of a value'],
    [['Ada', 'L', '#######'], 'A cell shows ####### instead of a value'],
    [
      ['Ada', 'L', '1.2E+11'],
      'The student id was shortened to 1.2E+11. Make its column text in the spreadsheet, and save it again',
    ],
    [['A'.repeat(101), 'L'], 'The name is too long'],
    [['Ada', 'L', '1'.repeat(61)], 'The student id is too long'],
    [['Ada', 'L', '', '', 'x'.repeat(101)], 'The group’s name is too long'],
    [['Ada', 'L', '', '', '', 'x'.repeat(501)], '“Date of birth” is too long'],
  ])('the row %j is rejected', (cells, message) => expect(readSubjectRow(cells, uses).error).toBe(message))

  test.each<[string[]]>([[['A'.repeat(100), 'L']], [['Ada', 'L', '1'.repeat(60)]], [['', 'L']], [['Ada']]])(
    'the row %j is accepted',
    (cells) => expect(readSubjectRow(cells, uses).error).toBeNull(),
  )
})

describe('merging a row of a list with a subject', () => {
  it('values of the list replace old values, and missing ones remove nothing', () => {
    expect(mergeDetails(ada, noDetails)).toEqual(ada)
    const listRow = {
      ...noDetails,
      lastName: 'King',
      groups: ['Room 2'],
      fields: [
        { name: 'GRADE', value: '4' },
        { name: 'Bus', value: '7' },
      ],
    }
    expect(mergeDetails(ada, listRow)).toEqual({
      ...ada,
      lastName: 'King',
      groups: ['Room 2'],
      fields: [
        { name: 'Bus', value: '7' },
        { name: 'Grade', value: '4' },
      ],
    })
    expect(
      mergeDetails({ ...ada, groups: ['Choir', 'Room 1'] }, { ...noDetails, groups: ['room 1', 'Band'] }).groups,
    ).toEqual(['Band', 'Choir', 'Room 1'])
    expect(mergeDetails({ ...ada, groups: [] }, { ...noDetails, groups: ['Band'] }).groups).toEqual(['Band'])
  })

  it('changes are listed value by value', () => {
    expect(detailChanges(null, { ...noDetails, firstName: 'Ada', groups: ['A', 'B'] })).toEqual([
      { what: 'First name', from: '', to: 'Ada' },
      { what: 'Group', from: '', to: 'A, B' },
    ])
    expect(detailChanges(ada, { ...ada, code: null, fields: [] })).toEqual([
      { what: 'Access code', from: 'ADALVL', to: '' },
      { what: 'Grade', from: '3', to: '' },
    ])
    expect(detailChanges(ada, ada)).toEqual([])
  })

  it('details are equal in any order, and a name’s key ignores accents, case and apostrophes', () => {
    const details = {
      ...ada,
      groups: ['B', 'A'],
      fields: [
        { name: 'b', value: '1' },
        { name: 'a', value: '2' },
      ],
    }
    expect(hasSameDetails(details, sortDetails(details))).toBe(true)
    expect(hasSameDetails(details, { ...details, groups: ['A'] })).toBe(false)
    expect(subjectNameKey({ firstName: 'Zoë', lastName: 'O’Brien' })).toBe('zoe obrien')
  })
})

describe('planning an import', () => {
  const uses: ColumnUse[] = [
    { column: 0, target: 'fullName', field: null },
    { column: 1, target: 'reference', field: null },
    { column: 2, target: 'group', field: null },
    { column: 3, target: 'code', field: null },
  ]
  const subjects = [
    { id: 1, details: ada },
    { id: 2, details: { ...noDetails, firstName: 'Bo', lastName: 'Ek', groups: ['Room 1'] } },
    { id: 3, details: { ...noDetails, firstName: 'Bo', lastName: 'Ek', groups: ['Room 2'] } },
    { id: 4, details: { ...noDetails, firstName: 'Cy', lastName: 'Fox' } },
  ]
  const planContext = {
    known: subjects,
    groups: ['Room 1', 'Room 2'],
    takenCodes: new Set(['SPRING']),
    matchPolicy: 'update' as const,
  }
  const plan = (rows: string[], overrides: Partial<Parameters<typeof planImportRows>[2]> = {}) =>
    planImportRows(
      rows.map((row, index) => ({ number: index + 1, cells: row.split(','), skipReason: null })),
      uses,
      { ...planContext, ...overrides },
    ).toArray()
  const summariesOfPlan = (rows: string[], overrides = {}) =>
    plan(rows, overrides).map(({ state, subjectId, message }) =>
      [state, subjectId, message].filter((part) => part !== null).join(' '),
    )

  test.each<[string, string[], string[]]>([
    ['a subject is found by its id', ['Ada King,1'], ['update 1']],
    ['a subject without changes stays unchanged', ['Ada Lovelace,1,Room 1'], ['unchanged 1']],
    ['a subject is found by its code', ['A King,,,ADALVL'], ['update 1']],
    ['another id with a known name is a new subject', ['Ada Lovelace,2'], ['create']],
    [
      'a code of a subject with another id is rejected',
      ['Ada Lovelace,2,,ADALVL'],
      ['refused The code ADALVL belongs to someone else'],
    ],
    ['a subject is found by name and group, ignoring accents', ['bo ÉK,,ROOM 2'], ['update 3']],
    ['a subject is found by name and group, ignoring case', ['bo EK,,ROOM 2'], ['update 3']],
    [
      'a name of two subjects is rejected',
      ['Bo Ek'],
      ['refused There are 2 people of this name. Add student ids to tell them apart'],
    ],
    ['a known name in another group is a new subject', ['Bo Ek,,Room 3'], ['create']],
    ['a subject without a group is found by its name', ['Cy Fox,,Room 3'], ['update 4']],
    ['a taken code is rejected for a new subject', ['Di Gray,,,SPRING'], ['refused The code SPRING is taken']],
    ['a taken code is rejected for an existing subject', ['Cy Fox,,,SPRING'], ['refused 4 The code SPRING is taken']],
    [
      'a code of another subject is rejected',
      ['Cy Fox,9,,ADALVL'],
      ['refused The code ADALVL belongs to someone else'],
    ],
    ['a repeated row is skipped', ['Di Gray', 'Di Gray'], ['create', 'skipped The same as row 1']],
    [
      'the same code in two rows is rejected',
      ['Di Gray,,,CODE1', 'Ed Hill,,,CODE1'],
      ['create', 'refused Row 1 has the same access code'],
    ],
    [
      'the same name and group in two rows is rejected',
      ['Di Gray,,A,CODE1', 'Di Gray,,a'],
      ['create', 'refused Row 1 has the same name and group. Add student ids to tell them apart'],
    ],
    [
      'the same subject in two rows is rejected',
      ['Ada Lovelace,1', 'Ada Lovelace'],
      ['unchanged 1', 'refused 1 Row 1 is for the same person'],
    ],
  ])('the rows of a list are planned: %s', (_, rows, expected) => expect(summariesOfPlan(rows)).toEqual(expected))

  it('existing subjects stay unchanged with the policy "skip", and groups keep their first spelling', () => {
    expect(summariesOfPlan(['Ada King,1', 'Di Gray'], { matchPolicy: 'skip' })).toEqual([
      'skipped 1 This person already exists',
      'create',
    ])
    expect(plan(['Di Gray,,room 1', 'Ed Hill,,New', 'Flo Ives,,NEW']).map(({ details }) => details.groups)).toEqual([
      ['Room 1'],
      ['New'],
      ['New'],
    ])
  })

  it('rows that are no subjects are skipped', () => {
    const [row] = planImportRows(
      [{ number: 7, cells: ['Total 3'], skipReason: 'This looks like a total' }],
      uses,
      planContext,
    )
    expect(row).toMatchObject({ number: 7, state: 'skipped', message: 'This looks like a total', subjectId: null })
  })

  test('an import creates no student id twice, and planning the same list afterwards creates no subjects', () => {
    const name = fc.constantFrom('Ada Lovelace', 'Bo Ek', 'Cy Fox', 'Di Gray', 'Ed Hill')
    const row = fc.tuple(name, fc.constantFrom('', '1', '2', '3'), fc.constantFrom('', 'Room 1', 'Room 2', 'New'))
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const list = rows.map((cells) => cells.join(','))
        const first = plan(list, { known: [] })
        const createdSubjects = first.flatMap(({ state, after, number }) =>
          state === 'create' && after ? [{ id: number, details: after }] : [],
        )
        const ids = createdSubjects.flatMap(({ details }) => details.reference ?? [])
        expect(ids).toEqual([...new Set(ids)])
        const secondPlan = plan(list, { known: createdSubjects })
        expect(secondPlan.filter(({ state }) => state === 'create')).toEqual([])
      }),
    )
  })
})
