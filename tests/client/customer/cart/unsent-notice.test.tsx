import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnsentNotice } from '#client/customer/cart/unsent-notice.tsx'
import { type CartStatus, savedStatus, savingStatus } from '#local/store/cart-status.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { click, countElements, getButton, render } from '#support/rendering/render.tsx'

const wake = vi.hoisted(() => vi.fn(async () => undefined))
vi.mock('#platform/sync/page-sync.ts', () => ({ startPageSync: () => ({ wake }) }))

const sending: CartStatus = { kind: 'sending', label: 'Sending…' }
const noticeFor = (status: CartStatus) => <UnsentNotice view={{ status } as CartView} />
const advance = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('changes that wait for four seconds can be sent now; the notice stays until they have arrived', async () => {
  const { rerender } = render(noticeFor(savedStatus))
  advance(3999)
  expect(countElements('button')).toBe(0)
  advance(1)
  click(getButton('Send now'))
  rerender(noticeFor(sending))
  await act(async () => {})
  expect(wake).toHaveBeenCalledExactlyOnceWith('tap')
  expect(countElements('button')).toBe(1)
  rerender(noticeFor({ kind: 'sent', label: 'Saved' }))
  expect(countElements('button')).toBe(0)
  rerender(noticeFor(savedStatus))
  advance(3999)
  expect(countElements('button')).toBe(0)
})

test('changes that are being saved or sent for the first time do not count as waiting', () => {
  const { rerender } = render(noticeFor(savingStatus))
  rerender(noticeFor(sending))
  advance(10_000)
  expect(countElements('button')).toBe(0)
})
