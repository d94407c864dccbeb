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
import { type ChosenCard, dropCard, exceedsApproval, requestAnotherCard, useChosenCard } from '../card/chosen-card.ts'
import styles from '../checkout.module.css'
import { calculatingTotals } from '../checkout-blocker.ts'
import { blockerElementId, CheckoutBlockerNotice } from '../checkout-blocker-notice.tsx'
import { validateCheckoutForm } from '../form/checkout-form-rules.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { CartPayment } from '../payment/cart-payment.ts'
import { PaymentNotice } from '../payment/payment-notice.tsx'
import { isPaymentPending, type PaymentState } from '../payment/payment-states.ts'
import { TrustStrip } from '../trust-strip.tsx'
import { amountLabel, type CheckoutState } from '../use-checkout.ts'
import { ReviewDetails } from './review-details.tsx'
import { ReviewLines } from './review-lines.tsx'

const BankStep = lazy(async () => ({ default: (await import('../payment/bank-step.tsx')).BankStep }))

type ReviewAndPayProps = {
  job: JobContextValue
  checkoutState: CheckoutState & { cart: NonNullable<CheckoutState['cart']> }
  form: CheckoutFormValues
  payment: CartPayment
  state: PaymentState
}

/**
 * Shows the order's details and total. The Pay button is disabled with its reason while blocked, and never disappears.
 */
export const ReviewAndPay = ({ job, checkoutState, form, payment, state }: ReviewAndPayProps) => {
  const { cart, delivery, pricing, displayedTotals: totals, isTaxKnown, blocker } = checkoutState
  const { card } = useChosenCard(job)
  const [, navigate] = useLocation()
  const isPending = isPaymentPending(state)
  // A pending payment that continues only after the customer decides in the notice above.
  const needsDecision = state.at === 'unfinished' || state.at === 'lost'
  const isFree = pricing.lastTotals?.totalCents === 0
  const promotion = pricing.checkout?.promotion
  // Until the totals are loaded it is unknown whether a card is needed.
  const mayBeFree = isFree || (!pricing.lastTotals && blocker === calculatingTotals)
  const cardMessage = mayBeFree ? null : cardProblem(card, pricing.totals?.totalCents)
  const missingMessage = missingDetailsMessage({ form, delivery, cardMessage })
  const isDeclined = state.at === 'declined' && card === null
  const isBlocked = !isPending && !isDeclined && (missingMessage !== null || blocker !== null)
  const amount = isDeclined ? 'Card declined' : isPending ? 'Total' : amountLabel(checkoutState)
  // Only this label says that the totals are loading.
  const label =
    isBlocked && !missingMessage && blocker === calculatingTotals ? <span id={blockerElementId}>{amount}</span> : amount

  const pay = () => {
    if (isPending) return
    const blockedMessage = missingMessage ?? blocker?.message
    if (blockedMessage || !pricing.totals) return toast(blockedMessage ?? calculatingTotals.message)
    const paymentToken = isFree ? null : (card?.token ?? null)
    // The version of the lines on this screen, whichever version the totals are for.
    void payment.pay({ paymentToken, totalCents: pricing.totals.totalCents, cartVersion: cart.cart.version })
  }
  const openCardFields = () => {
    requestAnotherCard(job)
    navigate(urls.checkout(job))
  }

  return (
    <>
      <div className={styles.columns}>
        <div className={styles.section}>
          {state.at === 'requires-action' && (
            <Suspense>
              <BankStep state={state} payment={payment} cents={totals?.totalCents} />
            </Suspense>
          )}
          <PaymentNotice job={job} cart={cart} payment={payment} state={state} />
          <ReviewLines job={job} cart={cart} />
        </div>
        <div className={styles.aside}>
          <ReviewDetails
            {...{ job, form, arrival: delivery.arrival }}
            delivery={hasPrints(cart.cart) ? delivery.delivery : 'downloads'}
            card={isFree ? null : card}
          />
          {totals && <OrderTotals totals={totals} shippingName={delivery.shippingName} isTaxKnown={isTaxKnown} />}
          {!isPending && (
            <>
              {promotion?.why && (
                <Notice tone="attention">
                  {promotion.why}: {promotion.code}
                </Notice>
              )}
              {missingMessage && !isDeclined && <MissingNotice {...{ missingMessage, job }} />}
              {!missingMessage && <CheckoutBlockerNotice blocker={blocker} route={job} />}
            </>
          )}
          <TrustStrip job={job} cart={cart.cart} takesCard={!isFree} />
        </div>
      </div>
      <BottomBar label={label} cents={totals?.totalCents ?? cart.totalCents}>
        <Button
          size="lg"
          loading={isPending && !needsDecision}
          aria-disabled={isBlocked || needsDecision || undefined}
          aria-describedby={isBlocked ? blockerElementId : undefined}
          onClick={isDeclined ? openCardFields : pay}
        >
          {isDeclined ? 'Pay with another card' : payLabel(totals?.totalCents)}
        </Button>
      </BottomBar>
    </>
  )
}

/** What the customer must complete on the checkout screen before they can pay. */
const MissingNotice = ({ missingMessage, job }: { missingMessage: string; job: JobContextValue }) => (
  <Notice
    tone="attention"
    action={
      <ButtonLink
        href={urls.checkout(job)}
        variant="secondary"
        size="sm"
        onClick={() => missingMessage === increasedMessage && dropCard(job)}
      >
        Back to checkout
      </ButtonLink>
    }
  >
    <span id={blockerElementId}>{missingMessage}</span>
  </Notice>
)

const payLabel = (cents: number | undefined): string => {
  if (cents === 0) return 'Place order'
  return cents === undefined ? 'Pay' : `Pay ${formatMoney(cents)}`
}

const noCardMessage = 'We don’t keep your card, so please enter it again.'
const increasedMessage = 'The total is more than you approved in your wallet. Please approve it again.'

/** What is wrong with the card; null if nothing is. */
const cardProblem = (card: ChosenCard | null, totalCents: number | undefined): string | null => {
  if (!card) return noCardMessage
  return totalCents !== undefined && exceedsApproval(card, totalCents) ? increasedMessage : null
}

type MissingDetailsInput = {
  form: CheckoutFormValues
  delivery: CheckoutState['delivery']
  /** What is wrong with the card; null if nothing is. */
  cardMessage: string | null
}

const missingDetailsMessage = ({ form, delivery, cardMessage }: MissingDetailsInput): string | null =>
  isValid(validateCheckoutForm({ ...form, delivery: delivery.delivery }))
    ? cardMessage
    : 'A few details are still missing.'
