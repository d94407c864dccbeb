// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'

const look = vi.fn()

afterEach(() => {
  vi.unstubAllGlobals()
  look.mockReset()
})

test.each([
  ['has nothing of a visit', async () => [{ name: 'another', version: 1 }]],
  ['is told to keep nothing', () => Promise.reject(new DOMException('Access is denied', 'SecurityError'))],
])('where the browser %s there is nothing to go on with, and no code for it is fetched', async (_, databases) => {
  vi.stubGlobal('indexedDB', { databases: look.mockImplementation(databases) })
  const begun = vi.spyOn(window, 'addEventListener')
  // Sending begins once for a page: each of these is a page of its own.
  vi.resetModules()
  const { resumeSync } = await import('#client/app/resume-sync.ts')
  await resumeSync()
  expect(look).toHaveBeenCalledOnce()
  expect(begun).not.toHaveBeenCalled()
})
