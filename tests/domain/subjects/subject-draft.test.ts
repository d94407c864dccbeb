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

const draftOf = (firstName: string, lastName = '', identifiers: { reference?: string; code?: string } = {}) => ({
  firstName,
  lastName,
  ...identifiers,
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
const jobFields = [grade, jersey]

describe('a subject typed in by staff', () => {
  test.each([
    ['  Mary \n Ann ', 'Mary Ann'],
    ['O~Neill', 'ONeill'],
    ['~ ', ''],
  ])('the typed text %j is normalised to %j', (typed, normalised) =>
    expect(normaliseSubjectText(typed)).toBe(normalised),
  )

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
    [draftOf('Ada'), {}],
    [draftOf('', 'Lovelace', { code: '' }), {}],
    [draftOf(' ', '~'), { firstName: ['Type a first or a last name'] }],
    [draftOf('Ada', '', { code: 'abc' }), { code: ['A code has 4 to 12 letters and digits'] }],
    [draftOf('Ada', '', { code: 'ÄBCD' }), { code: ['A code has 4 to 12 letters and digits'] }],
    [draftOf('Ada', '', { code: 'ab-cd' }), {}],
  ])('the subject %j has the errors %j', (draft, errors) => expect(subjectErrors(draft)).toEqual(errors))

  it('duplicates in a list are reported at the later subject', () => {
    const list = [
      draftOf('A', '', { reference: '1', code: 'AAAA' }),
      draftOf('B', '', { reference: ' 1' }),
      draftOf(''),
      draftOf('D', '', { code: 'aa-aa' }),
      draftOf('E', '', { reference: '', code: '' }),
      draftOf('F', '', { reference: '', code: '' }),
    ]
    expect(subjectListErrors(list)).toEqual({
      '1.reference': ['This is listed twice'],
      '2.firstName': ['Type a first or a last name'],
      '3.code': ['This is listed twice'],
    })
  })

  it('a list without duplicates has the errors of each subject alone', () => {
    const drafts = fc.array(fc.record({ firstName: fc.string(), lastName: fc.string() }))
    fc.assert(
      fc.property(drafts, (list) => {
        const errorCounts = list.map((draft) => Object.keys(subjectErrors(draft)).length)
        expect(Object.keys(subjectListErrors(list))).toHaveLength(errorCounts.reduce((sum, count) => sum + count, 0))
      }),
    )
  })
})

describe('a field of a subject', () => {
  it('a field gets the job’s spelling of its name and the id of the chosen option', () => {
    expect(normaliseField(jobFields, { name: ' GRADE', value: ' 4 ' })).toEqual({
      name: 'Grade',
      value: '4',
      hasOptions: true,
      templateId: 9,
      optionId: 6,
    })
    expect(normaliseField(jobFields, { name: 'jersey', value: '#12' })).toMatchObject({ name: 'Jersey', value: '12' })
    expect(normaliseField(jobFields, { name: 'Bus', value: ' B~2 ' })).toEqual({
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
  ])('the field %j with the value %j has the error %s', (name, value, message) =>
    expect(subjectFieldError(jobFields, { name, value })).toBe(message),
  )

  it('of fields with the same name the last one is stored, and empty ones are not', () => {
    const fields = normaliseFields(jobFields, [
      { name: 'Grade', value: '3' },
      { name: 'Bus', value: '' },
      { name: 'grade', value: '4' },
    ])
    expect(fields.map(({ name, value }) => [name, value])).toEqual([['Grade', '4']])
  })
})

describe('the confirmation typed to delete data', () => {
  it('the confirmation is the name of one subject, or the number of several', () => {
    expect(subjectFullName(draftOf('', 'Lovelace'))).toBe('Lovelace')
    expect(purgeConfirmation([draftOf('Ada', 'Lovelace')])).toBe('Ada Lovelace')
    expect(purgeConfirmation([draftOf('Ada'), draftOf('Ben')])).toBe('2')
  })

  test.each([
    ['Ada Lovelace', true],
    [' ada  LOVELACE ', true],
    ['Ada', false],
    ['', false],
  ])('the typed text %j confirms the deletion: %s', (typed, isConfirmed) =>
    expect(isPurgeConfirmed([draftOf('Ada', 'Lovelace')], typed)).toBe(isConfirmed),
  )
})
