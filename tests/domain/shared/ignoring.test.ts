import { expect, test } from 'vitest'
import { ignoring } from '#domain/shared/ignoring.ts'

test('successful work resolves to its result', async () => {
  expect(await ignoring('a test', () => 5)).toBe(5)
  expect(await ignoring('a test', () => Promise.resolve(6))).toBe(6)
})

test('work that rejects or throws resolves to undefined', async () => {
  expect(await ignoring('a test', () => Promise.reject(new Error('rejected')))).toBeUndefined()
  const thrown = ignoring('a test', () => {
    throw new Error('thrown')
  })
  expect(await thrown).toBeUndefined()
})

test('the work starts synchronously', () => {
  let started = false
  void ignoring('a test', () => {
    started = true
  })
  expect(started).toBe(true)
})
