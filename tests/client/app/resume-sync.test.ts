// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'

const listDatabases = vi.fn()

afterEach(() => {
  vi.unstubAllGlobals()
  listDatabases.mockReset()
})

test.each([
  ['has no database of this app', async () => [{ name: 'another', version: 1 }]],
  ['blocks storage', () => Promise.reject(new DOMException('Access is denied', 'SecurityError'))],
])('if the browser %s, nothing is resumed and no code for it is loaded', async (_, databases) => {
  vi.stubGlobal('indexedDB', { databases: listDatabases.mockImplementation(databases) })
  const addEventListener = vi.spyOn(window, 'addEventListener')
  // Sending starts once per page, so each case needs a new one.
  vi.resetModules()
  const { resumeSync } = await import('#client/app/resume-sync.ts')
  await resumeSync()
  expect(listDatabases).toHaveBeenCalledOnce()
  expect(addEventListener).not.toHaveBeenCalled()
})
