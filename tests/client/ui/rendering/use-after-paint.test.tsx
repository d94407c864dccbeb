import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getElement, render } from '#support/rendering/render.tsx'
import { useAfterPaint } from '#ui/rendering/use-after-paint.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const Both = ({ value }: { value: number }) => (
  <p>
    {value} {useAfterPaint(value)}
  </p>
)

const words = () => getElement('p').textContent
const showFrame = () => act(() => vi.advanceTimersToNextFrame())
const passTask = () => act(() => vi.advanceTimersByTimeAsync(1))

test('work after a tap waits until the frame is painted', async () => {
  const { again } = render(<Both value={1} />)
  expect(words()).toBe('1 1')
  again(<Both value={2} />)
  await passTask()
  expect(words()).toBe('2 1')
  showFrame()
  expect(words()).toBe('2 1')
  await passTask()
  expect(words()).toBe('2 2')
})

test('of several taps within a frame only the last takes effect', async () => {
  const { again } = render(<Both value={1} />)
  again(<Both value={2} />)
  showFrame()
  again(<Both value={3} />)
  await passTask()
  expect(words()).toBe('3 1')
  showFrame()
  await passTask()
  expect(words()).toBe('3 3')
})

test('nothing is rendered after unmounting', async () => {
  const { again, box } = render(<Both value={1} />)
  again(<Both value={2} />)
  again(null)
  showFrame()
  await passTask()
  expect(box.textContent).toBe('')
})
