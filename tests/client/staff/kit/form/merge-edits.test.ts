import { expect, test } from 'vitest'
import { mergeEdits } from '#client/staff/kit/form/merge-edits.ts'

const before = { name: 'Spring', code: 'SPRING', isPublic: false }

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
    'a field edited on both sides keeps my value and is a conflict',
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
])('merging edits: %s', (_, mine, theirs, values, conflictFields) => {
  const merged = mergeEdits(before, { ...before, ...mine }, { ...before, ...theirs })
  expect(merged.values).toEqual({ ...before, ...values })
  expect(merged.conflicts.map(({ field }) => field)).toEqual(conflictFields)
})

test('merging edits compares lists by their content', () => {
  const merged = mergeEdits({ days: [1] }, { days: [1] }, { days: [1, 2] })
  expect(merged).toEqual({ values: { days: [1, 2] }, conflicts: [] })
})
