import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { UpdateHost } from '#client/app/update-host.tsx'
import { pendingUpdate } from '#platform/api/cache-updates.ts'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'

const accept = vi.fn(async () => {})
const isOffered = () => document.body.textContent?.includes('New version') ?? false
const navigateTo = (address: string) => act(async () => navigate(address))

beforeEach(() => {
  accept.mockClear()
  history.replaceState(null, '', '/riverside/1/cart')
})

afterEach(() => act(() => pendingUpdate.set(null)))

const offerUpdate = async () => {
  // The banner is a separate chunk.
  await import('#client/app/update-banner.tsx')
  render(<UpdateHost />)
  await act(async () => pendingUpdate.set({ accept }))
  expect(isOffered()).toBe(true)
}

test('a new version is offered, and applied only when the customer agrees', async () => {
  await offerUpdate()
  expect(getElement('[role=status]').textContent).toContain('New version')
  expect(accept).not.toHaveBeenCalled()
  click(getButton('Reload'))
  expect(accept).toHaveBeenCalledOnce()
})

test('a customer who postpones the update is not asked again', async () => {
  await offerUpdate()
  click(getButton('Later'))
  expect(isOffered()).toBe(false)
  expect(accept).not.toHaveBeenCalled()
})

test.each(['/riverside/1/checkout', '/riverside/1/checkout/review'])(
  'an update is not offered during payment: %s',
  async (address) => {
    await offerUpdate()
    await navigateTo(address)
    expect(isOffered()).toBe(false)
    await navigateTo('/riverside/1/cart')
    expect(isOffered()).toBe(true)
  },
)
