import { expect, test, vi } from 'vitest'
import { createMaintenanceGate } from '#platform/api/maintenance-gate.ts'
import { reloadAfterPreloadError, reloadPauseMs } from '#platform/reload-on-preload-error.ts'

const createGate = () => {
  const actions: string[] = []
  const flush = async () => void actions.push('flushed')
  const redirect = () => void actions.push('redirected')
  return { actions, gate: createMaintenanceGate({ flush, leave: redirect }) }
}

test('the first 503 flushes all input, then redirects, once', async () => {
  const { actions, gate } = createGate()
  gate.onUnavailable()
  gate.onUnavailable()
  await vi.waitFor(() => expect(actions).toEqual(['flushed', 'redirected']))
  gate.onUnavailable()
  await Promise.resolve()
  expect(actions).toEqual(['flushed', 'redirected'])
})

test('a customer who continues is not redirected again before the server has responded once', async () => {
  const { actions, gate } = createGate()
  gate.onUnavailable()
  await vi.waitFor(() => expect(actions).toHaveLength(2))
  gate.continueOffline()
  gate.onUnavailable()
  await Promise.resolve()
  expect(actions).toHaveLength(2)
  gate.onAvailable()
  gate.onUnavailable()
  await vi.waitFor(() => expect(actions).toEqual(['flushed', 'redirected', 'flushed', 'redirected']))
})

test('a chunk that does not load reloads the page at most once per pause, and only with a network', async () => {
  const storedValues = new Map<string, string>()
  let now = 1_000_000
  let reloads = 0
  let isReachable = true
  const environment = {
    storage: {
      getItem: (key: string) => storedValues.get(key) ?? null,
      setItem: (key: string, value: string) => void storedValues.set(key, value),
    },
    now: () => now,
    reload: () => {
      reloads += 1
    },
    isReachable: async () => isReachable,
  }
  expect(await reloadAfterPreloadError(environment)).toBe(true)
  now += reloadPauseMs - 1
  expect(await reloadAfterPreloadError(environment)).toBe(false)
  now += 1
  expect(await reloadAfterPreloadError(environment)).toBe(true)
  expect(reloads).toBe(2)
  now += reloadPauseMs
  isReachable = false
  expect(
    await reloadAfterPreloadError(environment),
    'without a network the page is not reloaded, so typed text is not lost',
  ).toBe(false)
  expect(reloads).toBe(2)
  isReachable = true
  expect(await reloadAfterPreloadError(environment), 'once there is a network the page may be reloaded').toBe(true)
})
