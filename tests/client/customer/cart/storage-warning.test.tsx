import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StorageWarning } from '#client/customer/cart/storage-warning.tsx'
import { lowStorageBytes } from '#platform/storage-persistence.ts'
import { click, getButton, render } from '#support/rendering/render.tsx'

let isPrivate = false
// Incognito detection depends on the browser, so it is mocked.
vi.mock('detectincognitojs', () => ({ detectIncognito: async () => ({ isPrivate }) }))

const persist = vi.fn(async () => true)
const withFreeBytes = (freeBytes: number) =>
  vi.stubGlobal('navigator', { storage: { persist, estimate: async () => ({ quota: freeBytes, usage: 0 }) } })

const renderWarning = async () => {
  const { box } = render(<StorageWarning />)
  await act(async () => import('detectincognitojs'))
  return box
}

beforeEach(() => {
  localStorage.clear()
  persist.mockClear()
  isPrivate = false
})

afterEach(() => void vi.unstubAllGlobals())

test('with content in the cart, persistent storage is requested, and no warning is shown if it is granted', async () => {
  withFreeBytes(lowStorageBytes)
  const box = await renderWarning()
  expect(persist).toHaveBeenCalledOnce()
  expect(box.textContent).toBe('')
})

test.each([
  ['is almost full', lowStorageBytes - 1, false, 'This phone is almost out of room', 'Your cart is safe.'],
  [
    'is in a private window',
    lowStorageBytes,
    true,
    'You’re in a private window',
    'Your cart disappears when you close it.',
  ],
])(
  'storage that %s shows a warning with its consequences until dismissed',
  async (_, freeBytes, isPrivateWindow, title, text) => {
    isPrivate = isPrivateWindow
    withFreeBytes(freeBytes)
    const box = await renderWarning()
    await vi.waitFor(() => act(async () => expect(box.textContent).toContain(title)))
    expect(box.textContent).toContain(text)
    click(getButton('Dismiss'))
    expect(box.textContent).toBe('')
  },
)
