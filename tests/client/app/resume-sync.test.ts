// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'

const look = vi.fn()

afterEach(() => {
  vi.unstubAllGlobals()
  look.mockReset()
})

test.each([
  ['has no database of ours', async () => [{ name: 'another', version: 1 }]],
  ['blocks storage', () => Promise.reject(new DOMException('Access is denied', 'SecurityError'))],
])('if the browser %s there is nothing to resume and no code for it is loaded', async (_, databases) => {
  vi.stubGlobal('indexedDB', { databases: look.mockImplementation(databases) })
  const begun = vi.spyOn(window, 'addEventListener')
  // Sending starts once per page, so each case needs a new one.
  vi.resetModules()
  const { resumeSync } = await import('#client/app/resume-sync.ts')
  await resumeSync()
  expect(look).toHaveBeenCalledOnce()
  expect(begun).not.toHaveBeenCalled()
})
