import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckoutFormValues } from '#client/customer/checkout/form/checkout-form-values.ts'
import { FillPlace } from '#client/customer/checkout/form/fill-place.tsx'
import { render } from '#support/rendering/render.tsx'
import { address, filledForm } from '../checkout-examples.ts'

const places: Record<string, unknown> = {
  '45402': { city: 'Dayton', state: 'OH' },
  '10001': { city: 'New York', state: 'NY' },
}
let current: CheckoutFormValues
let changeForm: (next: (before: CheckoutFormValues) => CheckoutFormValues) => void

const Screen = ({ city, state }: { city: string; state: string }) => {
  const [form, change] = useState({ ...filledForm, billingAddress: { ...address, city, state, zip: '' } })
  current = form
  changeForm = change
  return <FillPlace jobId={1} part="billingAddress" fields={{ form, change, errors: {} }} />
}

const typeZip = async (zip: string) => {
  await act(async () => changeForm((before) => ({ ...before, billingAddress: { ...before.billingAddress, zip } })))
  await act(async () => await Promise.resolve())
}

const place = () => [current.billingAddress.city, current.billingAddress.state]

beforeEach(() =>
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const zip = new URL(request instanceof Request ? request.url : request, 'http://x').pathname.split('/').at(-1) ?? ''
    return Response.json({ success: true, data: { place: places[zip] ?? null } })
  }),
)
afterEach(() => vi.unstubAllGlobals())

test('a complete ZIP code fills in city and state, and another one replaces them', async () => {
  render(<Screen city="" state="" />)
  await typeZip('4540')
  expect(place()).toEqual(['', ''])
  await typeZip('45402')
  await vi.waitFor(() => expect(place()).toEqual(['Dayton', 'OH']))
  await typeZip('10001-1234')
  await vi.waitFor(() => expect(place()).toEqual(['New York', 'NY']))
})

/** Records the requests from now on. */
const recordRequests = () => {
  const answer = fetch
  const fetched = vi.fn((...request: Parameters<typeof fetch>) => answer(...request))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('an unknown ZIP code changes nothing', async () => {
  render(<Screen city="" state="" />)
  await typeZip('45402')
  await vi.waitFor(() => expect(place()).toEqual(['Dayton', 'OH']))
  const fetched = recordRequests()
  await typeZip('00000')
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce())
  await act(async () => void (await fetched.mock.results[0]?.value))
  expect(place()).toEqual(['Dayton', 'OH'])
})

test('what the customer typed stays, and is not looked up', async () => {
  render(<Screen city="Oakwood" state="OH" />)
  const fetched = recordRequests()
  await typeZip('10001')
  expect(fetched).not.toHaveBeenCalled()
  expect(place()).toEqual(['Oakwood', 'OH'])
})
