import { expect, test, vi } from 'vitest'
import { createMaintenanceGate } from '#platform/api/maintenance-gate.ts'
import { reloadForCode, reloadPauseMs } from '#platform/reload-on-preload-error.ts'

const gateWith = () => {
  const done: string[] = []
  const keep = async () => void done.push('kept')
  const leave = () => void done.push('left')
  return { done, gate: createMaintenanceGate({ keep, leave }) }
}

test('the first 503 keeps everything, then leaves, once', async () => {
  const { done, gate } = gateWith()
  gate.met()
  gate.met()
  await vi.waitFor(() => expect(done).toEqual(['kept', 'left']))
  gate.met()
  await Promise.resolve()
  expect(done).toEqual(['kept', 'left'])
})

test('who goes on is not sent back before the server has answered once', async () => {
  const { done, gate } = gateWith()
  gate.met()
  await vi.waitFor(() => expect(done).toHaveLength(2))
  gate.goOn()
  gate.met()
  await Promise.resolve()
  expect(done).toHaveLength(2)
  gate.answered()
  gate.met()
  await vi.waitFor(() => expect(done).toEqual(['kept', 'left', 'kept', 'left']))
})

test('code that does not come reloads the page once, not in a circle', async () => {
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
  expect(await reloadForCode(around)).toBe(true)
  now += reloadPauseMs - 1
  expect(await reloadForCode(around)).toBe(false)
  now += 1
  expect(await reloadForCode(around)).toBe(true)
  expect(reloads).toBe(2)
  now += reloadPauseMs
  isReachable = false
  expect(await reloadForCode(around), 'without a network the page stays, with what was typed').toBe(false)
  expect(reloads).toBe(2)
  isReachable = true
  expect(await reloadForCode(around), 'and may still be reloaded once there is one').toBe(true)
})
