import 'fake-indexeddb/auto'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { AccessCodeForm } from '#client/customer/discovery/studio/access-code-form.tsx'
import { getElement, render, waitForPage } from '#support/rendering/render.tsx'

test('a code in the URL of a prerendered page is redeemed and shown in the field', async () => {
  const fetchStub = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', fetchStub)
  const form = (initialCode: string | undefined) => <AccessCodeForm studioSlug="riverside" initialCode={initialCode} />
  const { rerender } = render(form(undefined))
  await act(async () => rerender(form('SPRING')))
  // A pending request would respond after the page is gone.
  await waitForPage(() => expect(getElement('[aria-live="polite"]').textContent).not.toBe(''))
  expect(fetchStub).toHaveBeenCalled()
  expect(getElement<HTMLInputElement>('input[name="code"]').value).toBe('SPRING')
})
