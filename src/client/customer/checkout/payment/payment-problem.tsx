import { lineName } from '#client/customer/shared/cart/line-texts.ts'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CartView } from '#local/store/cart-view.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { isCartField } from '../checkout-blocker.ts'
import type { CartPayment } from './cart-payment.ts'
import type { PaymentState } from './payment-states.ts'
import { UnfinishedPayment } from './unfinished-payment.tsx'

type PaymentProblemProps = {
  event: JobContextValue
  cart: CartView
  payment: CartPayment
  state: PaymentState & { at: 'stopped' | 'lost' | 'unfinished' }
}

type FixLinkProps = Pick<PaymentProblemProps, 'event' | 'cart'> & { state: PaymentState & { at: 'stopped' } }

/** A payment that needs a correction first, or whose outcome is unknown. */
export const PaymentProblem = ({ event, cart, payment, state }: PaymentProblemProps) =>
  state.at === 'unfinished' ? (
    <UnfinishedPayment payment={payment} state={state} />
  ) : state.at === 'lost' ? (
    <Lost payment={payment} />
  ) : (
    <Stopped event={event} cart={cart} state={state} />
  )

const Stopped = ({ event, cart, state }: FixLinkProps) => (
  <Notice tone="attention" title={state.message} action={<FixLink event={event} cart={cart} state={state} />}>
    {reasonsOf(state).map((reason) => (
      <p key={reason}>{reason}</p>
    ))}
    Nothing was charged.
  </Notice>
)

/** The field errors, each once, except those that the message includes already. */
const reasonsOf = ({ message, fields }: FixLinkProps['state']): string[] =>
  [...new Set(Object.values(fields).flat())].filter((reason) => reason !== message)

// Links to where the problem is fixed: the one package, the checkout fields, or else the cart.
const FixLink = ({ event, cart, state: { problem, fields } }: FixLinkProps) => {
  const named = Object.keys(fields)
  const meant = cart.lines.find(({ line }) => named.includes(line.lineId))
  if (problem === 'cart-incomplete' && meant) {
    return (
      <ButtonLink href={urls.editCartPackage({ ...event, cartPackageId: meant.number })} variant="secondary">
        Finish {lineName(meant.line)}
      </ButtonLink>
    )
  }
  const inForm = named.length > 0 && !meant && !named.some(isCartField)
  return (
    <ButtonLink href={inForm ? urls.checkout(event) : urls.cart(event)} variant="secondary">
      {inForm ? 'Look at the details' : 'Look at the cart'}
    </ButtonLink>
  )
}

const Lost = ({ payment }: { payment: CartPayment }) => (
  <Notice
    tone="attention"
    title="We can’t tell whether your payment went through"
    action={
      <>
        <ButtonLink href={urls.home()} variant="secondary">
          Find my order
        </ButtonLink>
        <Button variant="quiet" onClick={() => void payment.startOver()}>
          It did not, pay again
        </Button>
      </>
    }
  >
    Look into your e-mail first: an order that went through has a confirmation with its number.
  </Notice>
)
