import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import {
  isPurgeConfirmed,
  normaliseField,
  normaliseFields,
  normaliseOptionalCode,
  normaliseReference,
  normaliseSubjectText,
  purgeConfirmation,
  subjectErrors,
  subjectFieldError,
  subjectFullName,
  subjectListErrors,
} from '#domain/subjects/subject-draft.ts'

const person = (firstName: string, lastName = '', own: { reference?: string; code?: string } = {}) => ({
  firstName,
  lastName,
  ...own,
})

const grade: CustomField = {
  id: 1,
  name: 'Grade',
  label: 'Grade',
  inputType: 'text',
  required: true,
  hasOptions: true,
  options: [
    { id: 5, value: '3' },
    { id: 6, value: '4' },
  ],
  templateId: 9,
}
const jersey: CustomField = {
  ...grade,
  name: 'Jersey',
  inputType: 'alphanumeric',
  hasOptions: false,
  options: [],
  templateId: null,
}
const known = [grade, jersey]

describe('what staff write down of a person', () => {
  test.each([
    ['  Mary \n Ann ', 'Mary Ann'],
    ['O~Neill', 'ONeill'],
    ['~ ', ''],
  ])('%j is kept as %j', (written, kept) => expect(normaliseSubjectText(written)).toBe(kept))

  it('keeps no empty reference or code', () => {
    expect([normaliseReference(' '), normaliseReference(null), normaliseReference(' R 1 ')]).toEqual([
      null,
      null,
      'R 1',
    ])
    expect([normaliseOptionalCode(' - '), normaliseOptionalCode(undefined), normaliseOptionalCode('ada-lvl')]).toEqual([
      null,
      null,
      'ADALVL',
    ])
  })

  test.each([
    [person('Ada'), {}],
    [person('', 'Lovelace', { code: '' }), {}],
    [person(' ', '~'), { firstName: ['Type a first or a last name'] }],
    [person('Ada', '', { code: 'abc' }), { code: ['A code has 4 to 12 letters and digits'] }],
    [person('Ada', '', { code: 'ÄBCD' }), { code: ['A code has 4 to 12 letters and digits'] }],
    [person('Ada', '', { code: 'ab-cd' }), {}],
  ])('%j is told what is wrong with it', (draft, errors) => expect(subjectErrors(draft)).toEqual(errors))

  it('tells in a list what two of them have, at the later one', () => {
    const list = [
      person('A', '', { reference: '1', code: 'AAAA' }),
      person('B', '', { reference: ' 1' }),
      person(''),
      person('D', '', { code: 'aa-aa' }),
      person('E', '', { reference: '', code: '' }),
      person('F', '', { reference: '', code: '' }),
    ]
    expect(subjectListErrors(list)).toEqual({
      '1.reference': ['This is there twice'],
      '2.firstName': ['Type a first or a last name'],
      '3.code': ['This is there twice'],
    })
  })

  it('finds as much wrong in a list as in each alone, where nothing is there twice', () => {
    const drafts = fc.array(fc.record({ firstName: fc.string(), lastName: fc.string() }))
    fc.assert(
      fc.property(drafts, (list) => {
        const alone = list.map((draft) => Object.keys(subjectErrors(draft)).length)
        expect(Object.keys(subjectListErrors(list))).toHaveLength(alone.reduce((sum, count) => sum + count, 0))
      }),
    )
  })
})

describe('a field of a person', () => {
  it('has the job’s spelling, and the option it picks', () => {
    expect(normaliseField(known, { name: ' GRADE', value: ' 4 ' })).toEqual({
      name: 'Grade',
      value: '4',
      hasOptions: true,
      templateId: 9,
      optionId: 6,
    })
    expect(normaliseField(known, { name: 'jersey', value: '#12' })).toMatchObject({ name: 'Jersey', value: '12' })
    expect(normaliseField(known, { name: 'Bus', value: ' B~2 ' })).toEqual({
      name: 'Bus',
      value: 'B2',
      hasOptions: false,
      templateId: null,
      optionId: null,
    })
  })

  test.each([
    ['Grade', '4', null],
    ['grade', '', null],
    ['grade', '12', 'This value must be one of 3, 4'],
    ['Bus', 'anything', null],
    ['~', 'x', 'This field is required'],
  ])('%s: %s is told %s', (name, value, message) => expect(subjectFieldError(known, { name, value })).toBe(message))

  it('is the later of two of one name, and none without a value', () => {
    const fields = normaliseFields(known, [
      { name: 'Grade', value: '3' },
      { name: 'Bus', value: '' },
      { name: 'grade', value: '4' },
    ])
    expect(fields.map(({ name, value }) => [name, value])).toEqual([['Grade', '4']])
  })
})

describe('what is typed to delete data', () => {
  it('is the name of one, the number of several', () => {
    expect(subjectFullName(person('', 'Lovelace'))).toBe('Lovelace')
    expect(purgeConfirmation([person('Ada', 'Lovelace')])).toBe('Ada Lovelace')
    expect(purgeConfirmation([person('Ada'), person('Ben')])).toBe('2')
  })

  test.each([
    ['Ada Lovelace', true],
    [' ada  LOVELACE ', true],
    ['Ada', false],
    ['', false],
  ])('%j: %s', (typed, isIt) => expect(isPurgeConfirmed([person('Ada', 'Lovelace')], typed)).toBe(isIt))
})
