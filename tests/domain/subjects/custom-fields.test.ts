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
    ['letters and digits only, where the field says so', { ...teacher, inputType: 'alphanumeric' }, '#7-b', '7b', null],
    ['with the option they pick', grade, '1', '1', 2],
    ['with none where they pick none', grade, '7', '7', null],
  ])('the answer is %s', (_, of, typed, value, optionId) => {
    expect(fieldAnswerOf(of, typed)).toEqual({ name: of.name, value, templateId: 9, optionId })
  })

  it.each<[string, { name: string; value: string }[], Record<string, string[]>]>([
    ['none', [], { Grade: ['This field is required'] }],
    ['blank', [{ name: 'Grade', value: ' ' }], { Grade: ['This field is required'] }],
    ['an option', [{ name: 'Grade', value: 'K' }], {}],
    ['no option', [{ name: 'Grade', value: '9' }], { Grade: ['This value must be one of K, 1'] }],
    [
      'an option and a text',
      [
        { name: 'Grade', value: 'K' },
        { name: 'Teacher', value: 'x' },
      ],
      {},
    ],
  ])('%s', (_, answers, errors) => {
    expect(fieldErrors([grade, teacher], answers)).toEqual(errors)
  })

  it('answers to unknown fields are dropped', () => {
    expect(answersToKnownFields([grade], [{ name: 'Grade' }, { name: 'Shoe' }])).toEqual([{ name: 'Grade' }])
    expect(answersToKnownFields([], [{ name: 'Grade' }])).toEqual([])
    const both = [{ name: 'Teacher' }, { name: 'Grade' }]
    expect(answersToKnownFields([grade, teacher], both)).toEqual(both)
    const twice = [
      { name: 'Grade', value: '1' },
      { name: 'Teacher', value: 'Roe' },
      { name: 'Grade', value: '2' },
    ]
    expect(answersToKnownFields([grade, teacher], twice)).toEqual([
      { name: 'Grade', value: '2' },
      { name: 'Teacher', value: 'Roe' },
    ])
  })
})

describe('the fields without an answer', () => {
  it.each<[string, { name: string; value: string }[], string[]]>([
    ['nothing said', [], ['Grade']],
    ['only what need not be', [{ name: 'Teacher', value: 'Ms. Lee' }], ['Grade']],
    ['no option', [{ name: 'Grade', value: '9' }], ['Grade']],
    ['all that must be', [{ name: 'Grade', value: '1' }], []],
  ])('%s', (_, answers, open) => {
    expect(fieldsWithoutAnswer([grade, teacher], answers).map(({ name }) => name)).toEqual(open)
  })
})
