import { beforeEach, expect, test } from 'vitest'
import { consumeOauthState, createOauthState } from '#client/staff/studio/settings/payment-oauth-state.ts'

beforeEach(() => sessionStorage.clear())

test('an OAuth state that was created in this tab is accepted once', () => {
  const state = createOauthState(7)
  expect(state).toMatch(/^7\.[\w-]{20,}$/)
  expect([consumeOauthState(7, state), consumeOauthState(7, state)]).toEqual([true, false])
})

test('an OAuth state that was not created in this tab for this studio is rejected', () => {
  expect(consumeOauthState(7, '7.made-up')).toBe(false)
  const state = createOauthState(7)
  expect(consumeOauthState(8, state)).toBe(false)
  expect(consumeOauthState(7, null)).toBe(false)
  // A wrong state also uses up the stored one, so there is only one attempt.
  expect(consumeOauthState(7, state)).toBe(false)
})

test('creating an OAuth state replaces the earlier one', () => {
  const first = createOauthState(7)
  const second = createOauthState(7)
  expect(second).not.toBe(first)
  expect(consumeOauthState(7, first)).toBe(false)
})
