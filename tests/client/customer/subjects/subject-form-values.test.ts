import { describe, expect, test } from 'vitest'
import {
  emptySubjectForm,
  maskAnswers,
  subjectFormErrors,
  toDataFields,
  toSubjectDraft,
  trimNames,
  unmaskAnswers,
  valuesFromDraft,
} from '#client/customer/subjects/subject-form-values.ts'
import { customField } from '#tests/domain/cart/cart-fixtures.ts'

const grade = customField({ id: 2, name: 'Grade', required: true, hasOptions: true, options: [{ id: 5, value: '3' }] })
const fields = [grade, customField()]
const bo = { firstName: ' Bo ', lastName: 'Ek', answers: { Grade: '3' } }

describe('the subject form', () => {
  test('reports a missing name and required answers at their fields', () => {
    const required = ['This field is required']
    expect(subjectFormErrors(emptySubjectForm, { fields, asksName: true, known: emptySubjectForm })).toEqual({
      firstName: required,
      lastName: required,
      'answers.Grade': required,
    })
    expect(subjectFormErrors(emptySubjectForm, { fields, asksName: false, known: emptySubjectForm })).toEqual({
      'answers.Grade': required,
    })
    expect(subjectFormErrors(bo, { fields, asksName: true, known: emptySubjectForm })).toEqual({})
  })

  test('sends every answer, including cleared ones', () => {
    expect(toDataFields(trimNames(bo), fields, [])).toEqual([
      { subjectId: null, name: 'Grade', value: '3', templateId: null, optionId: 5 },
      { subjectId: null, name: 'Teacher', value: '', templateId: null, optionId: null },
    ])
  })

  test('shows email addresses and phone numbers masked, and keeps the known values if not edited', () => {
    const privateAnswers = {
      Email: 'ada@engine.test',
      'Phone Number': '555-123-4567',
      Grade: '3',
      Mobile: '555-123-4567',
    }
    const known = { ...bo, answers: privateAnswers }
    const choiceField = customField({ name: 'Mobile', hasOptions: true, options: [{ id: 9, value: '555-123-4567' }] })
    const maskedForm = maskAnswers(known, [...fields, choiceField])
    expect(maskedForm.answers).toEqual({
      ...privateAnswers,
      Email: 'ad***@engine.test',
      'Phone Number': '***-***-4567',
    })
    expect(unmaskAnswers(maskedForm, known)).toEqual(known)
    const editedForm = { ...maskedForm, answers: { ...maskedForm.answers, Email: 'bo@engine.test', Grade: '' } }
    expect(unmaskAnswers(editedForm, known).answers).toEqual({ ...privateAnswers, Email: 'bo@engine.test', Grade: '' })
  })

  test('rejects an answer with an edited mask', () => {
    const email = customField({ name: 'Email', required: true })
    const known = { ...bo, answers: { Email: 'ada@engine.test' } }
    const errors = (Email: string) =>
      subjectFormErrors({ ...bo, answers: { Email } }, { fields: [email], asksName: false, known })
    expect(errors('ad***@engine.tes')).toEqual({ 'answers.Email': ['Type it in full, or leave it as it was'] })
    expect([errors('ad***@engine.test'), errors('bo@engine.test')]).toEqual([{}, {}])
    expect(errors('')).toEqual({ 'answers.Email': ['This field is required'] })
  })

  test('keeps the answers if the fields are unknown', () => {
    const savedAnswers = [{ subjectId: 7, name: 'Grade', value: '3', templateId: null, optionId: 5 }]
    expect(toDataFields(bo, undefined, savedAnswers)).toEqual(savedAnswers)
  })

  test('is restored as it was left, unless an older build stored it', () => {
    expect(valuesFromDraft(toSubjectDraft(bo), emptySubjectForm)).toEqual(bo)
    expect(valuesFromDraft({ v: 0, name: 'Bo' }, emptySubjectForm)).toEqual(emptySubjectForm)
  })
})
