import { expect, test, vi } from 'vitest'
import { createMaintenanceGate } from '#platform/api/maintenance-gate.ts'
import { reloadAfterPreloadError, reloadPauseMs } from '#platform/reload-on-preload-error.ts'

const gateWith = () => {
  const done: string[] = []
  const keep = async () => void done.push('kept')
  const leave = () => void done.push('left')
  return { done, gate: createMaintenanceGate({ flush: keep, leave }) }
}

test('the first 503 flushes all input, then redirects, once', async () => {
  const { done, gate } = gateWith()
  gate.onUnavailable()
  gate.onUnavailable()
  await vi.waitFor(() => expect(done).toEqual(['kept', 'left']))
  gate.onUnavailable()
  await Promise.resolve()
  expect(done).toEqual(['kept', 'left'])
})

test('a customer who continues is not redirected again before the server has responded once', async () => {
  const { done, gate } = gateWith()
  gate.onUnavailable()
  await vi.waitFor(() => expect(done).toHaveLength(2))
  gate.continueOffline()
  gate.onUnavailable()
  await Promise.resolve()
  expect(done).toHaveLength(2)
  gate.onAvailable()
  gate.onUnavailable()
  await vi.waitFor(() => expect(done).toEqual(['kept', 'left', 'kept', 'left']))
})

test('a chunk that does not load reloads the page once, not in a loop', async () => {
  const kept = new Map<string, string>()
  let now = 1_000_000
  let reloads = 0
  let isReachable = true
  const around = {
    storage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    now: () => now,
    reload: () => {
      reloads += 1
    },
    isReachable: async () => isReachable,
  }
  expect(await reloadAfterPreloadError(around)).toBe(true)
  now += reloadPauseMs - 1
  expect(await reloadAfterPreloadError(around)).toBe(false)
  now += 1
  expect(await reloadAfterPreloadError(around)).toBe(true)
  expect(reloads).toBe(2)
  now += reloadPauseMs
  isReachable = false
  expect(await reloadAfterPreloadError(around), 'without a network the page stays, with what was typed').toBe(false)
  expect(reloads).toBe(2)
  isReachable = true
  expect(await reloadAfterPreloadError(around), 'and may still be reloaded once there is one').toBe(true)
})
