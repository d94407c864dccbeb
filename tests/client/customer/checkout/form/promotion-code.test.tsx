import 'fake-indexeddb/auto'
import { useState } from 'react'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { emptyCheckoutForm } from '#client/customer/checkout/form/checkout-form-values.ts'
import { PromotionCode } from '#client/customer/checkout/form/promotion-code.tsx'
import type { Checkout } from '#contract/customer/checkout-calls.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { checkout, checkoutStateWith, jobContext } from '../checkout-examples.ts'

type StubbedResponse = { status: number; body: object } | null

/** The server's response, or null if it is unreachable, and the requests it received. */
let response: StubbedResponse
let requests: { method: string | undefined; url: string; body: unknown }[]
const refetch = vi.fn()
const onRemoved = vi.fn()

const fetchStub = async (url: string, init?: RequestInit) => {
  // After a lost response, the page checks whether the server is back.
  if (url === '/api/health') throw new TypeError('Failed to fetch')
  requests.push({ method: init?.method, url: String(url), body: init?.body ? JSON.parse(String(init.body)) : null })
  if (!response) throw new TypeError('Failed to fetch')
  return new Response(JSON.stringify(response.body), { status: response.status })
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetchStub)
  requests = []
  refetch.mockClear()
})
afterAll(() => vi.unstubAllGlobals())

const PromotionForm = ({ promotion, text }: { promotion: Checkout['promotion']; text: string }) => {
  const [form, setForm] = useState({ ...emptyCheckoutForm, promoCode: text })
  const { pricing } = checkoutStateWith(form)
  const fields = { form, errors: {}, change: (next: (before: typeof form) => typeof form) => setForm(next) }
  return (
    <PromotionCode
      job={jobContext}
      fields={fields}
      pricing={{ ...pricing, checkout: { ...checkout, promotion }, refetch }}
      focus
      onRemoved={onRemoved}
    />
  )
}

const renderPromotionForm = (promotion: Checkout['promotion'] = null, text = '') =>
  render(<PromotionForm promotion={promotion} text={text} />)
const field = () => getElement<HTMLInputElement>('[name="promoCode"]')
test('a valid code is added to the order, and the totals are requested again', async () => {
  response = { status: 200, body: { data: { ...checkout, promotion: { code: 'SAVE10', why: null } } } }
  renderPromotionForm()
  expect(document.activeElement).toBe(field())
  type(field(), 'save10')
  click(getButton('Apply'))
  await waitForPage(() => expect(refetch).toHaveBeenCalledTimes(1))
  expect(requests).toMatchObject([
    { method: 'POST', url: '/api/customer/jobs/1/checkout/promo', body: { code: 'save10', orderMethod: 'gallery' } },
  ])
  await waitForPage(() => expect(field().value).toBe(''))
})

test.each([
  [
    'rejected',
    { status: 422, body: { errors: ['This code is no longer valid'], problem: 'refused' } },
    'This code is no longer valid',
  ],
  [
    'not checked because the server is unreachable',
    null,
    'We can’t reach the studio right now. Your code is saved; try again in a moment',
  ],
] satisfies [string, StubbedResponse, string][])(
  'a code that is %s stays in the field with its error',
  async (_name, stubbed, error) => {
    response = stubbed
    renderPromotionForm(null, 'SUMMER')
    click(getButton('Apply'))
    await waitForPage(() => expect(document.body.textContent).toContain(error))
    expect(field()).toMatchObject({ value: 'SUMMER' })
    expect(field().getAttribute('aria-invalid')).toBe('true')
    type(field(), 'SUMMER2')
    expect(document.body.textContent).not.toContain(error)
    expect(refetch).not.toHaveBeenCalled()
  },
)

test('an empty code sends no request', () => {
  renderPromotionForm(null, ' ')
  click(getButton('Apply'))
  expect(document.body.textContent).toContain('Please enter your code')
  expect(requests).toEqual([])
})

test('an applied code is shown with its restriction, and can be removed', async () => {
  response = { status: 200, body: { data: { ...checkout, promotion: null } } }
  renderPromotionForm({ code: 'SAVE10', why: 'This code is no longer valid' })
  expect(document.body.textContent).toContain('Promotion code SAVE10')
  expect(document.body.textContent).toContain('This code is no longer valid')
  click(getButton('Remove promotion code SAVE10'))
  await waitForPage(() => expect(refetch).toHaveBeenCalledTimes(1))
  expect(onRemoved).toHaveBeenCalledTimes(1)
  expect(requests).toMatchObject([
    { method: 'DELETE', url: '/api/customer/jobs/1/checkout/promo?orderMethod=gallery', body: null },
  ])
})
