import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { online } from '#platform/online.ts'
import { useConnected } from '#platform/use-connected.ts'
import { render } from '#support/rendering/render.tsx'

let said: string[]

const Words = () => {
  const words = useConnected() ? 'connected' : 'offline'
  if (said.at(-1) !== words) said.push(words)
  return words
}

const becomes = (connected: boolean) => act(() => online.set(connected))
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
  said = []
  online.set(true)
})

afterEach(() => {
  vi.useRealTimers()
  online.set(true)
})

test('an interruption is reported only after two seconds offline', async () => {
  render(<Words />)
  for (let gap = 0; gap < 5; gap += 1) {
    becomes(false)
    await pass(1_999)
    becomes(true)
    await pass(300)
  }
  expect(said).toEqual(['connected'])
  becomes(false)
  await pass(2_000)
  expect(said).toEqual(['connected', 'offline'])
})

test('being back online is reported at once', async () => {
  render(<Words />)
  becomes(false)
  await pass(2_000)
  becomes(true)
  expect(said).toEqual(['connected', 'offline', 'connected'])
})

test('a screen opened offline reports it from the start', () => {
  online.set(false)
  render(<Words />)
  expect(said).toEqual(['offline'])
})
