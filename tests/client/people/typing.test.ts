import { describe, expect, test } from 'vitest'
import {
  dataFieldsOf,
  draftOf,
  nothingTyped,
  trimmed,
  typingErrors,
  typingFrom,
} from '../../../src/client/customer/people/typing.ts'
import { customField } from '../../domain/examples.ts'

const grade = customField({ id: 2, name: 'Grade', required: true, hasOptions: true, options: [{ id: 5, value: '3' }] })
const fields = [grade, customField()]
const bo = { firstName: ' Bo ', lastName: 'Ek', answers: { Grade: '3' } }

describe('somebody being typed in', () => {
  test('lacks a name and what is required, each said at its field', () => {
    const required = ['This field is required']
    expect(typingErrors(nothingTyped, { fields, named: true })).toEqual({
      firstName: required,
      lastName: required,
      'answers.Grade': required,
    })
    expect(typingErrors(nothingTyped, { fields, named: false })).toEqual({ 'answers.Grade': required })
    expect(typingErrors(bo, { fields, named: true })).toEqual({})
  })

  test('answers every question, those taken back too', () => {
    expect(dataFieldsOf(trimmed(bo), fields, [])).toEqual([
      { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: 5 },
      { subjectId: null, name: 'Teacher', value: '', templateId: null, optionId: null },
    ])
  })

  test('keeps what was answered where the questions are not known', () => {
    const before = [{ subjectId: 7, name: 'Grade', value: '3', templateId: null, optionId: 5 }]
    expect(dataFieldsOf(bo, undefined, before)).toEqual(before)
  })

  test('comes back as it was left, unless an older build left it', () => {
    expect(typingFrom(draftOf(bo), nothingTyped)).toEqual(bo)
    expect(typingFrom({ v: 0, name: 'Bo' }, nothingTyped)).toEqual(nothingTyped)
  })
})
