import { beforeEach, expect, test } from 'vitest'
import { beginVisit, endVisit } from '#client/staff/studio/settings/payment-oauth-state.ts'

beforeEach(() => sessionStorage.clear())

test('whoever comes back with what was sent along began here; once', () => {
  const state = beginVisit(7)
  expect(state).toMatch(/^7\.[\w-]{20,}$/)
  expect([endVisit(7, state), endVisit(7, state)]).toEqual([true, false])
})

test('a code that somebody else sends along connects nothing', () => {
  expect(endVisit(7, '7.made-up')).toBe(false)
  const state = beginVisit(7)
  expect(endVisit(8, state)).toBe(false)
  expect(endVisit(7, null)).toBe(false)
  // A wrong one ends the visit too: there is one guess.
  expect(endVisit(7, state)).toBe(false)
})

test('each visit is one of its own', () => {
  const first = beginVisit(7)
  const second = beginVisit(7)
  expect(second).not.toBe(first)
  expect(endVisit(7, first)).toBe(false)
})
