import { expect, test } from 'vitest'
import { itemRules, parsedRules } from '#domain/shared/derived-rules.ts'
import { parseNumber, required, validate } from '#domain/shared/validators.ts'

type Model = { steps: { name: string }[] }
const rules = itemRules(
  { name: 'steps', maxItems: 3, read: ({ steps }: Model) => steps },
  { name: ({ name }, steps) => (steps.filter((step) => step.name === name).length > 1 ? 'Twice' : null) },
)
const modelOf = (...names: string[]): Model => ({ steps: names.map((name) => ({ name })) })

test('each item is checked among all items, and its errors have the path of its field', () => {
  expect(validate(modelOf('a', 'b', 'a'), rules)).toEqual({ 'steps.0.name': ['Twice'], 'steps.2.name': ['Twice'] })
})

test('positions without an item have no errors', () => {
  expect(validate(modelOf(), rules)).toEqual({})
  expect(validate(modelOf('a', 'b'), rules)).toEqual({})
})

test('the rules of a draft get what the text of a form is parsed to', () => {
  const draftRules = {
    name: required<{ name: string; days: number }>(),
    days: (value: unknown, { name }: { name: string }) => (value === 7 ? null : `${name} has ${value} days`),
  }
  const formRules = parsedRules(draftRules, ({ name, days }: { name: string; days: string }) => ({
    name,
    days: parseNumber(days),
  }))
  expect(validate({ name: 'May', days: '7' }, formRules)).toEqual({})
  expect(validate({ name: '', days: '8' }, formRules)).toEqual({
    name: ['This field is required'],
    days: [' has 8 days'],
  })
})
