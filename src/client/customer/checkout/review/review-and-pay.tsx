import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import { OrderTotals } from '#client/customer/shared/order/order-totals.tsx'
import { formatMoney } from '#domain/pricing/money.ts'
import { hasPrints } from '#domain/pricing/shipping.ts'
import { isValid } from '#domain/shared/validators.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import { requestAnotherCard, useChosenCard } from '../card/chosen-card.ts'
import styles from '../checkout.module.css'
import { calculatingTotals } from '../checkout-blocker.ts'
import { blockerElementId, CheckoutBlockerNotice } from '../checkout-blocker-notice.tsx'
import { validateCheckoutForm } from '../form/checkout-form-rules.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { CartPayment } from '../payment/cart-payment.ts'
import { PaymentNotice } from '../payment/payment-notice.tsx'
import { type Authentication, isPaymentPending, type PaymentState } from '../payment/payment-states.ts'
import type { CheckoutState } from '../use-checkout.ts'
import { ReviewDetails } from './review-details.tsx'
import { ReviewLines } from './review-lines.tsx'

const BankDialog = lazy(async () => ({ default: (await import('../test-provider/test-bank-step.tsx')).TestBankStep }))
const StripeBank = lazy(async () => ({ default: (await import('../stripe/stripe-bank-step.tsx')).StripeBankStep }))

type ReviewAndPayProps = {
  event: JobContextValue
  now: CheckoutState & { cart: NonNullable<CheckoutState['cart']> }
  form: CheckoutFormValues
  payment: CartPayment
  state: PaymentState
}

/**
 * Shows the order's details and total. The Pay button is disabled with its reason while blocked, and never disappears.
 */
export const ReviewAndPay = ({ event, now, form, payment, state }: ReviewAndPayProps) => {
  const { cart, delivery, priced, shown, blocker } = now
  const { card } = useChosenCard(event)
  const [, navigate] = useLocation()
  const underWay = isPaymentPending(state)
  // A pending payment that continues only by the customer's choice in the notice above.
  const asksFamily = state.at === 'unfinished' || state.at === 'lost'
  const free = priced.lastTotals?.totalCents === 0
  const promotion = priced.checkout?.promotion
  // Until the totals are loaded it is unknown whether a card is needed.
  const mayBeFree = free || (!priced.lastTotals && blocker === calculatingTotals)
  const missing = missingOf({ form, delivery, hasCard: mayBeFree || card !== null })
  const toldMissing = underWay || state.at === 'declined' ? null : missing
  const toCheckout = urls.checkout(event)
  const waits = !underWay && (missing !== null || blocker !== null)
  const amount = underWay ? 'Total' : amountWords(now)
  // The only place that says the totals are loading.
  const label =
    waits && !missing && blocker === calculatingTotals ? <span id={blockerElementId}>{amount}</span> : amount

  const pay = () => {
    if (underWay) return
    const wait = missing ?? blocker?.message
    if (wait || !priced.totals) return toast(wait ?? calculatingTotals.message)
    const { totalCents } = priced.totals
    const paymentToken = free ? null : (card?.token ?? null)
    // The version of the lines on this screen, whichever version the totals are for.
    void payment.pay({ paymentToken, totalCents, cartVersion: cart.cart.version })
  }
  const answer = (authentication: Authentication) => void payment.authenticate(authentication)
  const anotherCard = () => {
    requestAnotherCard(event)
    navigate(toCheckout)
  }

  return (
    <>
      <div className={styles.columns}>
        <div className={styles.section}>
          {state.at === 'requires-action' && state.action && (
            <Suspense>
              <StripeBank key={state.polls} action={state.action} onAnswer={answer} />
            </Suspense>
          )}
          <PaymentNotice event={event} cart={cart} payment={payment} state={state} onAnotherCard={anotherCard} />
          <ReviewLines event={event} cart={cart} />
        </div>
        <div className={styles.aside}>
          <ReviewDetails
            event={event}
            form={form}
            delivery={hasPrints(cart.cart) ? delivery.delivery : 'downloads'}
            card={free ? null : card}
          />
          {shown && <OrderTotals totals={shown} shippingName={delivery.shippingName} promotionCode={promotion?.code} />}
          {!underWay && promotion?.why && (
            <Notice tone="attention">
              {promotion.why}: {promotion.code}
            </Notice>
          )}
          {toldMissing && (
            <Notice
              tone="attention"
              action={
                <ButtonLink href={toCheckout} variant="secondary" size="sm">
                  Back to checkout
                </ButtonLink>
              }
            >
              <span id={blockerElementId}>{toldMissing}</span>
            </Notice>
          )}
          {!underWay && !missing && <CheckoutBlockerNotice blocker={blocker} event={event} />}
        </div>
      </div>
      <BottomBar label={label} cents={shown?.totalCents ?? cart.totalCents}>
        <Button
          size="lg"
          loading={underWay && !asksFamily}
          aria-disabled={waits || asksFamily || undefined}
          aria-describedby={waits ? blockerElementId : undefined}
          onClick={pay}
        >
          {payWords(shown?.totalCents)}
        </Button>
      </BottomBar>
      {state.at === 'requires-action' && !state.action && (
        <Suspense>
          <BankDialog cents={shown?.totalCents} onAnswer={answer} />
        </Suspense>
      )}
    </>
  )
}

const amountWords = ({ shown, blocker }: CheckoutState): string => {
  if (shown) return blocker === calculatingTotals ? blocker.short : 'Total'
  return blocker ? `Estimate · ${blocker.short}` : 'Estimate'
}

const payWords = (cents: number | undefined): string => {
  if (cents === 0) return 'Place order'
  return cents === undefined ? 'Pay' : `Pay ${formatMoney(cents)}`
}

type MissingCardInput = { form: CheckoutFormValues; delivery: CheckoutState['delivery']; hasCard: boolean }

const missingOf = ({ form, delivery, hasCard }: MissingCardInput): string | null => {
  if (!isValid(validateCheckoutForm({ ...form, delivery: delivery.delivery })))
    return 'A few details are still missing.'
  return hasCard ? null : 'Your card is not kept between visits, so it is needed once more.'
}
