import { expect, test } from 'vitest'
import { mergeEdits } from '#client/staff/kit/form/merge-edits.ts'

const base = { name: 'Spring', code: 'SPRING', isPublic: false }

test.each([
  ['a field not edited here takes the newer saved value', {}, { name: 'Spring 2027' }, { name: 'Spring 2027' }, []],
  [
    'a field edited only here keeps its value',
    { code: 'MAY' },
    { name: 'Spring 2027' },
    { name: 'Spring 2027', code: 'MAY' },
    [],
  ],
  [
    'a field edited on both sides keeps the value of this device and is a conflict',
    { code: 'MAY' },
    { code: 'JUNE' },
    { code: 'MAY' },
    ['code'],
  ],
  [
    'a field edited on both sides to the same value is no conflict',
    { code: 'MAY' },
    { code: 'MAY' },
    { code: 'MAY' },
    [],
  ],
])('merging edits: %s', (_, localEdits, savedEdits, values, conflictFields) => {
  const result = mergeEdits(base, { ...base, ...localEdits }, { ...base, ...savedEdits })
  expect(result.values).toEqual({ ...base, ...values })
  expect(result.conflicts.map(({ field }) => field)).toEqual(conflictFields)
})

test('merging edits compares lists by their content', () => {
  const result = mergeEdits({ days: [1] }, { days: [1] }, { days: [1, 2] })
  expect(result).toEqual({ values: { days: [1, 2] }, conflicts: [] })
})
