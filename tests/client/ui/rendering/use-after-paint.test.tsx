import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getElement, render } from '#support/rendering/render.tsx'
import { useAfterPaint } from '#ui/rendering/use-after-paint.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const Values = ({ value }: { value: number }) => (
  <p>
    {value} {useAfterPaint(value)}
  </p>
)

const pageText = () => getElement('p').textContent
const showFrame = () => act(() => vi.advanceTimersToNextFrame())
const passTask = () => act(() => vi.advanceTimersByTimeAsync(1))

test('work after a tap waits until the frame is painted', async () => {
  const { rerender } = render(<Values value={1} />)
  expect(pageText()).toBe('1 1')
  rerender(<Values value={2} />)
  await passTask()
  expect(pageText()).toBe('2 1')
  showFrame()
  expect(pageText()).toBe('2 1')
  await passTask()
  expect(pageText()).toBe('2 2')
})

test('of several taps within a frame only the last takes effect', async () => {
  const { rerender } = render(<Values value={1} />)
  rerender(<Values value={2} />)
  showFrame()
  rerender(<Values value={3} />)
  await passTask()
  expect(pageText()).toBe('3 1')
  showFrame()
  await passTask()
  expect(pageText()).toBe('3 3')
})

test('nothing is rendered after unmounting', async () => {
  const { rerender, box } = render(<Values value={1} />)
  rerender(<Values value={2} />)
  rerender(null)
  showFrame()
  await passTask()
  expect(box.textContent).toBe('')
})
