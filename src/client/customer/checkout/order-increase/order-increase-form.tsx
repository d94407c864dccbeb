import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import { OrderTotals } from '#client/customer/shared/order/order-totals.tsx'
import { packageLines, QuantityRows } from '#client/customer/shared/order/quantity-rows.tsx'
import { type ChangedQuantities, changedLines, useOrderQuote } from '#client/customer/shared/order/use-order-quote.ts'
import { quoteIncrease } from '#contract/customer/order-adjustment-calls.ts'
import type { Order } from '#contract/customer/order-calls.ts'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../checkout.module.css'
import { BankStep } from '../payment/bank-step.tsx'
import { isPaymentPending } from '../payment/payment-states.ts'
import { OrderIncreaseCard, useOrderIncreaseCard } from './order-increase-card.tsx'
import { OrderIncreaseNotice } from './order-increase-notice.tsx'
import { useOrderIncreasePayment } from './use-order-increase-payment.ts'

/** Maximum quantity that one increase can add to a package. */
const maxIncrease = 9

type OrderIncreaseProps = { route: OrderRoute; order: Order }

/**
 * The changed quantities with their price, and the payment for them. Navigates to the order once the increase is paid.
 */
const useOrderIncrease = ({ route, order }: OrderIncreaseProps) => {
  // The order as it was when opened: the choices refer to it.
  const [lines] = useState(() => packageLines(order))
  const [changedQuantities, setChangedQuantities] = useState<ChangedQuantities>({})
  const [, navigate] = useLocation()
  const quantities = changedLines(lines, changedQuantities)
  const { quote, problem, retry } = useOrderQuote(quoteIncrease, order, quantities)
  const { payment, state } = useOrderIncreasePayment(order)
  const card = useOrderIncreaseCard(quote)
  const isPending = isPaymentPending(state)
  useEffect(() => {
    if (state.at === 'totals-changed') retry()
    if (state.at === 'ordered') navigate(urls.order(route))
  }, [state.at, retry, navigate, route])

  const isPaying = useRef(false)
  const submitPayment = async () => {
    if (!quote || isPending) return
    const paymentToken = await card.token()
    if (paymentToken === undefined) return
    await payment.pay({ packages: quantities, paymentToken, totalCents: quote.chargeCents })
  }
  // A second tap can arrive before the first one shows.
  const pay = async () => {
    if (isPaying.current) return
    isPaying.current = true
    await submitPayment().finally(() => {
      isPaying.current = false
    })
  }
  return {
    ...{ lines, changedQuantities, setChangedQuantities, quote, problem, retry, payment, state, card, isPending, pay },
    isChanged: quantities.length > 0,
  }
}

type OrderIncrease = ReturnType<typeof useOrderIncrease>

/** New quantities per package, the extra cost, and the card that pays for it. */
export const OrderIncreaseForm = ({ route, order }: OrderIncreaseProps) => {
  const increase = useOrderIncrease({ route, order })
  const { quote, payment, state, card, isPending, pay } = increase
  const cents = quote?.chargeCents
  const notice = <OrderIncreaseNotice state={state} payment={payment} orderUrl={urls.order(route)} />
  if (!isPending && !order.mayChange) {
    return (
      <>
        {notice}
        <NothingToAdd route={route} order={order} />
      </>
    )
  }
  return (
    <>
      {notice}
      {!isPending && (
        <>
          <QuantityFields increase={increase} />
          <IncreaseQuoteNotice increase={increase} />
          {quote && <OrderTotals totals={quote.totals} promotionCode={order.promotionCode} />}
          {quote && quote.chargeCents > 0 && <OrderIncreaseCard card={card} cents={quote.chargeCents} />}
        </>
      )}
      {state.at !== 'unfinished' && (
        <BottomBar label={cents === undefined ? 'Choose a quantity' : 'To pay'} {...(cents !== undefined && { cents })}>
          <Button
            size="lg"
            loading={isPending || card.isTokenizing}
            disabled={!isPending && !quote}
            onClick={() => void pay()}
          >
            {cents === undefined ? 'Pay' : cents === 0 ? 'Add it' : `Pay ${formatMoney(cents)}`}
          </Button>
        </BottomBar>
      )}
      <BankStep state={state} payment={payment} cents={cents} />
    </>
  )
}

const QuantityFields = ({ increase }: { increase: OrderIncrease }) => (
  <QuantityRows
    lines={increase.lines}
    changedQuantities={increase.changedQuantities}
    limitsOf={({ quantity }) => ({ min: quantity, max: Math.min(quantity + maxIncrease, maxLineQuantity) })}
    onQuantities={increase.setChangedQuantities}
  />
)

/** The extra cost of the chosen quantities, or why it is unknown. */
const IncreaseQuoteNotice = ({ increase }: { increase: OrderIncrease }) => {
  const { isChanged, quote, problem, retry } = increase
  return (
    <div aria-live="polite">
      {isChanged && !quote && !problem && <p className={styles.soft}>Updating total…</p>}
      {problem && (
        <QuoteProblem unreachable={problem.status === 'unreachable'} message={problem.errors[0]} onRetry={retry} />
      )}
      {quote && (
        <Notice title={`${formatMoney(quote.chargeCents)} more`}>
          New order total {formatMoney(quote.totals.totalCents)}.
        </Notice>
      )}
    </div>
  )
}

/** Explains why nothing can be added to this order. */
export const NothingToAdd = ({ route, order }: OrderIncreaseProps) => (
  <EmptyState
    level={2}
    title="Nothing more can be added to this order"
    action={<ButtonLink href={urls.order(route)}>See the order</ButtonLink>}
  >
    {order.state === 'cancelled'
      ? 'It was cancelled.'
      : 'The studio is preparing this order for the lab or has already sent it. Ask the studio if you need to change something.'}
  </EmptyState>
)

type QuoteProblemProps = { unreachable: boolean; message: string | undefined; onRetry: () => void }

const QuoteProblem = ({ unreachable, message, onRetry }: QuoteProblemProps) => (
  <Notice
    tone="attention"
    title={unreachable ? 'This needs a connection' : message}
    action={
      <Button size="sm" variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {unreachable && 'Your order and your choices are unchanged.'}
  </Notice>
)
