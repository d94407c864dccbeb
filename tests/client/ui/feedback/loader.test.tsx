import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  click,
  countElements,
  fire,
  getButton,
  getElement,
  pointer,
  press,
  render,
} from '#support/rendering/render.tsx'
import { defaultLoaderSize, Loader, loaderDelayMs } from '#ui/feedback/loader.tsx'
import { Tooltip, tooltipDelayMs } from '#ui/popover/tooltip.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a loader is five times the text size and appears only after 200 ms', async () => {
  expect([defaultLoaderSize, loaderDelayMs]).toEqual(['5x', 200])
  render(<Loader label="Loading photos" />)
  expect(getElement('[role="status"]').dataset.size).toBe('5x')
  await pass(199)
  expect(getElement('[role="status"]').textContent).toBe('')
  await pass(1)
  expect(getElement('[role="status"]').textContent).toBe('Loading photos…')
})

const shown = () => countElements('[role="tooltip"]') === 1
const drawTooltip = () =>
  render(
    <Tooltip text="Turns the photo">
      <button type="button">Turn</button>
    </Tooltip>,
  )

test('a tooltip has the specified delay', () => {
  expect(tooltipDelayMs).toBe(200)
})

test.each([
  ['hover', () => pointer(getButton('Turn'), 'pointerover')],
  ['focus', () => act(() => getButton('Turn').focus())],
  ['touch', () => fire(getButton('Turn'), new Event('touchstart', { bubbles: true }))],
])('a tooltip opens 200 ms after %s, and closes on click', async (_, begin) => {
  drawTooltip()
  begin()
  await pass(199)
  expect(shown()).toBe(false)
  await pass(1)
  expect(shown()).toBe(true)
  expect(getButton('Turn').getAttribute('aria-describedby')).toBe(getElement('[role="tooltip"]').id)
  click(getButton('Turn'))
  expect(shown()).toBe(false)
  expect(getButton('Turn').hasAttribute('aria-describedby')).toBe(false)
})

test('a tap opens a tooltip, the next tap closes it', async () => {
  drawTooltip()
  const tap = () => {
    fire(getButton('Turn'), new Event('touchstart', { bubbles: true }))
    click(getButton('Turn'))
  }
  tap()
  await pass(200)
  expect(shown()).toBe(true)
  tap()
  await pass(1000)
  expect(shown()).toBe(false)
})

test.each([
  ['the pointer leaves', () => pointer(getButton('Turn'), 'pointerout', { relatedTarget: document.body })],
  ['it is clicked', () => click(getButton('Turn'))],
])('a tooltip never opens if before that %s', async (_, end) => {
  drawTooltip()
  pointer(getButton('Turn'), 'pointerover')
  await pass(150)
  end()
  await pass(1000)
  expect(shown()).toBe(false)
})

test('Escape and a tap elsewhere close a tooltip', async () => {
  drawTooltip()
  for (const end of [() => press('Escape'), () => pointer(document.body, 'pointerdown')]) {
    pointer(getButton('Turn'), 'pointerover')
    await pass(200)
    expect(shown()).toBe(true)
    end()
    expect(shown()).toBe(false)
    pointer(getButton('Turn'), 'pointerout', { relatedTarget: document.body })
  }
})
