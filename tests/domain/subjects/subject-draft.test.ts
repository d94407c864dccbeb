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

describe('a subject typed in by staff', () => {
  test.each([
    ['  Mary \n Ann ', 'Mary Ann'],
    ['O~Neill', 'ONeill'],
    ['~ ', ''],
  ])('%j is normalised to %j', (written, kept) => expect(normaliseSubjectText(written)).toBe(kept))

  it('empty references and codes are null', () => {
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
  ])('%j has errors', (draft, errors) => expect(subjectErrors(draft)).toEqual(errors))

  it('duplicates in a list are reported at the later subject', () => {
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

  it('a list without duplicates has the errors of each subject alone', () => {
    const drafts = fc.array(fc.record({ firstName: fc.string(), lastName: fc.string() }))
    fc.assert(
      fc.property(drafts, (list) => {
        const alone = list.map((draft) => Object.keys(subjectErrors(draft)).length)
        expect(Object.keys(subjectListErrors(list))).toHaveLength(alone.reduce((sum, count) => sum + count, 0))
      }),
    )
  })
})

describe('a field of a subject', () => {
  it('a field gets the job’s spelling of its name and the id of the chosen option', () => {
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
  ])('%s: %s has the error %s', (name, value, message) =>
    expect(subjectFieldError(known, { name, value })).toBe(message),
  )

  it('of fields with the same name the last one is stored, and empty ones are not', () => {
    const fields = normaliseFields(known, [
      { name: 'Grade', value: '3' },
      { name: 'Bus', value: '' },
      { name: 'grade', value: '4' },
    ])
    expect(fields.map(({ name, value }) => [name, value])).toEqual([['Grade', '4']])
  })
})

describe('the confirmation typed to delete data', () => {
  it('the confirmation is the name of one subject, or the number of several', () => {
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
