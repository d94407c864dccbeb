import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { update } from '../../../src/client/device/updates.ts'
import { UpdateHost } from '../../../src/client/shell/update-host.tsx'
import { button, click, one, render } from '../../support/render.tsx'

const accept = vi.fn(async () => {})
const isOffered = () => document.body.textContent?.includes('New version') ?? false
const go = (address: string) => act(async () => navigate(address))

beforeEach(() => {
  accept.mockClear()
  history.replaceState(null, '', '/riverside/1/cart')
})

afterEach(() => act(() => update.set(null)))

const offer = async () => {
  // The words come with code of their own.
  await import('../../../src/client/shell/update-banner.tsx')
  render(<UpdateHost />)
  await act(async () => update.set({ accept }))
  expect(isOffered()).toBe(true)
}

test('a new version is offered, and taken only when the customer says so', async () => {
  await offer()
  expect(one('[role=status]').textContent).toContain('New version')
  expect(accept).not.toHaveBeenCalled()
  click(button('Reload'))
  expect(accept).toHaveBeenCalledOnce()
})

test('who says later is left alone', async () => {
  await offer()
  click(button('Later'))
  expect(isOffered()).toBe(false)
  expect(accept).not.toHaveBeenCalled()
})

test.each(['/riverside/1/checkout', '/riverside/1/checkout/review'])(
  'nobody is asked while they pay: %s',
  async (address) => {
    await offer()
    await go(address)
    expect(isOffered()).toBe(false)
    await go('/riverside/1/cart')
    expect(isOffered()).toBe(true)
  },
)
