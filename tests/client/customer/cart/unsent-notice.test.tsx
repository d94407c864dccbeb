import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnsentNotice } from '#client/customer/cart/unsent-notice.tsx'
import { type CartStatus, savedStatus, savingStatus } from '#local/store/cart-status.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { click, countElements, getButton, render } from '#support/rendering/render.tsx'

const wake = vi.hoisted(() => vi.fn(async () => undefined))
vi.mock('#platform/sync/page-sync.ts', () => ({ startPageSync: () => ({ wake }) }))

const noticeFor = (status: CartStatus) => <UnsentNotice view={{ status } as CartView} />

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('changes that wait for four seconds can be sent now, and a failure is said', async () => {
  const { rerender } = render(noticeFor(savedStatus))
  act(() => void vi.advanceTimersByTime(3999))
  expect(countElements('button')).toBe(0)
  act(() => void vi.advanceTimersByTime(1))
  click(getButton('Send now'))
  await act(async () => {})
  expect(wake).toHaveBeenCalledExactlyOnceWith('tap')
  expect(document.body.textContent).toContain('There is still no connection.')
  rerender(noticeFor({ kind: 'sent', label: 'Saved' }))
  expect(countElements('button')).toBe(0)
})

test('changes that are being saved or sent do not count as waiting', () => {
  const { rerender } = render(noticeFor(savingStatus))
  rerender(noticeFor({ kind: 'sending', label: 'Sending…' }))
  act(() => void vi.advanceTimersByTime(10_000))
  expect(countElements('button')).toBe(0)
})
