import 'fake-indexeddb/auto'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseCard, clearCard } from '#client/customer/checkout/card/chosen-card.ts'
import { calculatingTotals, checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import type { CartPayment } from '#client/customer/checkout/payment/cart-payment.ts'
import { ReviewAndPay } from '#client/customer/checkout/review/review-and-pay.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { cart, checkoutStateWith, filledForm, jobContext } from '../checkout-examples.ts'

const pay = vi.fn(async () => {})
const payment = { pay } as unknown as CartPayment // a tap uses nothing else of it

type DrawnProps = Partial<ReturnType<typeof checkoutStateWith>>

const Drawn = (more: DrawnProps) => {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <BottomBarSlot value={slot}>
      <ReviewAndPay
        event={jobContext}
        now={checkoutStateWith(filledForm, more)}
        form={filledForm}
        payment={payment}
        state={{ at: 'idle' }}
      />
      <div ref={setSlot} />
    </BottomBarSlot>
  )
}

const fine = { closed: null, cart: cart.status, online: true, problem: undefined, priced: true }
const described = () => {
  const of = getButton('Pay $31.45').getAttribute('aria-describedby')
  return of && getElement(`#${of}`).textContent
}

beforeEach(() => {
  clearCard(jobContext)
  pay.mockClear()
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

afterEach(() => void vi.unstubAllGlobals())

const reasons = [
  ['the server is unreachable', true, checkoutBlocker({ ...fine, online: false }), 'There was no answer.'],
  ['the totals are loading', true, calculatingTotals, 'Adding it up…'],
  ['the card has to be entered again', false, null, 'Your card is not kept between visits'],
] as const

test.each(reasons)('while %s, Pay stays and announces why it waits', (_, card, hold, why) => {
  if (card) chooseCard(jobContext, { token: 'test_4242', ending: '4242' })
  render(<Drawn blocker={hold} />)
  expect(getButton('Pay $31.45').getAttribute('aria-disabled')).toBe('true')
  expect(described()).toContain(why)
  const before = toastLog.current()
  click(getButton('Pay $31.45'))
  expect(pay).not.toHaveBeenCalled()
  expect(toastLog.current()).toHaveLength(before.length + 1)
})

test('no card is required before the total is known, since the order may be free', () => {
  const priced = { ...checkoutStateWith(filledForm).priced, totals: undefined, lastTotals: undefined }
  render(<Drawn blocker={calculatingTotals} priced={priced} shown={undefined} />)
  expect(document.body.textContent).not.toContain('Your card is not kept between visits')
  expect(getButton('Pay').getAttribute('aria-disabled')).toBe('true')
})

test('without a blocker Pay submits the payment and shows no reason', () => {
  chooseCard(jobContext, { token: 'test_4242', ending: '4242' })
  render(<Drawn blocker={null} />)
  expect(getButton('Pay $31.45').getAttribute('aria-disabled')).toBeNull()
  expect(described()).toBeNull()
  click(getButton('Pay $31.45'))
  expect(pay).toHaveBeenCalledWith({ paymentToken: 'test_4242', totalCents: 3145, cartVersion: 3 })
})
