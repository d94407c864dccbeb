import 'fake-indexeddb/auto'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { AccessCodeForm } from '#client/customer/discovery/studio/access-code-form.tsx'
import { getElement, render, waitForPage } from '#support/rendering/render.tsx'

test('a code in the URL of a prerendered page is redeemed and shown in the field', async () => {
  const asked = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', asked)
  const form = (given: string | undefined) => <AccessCodeForm studioSlug="riverside" initialCode={given} />
  const { again } = render(form(undefined))
  await act(async () => again(form('SPRING')))
  // A pending request would respond after the page is gone.
  await waitForPage(() => expect(getElement('[aria-live="polite"]').textContent).not.toBe(''))
  expect(asked).toHaveBeenCalled()
  expect(getElement<HTMLInputElement>('input[name="code"]').value).toBe('SPRING')
})
