import 'fake-indexeddb/auto'
import { useState } from 'react'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { emptyCheckoutForm } from '#client/customer/checkout/form/checkout-form-values.ts'
import { PromotionCode } from '#client/customer/checkout/form/promotion-code.tsx'
import type { Checkout } from '#contract/customer/checkout-calls.ts'
import { click, getButton, getElement, render, type, waitForPage } from '#support/rendering/render.tsx'
import { checkout, checkoutStateWith, jobContext } from '../checkout-examples.ts'

type Answer = { status: number; body: object } | null

/** The server's response, null if unreachable; and the requests it received. */
let answer: Answer
let asked: { method: string | undefined; url: string; body: unknown }[]
const again = vi.fn()
const removed = vi.fn()

const fetching = async (url: string, init?: RequestInit) => {
  asked.push({ method: init?.method, url: String(url), body: init?.body ? JSON.parse(String(init.body)) : null })
  if (!answer) throw new TypeError('Failed to fetch')
  return new Response(JSON.stringify(answer.body), { status: answer.status })
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetching)
  asked = []
  again.mockClear()
})
afterAll(() => vi.unstubAllGlobals())

const Drawn = ({ promotion, text }: { promotion: Checkout['promotion']; text: string }) => {
  const [form, setForm] = useState({ ...emptyCheckoutForm, promoCode: text })
  const { priced } = checkoutStateWith(form)
  const fields = { form, errors: {}, change: (next: (before: typeof form) => typeof form) => setForm(next) }
  return (
    <PromotionCode
      event={jobContext}
      fields={fields}
      priced={{ ...priced, checkout: { ...checkout, promotion }, refetch: again }}
      focus
      onRemoved={removed}
    />
  )
}

const draw = (promotion: Checkout['promotion'] = null, text = '') => render(<Drawn promotion={promotion} text={text} />)
const field = () => getElement<HTMLInputElement>('[name="promoCode"]')
test('a valid code is added to the order, and the totals are requested again', async () => {
  answer = { status: 200, body: { data: { ...checkout, promotion: { code: 'SAVE10', why: null } } } }
  draw()
  expect(document.activeElement).toBe(field())
  type(field(), 'save10')
  click(getButton('Apply'))
  await waitForPage(() => expect(again).toHaveBeenCalledTimes(1))
  expect(asked).toMatchObject([
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
    'The studio cannot be reached right now. Your code is kept on this phone; try it again in a moment',
  ],
] satisfies [string, Answer, string][])(
  'a code that is %s stays in the field with its error',
  async (_name, given, words) => {
    answer = given
    draw(null, 'SUMMER')
    click(getButton('Apply'))
    await waitForPage(() => expect(document.body.textContent).toContain(words))
    expect(field()).toMatchObject({ value: 'SUMMER' })
    expect(field().getAttribute('aria-invalid')).toBe('true')
    type(field(), 'SUMMER2')
    expect(document.body.textContent).not.toContain(words)
    expect(again).not.toHaveBeenCalled()
  },
)

test('an empty code sends no request', () => {
  draw(null, ' ')
  click(getButton('Apply'))
  expect(document.body.textContent).toContain('Please enter your code')
  expect(asked).toEqual([])
})

test('an applied code is shown with its restriction, and can be removed', async () => {
  answer = { status: 200, body: { data: { ...checkout, promotion: null } } }
  draw({ code: 'SAVE10', why: 'This code is no longer valid' })
  expect(document.body.textContent).toContain('Promotion code SAVE10')
  expect(document.body.textContent).toContain('This code is no longer valid')
  click(getButton('Remove promotion code SAVE10'))
  await waitForPage(() => expect(again).toHaveBeenCalledTimes(1))
  expect(removed).toHaveBeenCalledTimes(1)
  expect(asked).toMatchObject([
    { method: 'DELETE', url: '/api/customer/jobs/1/checkout/promo?orderMethod=gallery', body: null },
  ])
})
