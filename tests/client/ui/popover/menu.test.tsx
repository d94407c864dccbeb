import { act, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { click, countElements, getButton, pointer, press, render } from '#support/rendering/render.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Menu, menuDelays } from '#ui/popover/menu.tsx'
import { menuMove } from '#ui/popover/menu-keys.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shown = () => countElements('[role="menu"]') === 1
const focused = () => document.activeElement?.textContent
const rename = vi.fn()

const draw = () =>
  render(
    <>
      <Menu
        label="More"
        items={[
          { label: 'Rename', onSelect: rename },
          { label: 'Archive', disabled: true },
          'separator',
          { label: 'Delete' },
        ]}
      />
      <button type="button">Elsewhere</button>
    </>,
  )

test('a menu has the specified delays', () => {
  expect(menuDelays).toEqual({ showMs: 0, hideMs: 400 })
})

test('a menu opens at once on hover and closes 400 ms after it', async () => {
  draw()
  pointer(getButton('More'), 'pointerover')
  await pass(0)
  expect(shown()).toBe(true)
  pointer(getButton('More'), 'pointerout', { relatedTarget: document.body })
  await pass(399)
  expect(shown()).toBe(true)
  await pass(1)
  expect(shown()).toBe(false)
})

test('a menu opens at once on focus and closes 400 ms after losing it', async () => {
  draw()
  act(() => getButton('More').focus())
  await pass(0)
  expect(shown()).toBe(true)
  act(() => getButton('Elsewhere').focus())
  await pass(399)
  expect(shown()).toBe(true)
  await pass(1)
  expect(shown()).toBe(false)
})

test('returning within 400 ms keeps a menu open', async () => {
  draw()
  pointer(getButton('More'), 'pointerover')
  pointer(getButton('More'), 'pointerout', { relatedTarget: document.body })
  await pass(300)
  pointer(getButton('More'), 'pointerover', { relatedTarget: document.body })
  await pass(1000)
  expect(shown()).toBe(true)
})

test('a tap opens a menu, the next closes it', () => {
  draw()
  const tap = () => {
    pointer(getButton('More'), 'pointerdown', { pointerType: 'touch' })
    act(() => getButton('More').focus())
    click(getButton('More'))
  }
  tap()
  expect(shown()).toBe(true)
  tap()
  expect(shown()).toBe(false)
})

test('the keyboard moves through a menu, skipping disabled entries, and Escape returns to the button', async () => {
  draw()
  act(() => getButton('More').focus())
  press('ArrowDown')
  expect(focused()).toBe('Rename')
  press('ArrowDown')
  expect(focused()).toBe('Delete')
  press('Home')
  expect(focused()).toBe('Rename')
  press('Escape')
  expect(focused()).toBe('More')
  await pass(1000)
  expect(shown()).toBe(false)
  press('Enter')
  expect(focused()).toBe('Rename')
})

test('selecting an entry runs it, closes the menu and focuses the button', async () => {
  draw()
  act(() => getButton('More').focus())
  click(getButton('Rename'))
  expect(rename).toHaveBeenCalledOnce()
  expect(focused()).toBe('More')
  await pass(1000)
  expect(shown()).toBe(false)
})

const MenuOfDialog = () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Menu label="More" items={[{ label: 'Duplicate', onSelect: () => setOpen(true) }]} />
      <Dialog open={open} onClose={() => setOpen(false)} title="Duplicate this job">
        <button type="button">Inside</button>
      </Dialog>
      <button type="button">Elsewhere</button>
    </>
  )
}

test('a dialog opened from a menu returns the focus to the button, and the menu stays closed', async () => {
  render(<MenuOfDialog />)
  act(() => getButton('More').focus())
  press('ArrowDown')
  click(getButton('Duplicate'))
  await pass(1000)
  expect(document.activeElement?.getAttribute('role')).toBe('dialog')
  expect(shown()).toBe(false)
  press('Escape')
  await pass(1000)
  expect([countElements('[role="dialog"]'), document.activeElement]).toEqual([0, getButton('More')])
  expect(shown()).toBe(false)
  act(() => getButton('Elsewhere').focus())
  await pass(1000)
  act(() => getButton('More').focus())
  await pass(0)
  expect(shown()).toBe(true)
})

describe('menu keys', () => {
  const labels = ['Rename', 'Download', 'Delete']
  test.each([
    ['ArrowDown', -1, 0],
    ['ArrowUp', -1, 2],
    ['Home', -1, undefined],
    ['ArrowDown', 2, 0],
    ['ArrowUp', 0, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['d', 0, 1],
    ['D', 1, 2],
    ['d', 2, 1],
    ['x', 0, undefined],
    ['Tab', 0, undefined],
  ])('%s from %i moves to %s', (key, index, to) => {
    expect(menuMove(key, { labels, index })).toBe(to)
  })
  test('do nothing in an empty menu', () => {
    expect(menuMove('ArrowDown', { labels: [], index: -1 })).toBeUndefined()
  })
})
