import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { online } from '#platform/online.ts'
import { useConnected } from '#platform/use-connected.ts'
import { render } from '#support/rendering/render.tsx'

let statuses: string[]

const ConnectionStatus = () => {
  const status = useConnected() ? 'connected' : 'offline'
  if (statuses.at(-1) !== status) statuses.push(status)
  return status
}

const setOnline = (isOnline: boolean) => act(() => online.set(isOnline))
const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
  statuses = []
  online.set(true)
})

afterEach(() => {
  vi.useRealTimers()
  online.set(true)
})

test('an interruption is reported only after two seconds offline', async () => {
  render(<ConnectionStatus />)
  for (let interruption = 0; interruption < 5; interruption += 1) {
    setOnline(false)
    await passTime(1_999)
    setOnline(true)
    await passTime(300)
  }
  expect(statuses).toEqual(['connected'])
  setOnline(false)
  await passTime(2_000)
  expect(statuses).toEqual(['connected', 'offline'])
})

test('being back online is reported at once', async () => {
  render(<ConnectionStatus />)
  setOnline(false)
  await passTime(2_000)
  setOnline(true)
  expect(statuses).toEqual(['connected', 'offline', 'connected'])
})

test('a screen opened offline reports it from the start', () => {
  online.set(false)
  render(<ConnectionStatus />)
  expect(statuses).toEqual(['offline'])
})
