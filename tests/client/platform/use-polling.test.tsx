import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePolling } from '#platform/use-polling.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'

const intervalMs = 3_000
let polls: string[]
let visibility: DocumentVisibilityState

const Poller = ({ name }: { name: string | null }) => {
  usePolling(name === null ? null : () => polls.push(name), intervalMs)
  return null
}
const passTime = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const setVisibility = (state: DocumentVisibilityState) => {
  visibility = state
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

beforeEach(() => {
  polls = []
  visibility = 'visible'
  vi.useFakeTimers()
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
})
afterEach(() => {
  cleanUp()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the first poll comes one interval after the start', () => {
  render(<Poller name="a" />)
  passTime(intervalMs - 1)
  expect(polls).toEqual([])
  passTime(1)
  expect(polls).toEqual(['a'])
})

test('a hidden page does not poll, and polls at once when it becomes visible', () => {
  render(<Poller name="a" />)
  setVisibility('hidden')
  passTime(3 * intervalMs)
  expect(polls).toEqual([])
  setVisibility('visible')
  expect(polls).toEqual(['a'])
})

test('a new poll function replaces the earlier one without restarting the interval', () => {
  const { rerender } = render(<Poller name="a" />)
  passTime(intervalMs - 1)
  rerender(<Poller name="b" />)
  passTime(1)
  expect(polls).toEqual(['b'])
})

test('null stops polling', () => {
  const { rerender } = render(<Poller name="a" />)
  rerender(<Poller name={null} />)
  passTime(3 * intervalMs)
  setVisibility('visible')
  expect(polls).toEqual([])
})

test('an unmounted component does not poll', () => {
  render(<Poller name="a" />)
  cleanUp()
  passTime(3 * intervalMs)
  setVisibility('visible')
  expect(polls).toEqual([])
})
