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
  job: JobContextValue
  cart: CartView
  payment: CartPayment
  state: PaymentState & { at: 'stopped' | 'lost' | 'unfinished' }
}

type FixLinkProps = Pick<PaymentProblemProps, 'job' | 'cart'> & { state: PaymentState & { at: 'stopped' } }

/** A payment that needs a correction first, or whose outcome is unknown. */
export const PaymentProblem = ({ job, cart, payment, state }: PaymentProblemProps) =>
  state.at === 'unfinished' ? (
    <UnfinishedPayment payment={payment} state={state} />
  ) : state.at === 'lost' ? (
    <Lost payment={payment} />
  ) : (
    <Stopped job={job} cart={cart} state={state} />
  )

const Stopped = ({ job, cart, state }: FixLinkProps) => (
  <Notice tone="attention" title={state.message} action={<FixLink job={job} cart={cart} state={state} />}>
    {fieldErrorsOf(state).map((reason) => (
      <p key={reason}>{reason}</p>
    ))}
    You weren’t charged.
  </Notice>
)

/** The field errors, each once, except those that the message includes already. */
const fieldErrorsOf = ({ message, fields }: FixLinkProps['state']): string[] =>
  [...new Set(Object.values(fields).flat())].filter((reason) => reason !== message)

// Links to where the problem is fixed: the one package, the checkout fields, or else the cart.
const FixLink = ({ job, cart, state: { problem, fields } }: FixLinkProps) => {
  const errorFields = Object.keys(fields)
  const affectedLine = cart.lines.find(({ line }) => errorFields.includes(line.lineId))
  if (problem === 'cart-incomplete' && affectedLine) {
    return (
      <ButtonLink href={urls.editCartPackage({ ...job, cartPackageId: affectedLine.number })} variant="secondary">
        Finish {lineName(affectedLine.line)}
      </ButtonLink>
    )
  }
  const inForm = errorFields.length > 0 && !affectedLine && !errorFields.some(isCartField)
  return (
    <ButtonLink href={inForm ? urls.checkout(job) : urls.cart(job)} variant="secondary">
      {inForm ? 'Check the details' : 'See the cart'}
    </ButtonLink>
  )
}

const Lost = ({ payment }: { payment: CartPayment }) => (
  <Notice
    tone="attention"
    title="We couldn’t confirm your payment"
    action={
      <>
        <ButtonLink href={urls.home()} variant="secondary">
          Find my order
        </ButtonLink>
        <Button variant="quiet" onClick={() => void payment.startOver()}>
          It didn’t go through, pay again
        </Button>
      </>
    }
  >
    Check your email first: if your order went through, you have a confirmation.
  </Notice>
)
