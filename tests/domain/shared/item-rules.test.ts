import { expect, test } from 'vitest'
import { itemRules } from '#domain/shared/item-rules.ts'
import { validate } from '#domain/shared/validators.ts'

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
