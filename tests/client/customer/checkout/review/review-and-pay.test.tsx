import 'fake-indexeddb/auto'
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseCard, clearCard } from '#client/customer/checkout/card/chosen-card.ts'
import { calculatingTotals, checkoutBlocker } from '#client/customer/checkout/checkout-blocker.ts'
import type { CartPayment } from '#client/customer/checkout/payment/cart-payment.ts'
import type { PaymentState } from '#client/customer/checkout/payment/payment-states.ts'
import { ReviewAndPay } from '#client/customer/checkout/review/review-and-pay.tsx'
import { BottomBarSlot } from '#client/customer/shared/layout/bottom-bar.tsx'
import { click, getButton, getElement, render } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { cart, checkoutStateWith, filledForm, jobContext } from '../checkout-examples.ts'

const pay = vi.fn(async () => {})
const payment = { pay } as unknown as CartPayment // the Pay button calls only `pay`

type StateOverrides = Partial<ReturnType<typeof checkoutStateWith>>

const ReviewWithBottomBar = ({ state = { at: 'idle' }, ...overrides }: StateOverrides & { state?: PaymentState }) => {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <BottomBarSlot value={slot}>
      <ReviewAndPay
        job={jobContext}
        checkoutState={checkoutStateWith(filledForm, overrides)}
        form={filledForm}
        payment={payment}
        state={state}
      />
      <div ref={setSlot} />
    </BottomBarSlot>
  )
}

const payable = { closedReason: null, cart: cart.status, online: true, problem: undefined, isPriced: true }
const payButtonDescription = () => {
  const elementId = getButton('Pay $31.45').getAttribute('aria-describedby')
  return elementId && getElement(`#${elementId}`).textContent
}

beforeEach(() => {
  clearCard(jobContext)
  pay.mockClear()
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})

afterEach(() => void vi.unstubAllGlobals())

const reasons = [
  ['the server is unreachable', true, checkoutBlocker({ ...payable, online: false }), 'There was no answer.'],
  ['the totals are loading', true, calculatingTotals, 'Updating total…'],
  ['the card has to be entered again', false, null, 'We don’t keep your card'],
] as const

test.each(reasons)(
  'while %s, the Pay button is disabled, describes the reason, and shows a toast when clicked',
  (_, hasCard, blocker, reason) => {
    if (hasCard) chooseCard(jobContext, { token: 'test_4242', ending: '4242' })
    render(<ReviewWithBottomBar blocker={blocker} />)
    expect(getButton('Pay $31.45').getAttribute('aria-disabled')).toBe('true')
    expect(payButtonDescription()).toContain(reason)
    const toastsBefore = toastLog.current()
    click(getButton('Pay $31.45'))
    expect(pay).not.toHaveBeenCalled()
    expect(toastLog.current()).toHaveLength(toastsBefore.length + 1)
  },
)

test('no card is required before the total is known, since the order may be free', () => {
  const priced = { ...checkoutStateWith(filledForm).pricing, totals: undefined, lastTotals: undefined }
  render(<ReviewWithBottomBar blocker={calculatingTotals} pricing={priced} displayedTotals={undefined} />)
  expect(document.body.textContent).not.toContain('We don’t keep your card')
  expect(getButton('Pay').getAttribute('aria-disabled')).toBe('true')
})

test('without a blocker, the Pay button submits the payment and has no description', () => {
  chooseCard(jobContext, { token: 'test_4242', ending: '4242' })
  render(<ReviewWithBottomBar blocker={null} />)
  expect(getButton('Pay $31.45').getAttribute('aria-disabled')).toBeNull()
  expect(payButtonDescription()).toBeNull()
  click(getButton('Pay $31.45'))
  expect(pay).toHaveBeenCalledWith({ paymentToken: 'test_4242', totalCents: 3145, cartVersion: 3 })
})

test('a total above what a wallet approved has to be approved again, and one up to it can be paid', () => {
  const walletCard = { token: 'ctoken_1', ending: '4242' }
  chooseCard(jobContext, { ...walletCard, approvedCents: 3144 })
  render(<ReviewWithBottomBar blocker={null} />)
  expect(payButtonDescription()).toContain('The total is more than you approved in your wallet.')
  click(getButton('Pay $31.45'))
  expect(pay).not.toHaveBeenCalled()
  const links = [...document.querySelectorAll('a')]
  click(links.find(({ textContent }) => textContent === 'Back to checkout') as HTMLElement)
  expect(document.body.textContent).toContain('We don’t keep your card')
  act(() => chooseCard(jobContext, { ...walletCard, approvedCents: 3145 }))
  click(getButton('Pay $31.45'))
  expect(pay).toHaveBeenCalledOnce()
})

test('after a declined card, the bar says so at once and its button leads to another card, also while totals load', () => {
  render(
    <ReviewWithBottomBar state={{ at: 'declined', message: 'Your card was declined' }} blocker={calculatingTotals} />,
  )
  const bar = getElement('section[aria-label="Next step"]')
  expect(bar.textContent).toBe('Card declined $31.45Pay with another card')
  expect(getButton('Pay with another card').getAttribute('aria-disabled')).toBeNull()
  expect(document.body.textContent).not.toContain('Updating total…')
  click(getButton('Pay with another card'))
  expect(location.pathname).toBe('/riverside/1/checkout')
})

test('a declined card that was replaced can be paid with', () => {
  chooseCard(jobContext, { token: 'test_4242', ending: '4242' })
  render(<ReviewWithBottomBar state={{ at: 'declined', message: 'Your card was declined' }} blocker={null} />)
  click(getButton('Pay $31.45'))
  expect(pay).toHaveBeenCalledOnce()
})
