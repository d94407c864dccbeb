import { act, useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { click, countElements, getButton, pointer, press, render } from '#support/rendering/render.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Menu, menuDelays } from '#ui/popover/menu.tsx'
import { menuMove } from '#ui/popover/menu-keys.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const passTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const isMenuShown = () => countElements('[role="menu"]') === 1
const focusedText = () => document.activeElement?.textContent
const rename = vi.fn()

const renderMenu = () =>
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

const hoverButton = () => {
  pointer(getButton('More'), 'pointerover', { relatedTarget: document.body })
  pointer(getButton('More'), 'pointermove')
}

test('a menu opens at once on hover and closes 400 ms after the pointer leaves', async () => {
  renderMenu()
  hoverButton()
  await passTime(0)
  expect(isMenuShown()).toBe(true)
  pointer(getButton('More'), 'pointerout', { relatedTarget: document.body })
  await passTime(399)
  expect(isMenuShown()).toBe(true)
  await passTime(1)
  expect(isMenuShown()).toBe(false)
})

test('a menu opens at once on focus and closes 400 ms after it loses the focus', async () => {
  renderMenu()
  act(() => getButton('More').focus())
  await passTime(0)
  expect(isMenuShown()).toBe(true)
  act(() => getButton('Elsewhere').focus())
  await passTime(399)
  expect(isMenuShown()).toBe(true)
  await passTime(1)
  expect(isMenuShown()).toBe(false)
})

test('returning within 400 ms keeps a menu open', async () => {
  renderMenu()
  hoverButton()
  pointer(getButton('More'), 'pointerout', { relatedTarget: document.body })
  await passTime(300)
  hoverButton()
  await passTime(1000)
  expect(isMenuShown()).toBe(true)
})

test('an open menu that moves away from a mouse and back beneath it stays open', async () => {
  renderMenu()
  hoverButton()
  pointer(getButton('More'), 'pointerout', { relatedTarget: document.body })
  await passTime(300)
  pointer(getButton('More'), 'pointerover', { relatedTarget: document.body })
  await passTime(1000)
  expect(isMenuShown()).toBe(true)
})

test('a menu that appears beneath a mouse that does not move stays closed', async () => {
  renderMenu()
  pointer(getButton('More'), 'pointerover', { relatedTarget: document.body })
  await passTime(1000)
  expect(isMenuShown()).toBe(false)
})

test('a tap opens a menu, the next closes it', () => {
  renderMenu()
  const tap = () => {
    pointer(getButton('More'), 'pointerdown', { pointerType: 'touch' })
    act(() => getButton('More').focus())
    click(getButton('More'))
  }
  tap()
  expect(isMenuShown()).toBe(true)
  tap()
  expect(isMenuShown()).toBe(false)
})

test('the keyboard moves through a menu, skipping disabled entries, and Escape returns to the button', async () => {
  renderMenu()
  act(() => getButton('More').focus())
  press('ArrowDown')
  expect(focusedText()).toBe('Rename')
  press('ArrowDown')
  expect(focusedText()).toBe('Delete')
  press('Home')
  expect(focusedText()).toBe('Rename')
  press('Escape')
  expect(focusedText()).toBe('More')
  await passTime(1000)
  expect(isMenuShown()).toBe(false)
  press('Enter')
  expect(focusedText()).toBe('Rename')
})

test('selecting an entry runs it, closes the menu and focuses the button', async () => {
  renderMenu()
  act(() => getButton('More').focus())
  click(getButton('Rename'))
  expect(rename).toHaveBeenCalledOnce()
  expect(focusedText()).toBe('More')
  await passTime(1000)
  expect(isMenuShown()).toBe(false)
})

const MenuWithDialog = () => {
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
  render(<MenuWithDialog />)
  act(() => getButton('More').focus())
  press('ArrowDown')
  click(getButton('Duplicate'))
  await passTime(1000)
  expect(document.activeElement?.getAttribute('role')).toBe('dialog')
  expect(isMenuShown()).toBe(false)
  press('Escape')
  await passTime(1000)
  expect([countElements('[role="dialog"]'), document.activeElement]).toEqual([0, getButton('More')])
  expect(isMenuShown()).toBe(false)
  act(() => getButton('Elsewhere').focus())
  await passTime(1000)
  act(() => getButton('More').focus())
  await passTime(0)
  expect(isMenuShown()).toBe(true)
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
  ])('the key %s at index %i moves to %s', (key, index, nextIndex) => {
    expect(menuMove(key, { labels, index })).toBe(nextIndex)
  })
  test('do nothing in an empty menu', () => {
    expect(menuMove('ArrowDown', { labels: [], index: -1 })).toBeUndefined()
  })
})
