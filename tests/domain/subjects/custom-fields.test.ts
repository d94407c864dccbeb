import { describe, expect, it } from 'vitest'
import {
  answersToKnownFields,
  type CustomField,
  fieldAnswerOf,
  fieldErrors,
  fieldsWithoutAnswer,
} from '#domain/subjects/custom-fields.ts'
import { customField } from '../cart/cart-fixtures.ts'

const teacher = customField({ templateId: 9 })
const grade = customField({
  name: 'Grade',
  templateId: 9,
  required: true,
  hasOptions: true,
  options: [
    { id: 1, value: 'K' },
    { id: 2, value: '1' },
  ],
})

describe('answers to custom fields', () => {
  it.each<[string, CustomField, string, string, number | null]>([
    ['trimmed', teacher, ' Ms. Lee ', 'Ms. Lee', null],
    ['without tildes', teacher, 'Ms.~ Lee', 'Ms. Lee', null],
    [
      'reduced to letters and digits if the field requires it',
      { ...teacher, inputType: 'alphanumeric' },
      '#7-b',
      '7b',
      null,
    ],
    ['sent with the id of the chosen option', grade, '1', '1', 2],
    ['sent without an option id if it is not an option', grade, '7', '7', null],
  ])('the answer is %s', (_, field, typed, value, optionId) => {
    expect(fieldAnswerOf(field, typed)).toEqual({ name: field.name, value, templateId: 9, optionId })
  })

  it.each<[string, { name: string; value: string }[], Record<string, string[]>]>([
    ['no answer to a required field', [], { Grade: ['This field is required'] }],
    ['a blank answer to a required field', [{ name: 'Grade', value: ' ' }], { Grade: ['This field is required'] }],
    ['an option', [{ name: 'Grade', value: 'K' }], {}],
    ['a text that is not an option', [{ name: 'Grade', value: '9' }], { Grade: ['This value must be one of K, 1'] }],
    [
      'an option and a text',
      [
        { name: 'Grade', value: 'K' },
        { name: 'Teacher', value: 'x' },
      ],
      {},
    ],
  ])('answers are validated: %s', (_, answers, errors) => {
    expect(fieldErrors([grade, teacher], answers)).toEqual(errors)
  })

  it('answers to unknown fields are dropped, and the last of repeated answers counts', () => {
    expect(answersToKnownFields([grade], [{ name: 'Grade' }, { name: 'Shoe' }])).toEqual([{ name: 'Grade' }])
    expect(answersToKnownFields([], [{ name: 'Grade' }])).toEqual([])
    const answers = [{ name: 'Teacher' }, { name: 'Grade' }]
    expect(answersToKnownFields([grade, teacher], answers)).toEqual(answers)
    const repeatedAnswers = [
      { name: 'Grade', value: '1' },
      { name: 'Teacher', value: 'Roe' },
      { name: 'Grade', value: '2' },
    ]
    expect(answersToKnownFields([grade, teacher], repeatedAnswers)).toEqual([
      { name: 'Grade', value: '2' },
      { name: 'Teacher', value: 'Roe' },
    ])
  })
})

describe('the fields without an answer', () => {
  it.each<[string, { name: string; value: string }[], string[]]>([
    ['no answers', [], ['Grade']],
    ['an answer to an optional field only', [{ name: 'Teacher', value: 'Ms. Lee' }], ['Grade']],
    ['a text that is not an option', [{ name: 'Grade', value: '9' }], ['Grade']],
    ['an answer to every required field', [{ name: 'Grade', value: '1' }], []],
  ])('the fields without a valid answer are listed for %s', (_, answers, expectedNames) => {
    expect(fieldsWithoutAnswer([grade, teacher], answers).map(({ name }) => name)).toEqual(expectedNames)
  })
})
