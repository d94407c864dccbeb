import { expect, test } from 'vitest'
import { mergeEdits } from '#client/staff/kit/form/merge-edits.ts'

const before = { name: 'Spring', code: 'SPRING', isPublic: false }

test.each([
  ['what nobody touched is theirs', {}, { name: 'Spring 2027' }, { name: 'Spring 2027' }, []],
  ['what was typed here stays', { code: 'MAY' }, { name: 'Spring 2027' }, { name: 'Spring 2027', code: 'MAY' }, []],
  ['what both changed is mine, and named', { code: 'MAY' }, { code: 'JUNE' }, { code: 'MAY' }, ['code']],
  ['what both changed to the same is no clash', { code: 'MAY' }, { code: 'MAY' }, { code: 'MAY' }, []],
])('%s', (_, mine, theirs, merged, clashes) => {
  const found = mergeEdits(before, { ...before, ...mine }, { ...before, ...theirs })
  expect(found.values).toEqual({ ...before, ...merged })
  expect(found.clashes.map(({ field }) => field)).toEqual(clashes)
})

test('lists are compared by what is in them', () => {
  const found = mergeEdits({ days: [1] }, { days: [1] }, { days: [1, 2] })
  expect(found).toEqual({ values: { days: [1, 2] }, clashes: [] })
})
