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

const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a loader is five times the text size and appears only after 200 ms', async () => {
  expect([defaultLoaderSize, loaderDelayMs]).toEqual(['5x', 200])
  render(<Loader label="Loading photos" />)
  expect(getElement('[role="status"]').dataset.size).toBe('5x')
  await passTime(199)
  expect(getElement('[role="status"]').textContent).toBe('')
  await passTime(1)
  expect(getElement('[role="status"]').textContent).toBe('Loading photos…')
})

const isTooltipShown = () => countElements('[role="tooltip"]') === 1
const renderTooltip = () =>
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
])('a tooltip opens 200 ms after %s, and closes on click', async (_, openTooltip) => {
  renderTooltip()
  openTooltip()
  await passTime(199)
  expect(isTooltipShown()).toBe(false)
  await passTime(1)
  expect(isTooltipShown()).toBe(true)
  expect(getButton('Turn').getAttribute('aria-describedby')).toBe(getElement('[role="tooltip"]').id)
  click(getButton('Turn'))
  expect(isTooltipShown()).toBe(false)
  expect(getButton('Turn').hasAttribute('aria-describedby')).toBe(false)
})

test('a tap opens a tooltip, the next tap closes it', async () => {
  renderTooltip()
  const tap = () => {
    fire(getButton('Turn'), new Event('touchstart', { bubbles: true }))
    click(getButton('Turn'))
  }
  tap()
  await passTime(200)
  expect(isTooltipShown()).toBe(true)
  tap()
  await passTime(1000)
  expect(isTooltipShown()).toBe(false)
})

test.each([
  ['the pointer leaves', () => pointer(getButton('Turn'), 'pointerout', { relatedTarget: document.body })],
  ['it is clicked', () => click(getButton('Turn'))],
])('a tooltip never opens if %s before the delay has passed', async (_, interrupt) => {
  renderTooltip()
  pointer(getButton('Turn'), 'pointerover')
  await passTime(150)
  interrupt()
  await passTime(1000)
  expect(isTooltipShown()).toBe(false)
})

test('Escape and a tap elsewhere close a tooltip', async () => {
  renderTooltip()
  for (const closeTooltip of [() => press('Escape'), () => pointer(document.body, 'pointerdown')]) {
    pointer(getButton('Turn'), 'pointerover')
    await passTime(200)
    expect(isTooltipShown()).toBe(true)
    closeTooltip()
    expect(isTooltipShown()).toBe(false)
    pointer(getButton('Turn'), 'pointerout', { relatedTarget: document.body })
  }
})
