import { useEffect, useRef } from 'react'
import type { CartView } from '../../../local/cart-view.ts'
import { urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { CustomerEvent } from '../event.tsx'
import { lineName } from '../line-texts.ts'
import styles from './checkout.module.css'
import { isInCart } from './hold.ts'
import type { Payment } from './payment.ts'
import { endsAttempt, type PaymentState } from './payment-states.ts'

type PaymentNoticeProps = {
  event: CustomerEvent
  cart: CartView
  payment: Payment
  state: PaymentState
  onAnotherCard: () => void
}

/** What became of the last tap on Pay, what was kept, and what to do. A word that ends the waiting is brought into view. */
export const PaymentNotice = (props: PaymentNoticeProps) => {
  const place = useRef<HTMLDivElement>(null)
  const over = endsAttempt(props.state) || props.state.at === 'lost'
  useEffect(() => {
    if (over) place.current?.scrollIntoView({ block: 'center' })
  }, [over])
  return (
    <div ref={place} className={styles.notice}>
      <Words {...props} />
    </div>
  )
}

const Words = (props: PaymentNoticeProps) => {
  const { payment, state, onAnotherCard } = props
  if (state.at === 'sending' || state.at === 'unknown') return <Confirming payment={payment} state={state} />
  if (state.at === 'declined') {
    return (
      <Notice
        tone="attention"
        title={state.sentence}
        action={<Button onClick={onAnotherCard}>Use another card</Button>}
      >
        Nothing was charged, and your order is kept as it is.
      </Notice>
    )
  }
  if (state.at === 'totals-changed') {
    return (
      <Notice tone="attention" title={state.sentence}>
        Nothing was charged. The new total is below; pay when it is right for you.
      </Notice>
    )
  }
  if (state.at === 'stopped') return <Stopped {...props} state={state} />
  return state.at === 'lost' ? <Lost payment={payment} /> : null
}

// A bank may take its time; a first answer within a second or two needs no words.
const Confirming = ({ payment, state }: { payment: Payment; state: PaymentState & { at: 'sending' | 'unknown' } }) => {
  const unreachable = state.at === 'unknown' && state.why === 'unreachable'
  const askAgain = state.at === 'unknown' && (
    <Button variant="secondary" size="sm" onClick={() => void payment.askNow()}>
      Ask now
    </Button>
  )
  return (
    <Notice title="Confirming with your bank…" action={askAgain}>
      {unreachable
        ? 'The connection was lost on the way. We ask again by ourselves, and you will not be charged twice.'
        : 'This can take a moment. You will not be charged twice, even if you close this page.'}
    </Notice>
  )
}

const Stopped = ({ event, cart, state }: PaymentNoticeProps & { state: PaymentState & { at: 'stopped' } }) => (
  <Notice tone="attention" title={state.sentence} action={<WayOut event={event} cart={cart} state={state} />}>
    Nothing was charged.
  </Notice>
)

type WayOutProps = Pick<PaymentNoticeProps, 'event' | 'cart'> & { state: PaymentState & { at: 'stopped' } }

// The place where it is put right: the one package, the fields of the checkout, or else the cart.
const WayOut = ({ event, cart, state: { problem, places } }: WayOutProps) => {
  const meant = cart.lines.find(({ line }) => places.includes(line.lineId))
  if (problem === 'cart-incomplete' && meant) {
    return (
      <ButtonLink href={urls.editCartPackage({ ...event, cartPackageId: meant.number })} variant="secondary">
        Finish {lineName(meant.line)}
      </ButtonLink>
    )
  }
  const inForm = places.length > 0 && !meant && !places.some(isInCart)
  return (
    <ButtonLink href={inForm ? urls.checkout(event) : urls.cart(event)} variant="secondary">
      {inForm ? 'Look at the details' : 'Look at the cart'}
    </ButtonLink>
  )
}

const Lost = ({ payment }: { payment: Payment }) => (
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
