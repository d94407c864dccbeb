import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import { OrderTotals } from '#client/customer/shared/order/order-totals.tsx'
import { type ChangedQuantities, changedLines, useOrderQuote } from '#client/customer/shared/order/use-order-quote.ts'
import type { Order } from '#contract/customer/checkout-calls.ts'
import { quoteIncrease } from '#contract/customer/order-adjustment-calls.ts'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { orderAtLabMessage } from '#domain/orders/order-at-lab-message.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import styles from '../checkout.module.css'
import { BankStep } from '../payment/bank-step.tsx'
import { isPaymentPending } from '../payment/payment-states.ts'
import { OrderIncreaseCard, useOrderIncreaseCard } from './order-increase-card.tsx'
import { OrderIncreaseNotice } from './order-increase-notice.tsx'
import { useOrderIncreasePayment } from './use-order-increase-payment.ts'

type Line = Order['lines'][number] & { lineId: number }

const isPackage = (line: Order['lines'][number]): line is Line => typeof line.lineId === 'number'

/** Maximum quantity that one increase can add to a package. */
const maxIncrease = 9

const choicesOf = ({ quantity }: Line) =>
  Array.from({ length: Math.min(maxIncrease, maxLineQuantity - quantity) + 1 }, (_, more) => {
    const wanted = String(quantity + more)
    return { value: wanted, label: more === 0 ? `${wanted}, as ordered` : wanted }
  })

type OrderIncreaseProps = { route: OrderRoute; order: Order }

/** New quantities per package, the extra cost, and the card that pays for it. */
export const OrderIncreaseForm = ({ route, order }: OrderIncreaseProps) => {
  // The order as it was when opened: the choices below refer to it.
  const [lines] = useState(() => order.lines.filter(isPackage))
  const [touched, setTouched] = useState<ChangedQuantities>({})
  const [, navigate] = useLocation()
  const quantities = changedLines(lines, touched)
  const { priced, problem, again: retry } = useOrderQuote(quoteIncrease, order, quantities)
  const { payment, state } = useOrderIncreasePayment(order)
  const card = useOrderIncreaseCard(priced)
  const underWay = isPaymentPending(state)
  useEffect(() => {
    if (state.at === 'totals-changed') retry()
    if (state.at === 'ordered') navigate(urls.order(route))
  }, [state.at, retry, navigate, route])
  const going = useRef(false)
  const payOnce = async () => {
    if (!priced || underWay) return
    const paymentToken = await card.token()
    if (paymentToken === undefined) return
    await payment.pay({ packages: quantities, paymentToken, totalCents: priced.chargeCents })
  }
  // A second tap can arrive before the first one shows.
  const pay = async () => {
    if (going.current) return
    going.current = true
    await payOnce().finally(() => {
      going.current = false
    })
  }
  const cents = priced?.chargeCents
  if (!underWay && !order.mayChange) {
    return (
      <>
        <OrderIncreaseNotice state={state} payment={payment} order={urls.order(route)} />
        <NothingToAdd route={route} order={order} />
      </>
    )
  }
  return (
    <>
      <OrderIncreaseNotice state={state} payment={payment} order={urls.order(route)} />
      {!underWay && (
        <>
          {lines.map((line) => (
            <Field key={line.lineId} label={`${line.packageName} for ${line.personName}`}>
              <Select
                value={String(touched[line.lineId] ?? line.quantity)}
                options={choicesOf(line)}
                onValue={(value) => setTouched({ ...touched, [line.lineId]: Number(value) })}
              />
            </Field>
          ))}
          <div aria-live="polite">
            {quantities.length > 0 && !priced && !problem && <p className={styles.soft}>Adding it up…</p>}
            {problem && (
              <Unpriced unreachable={problem.status === 'unreachable'} message={problem.errors[0]} onAgain={retry} />
            )}
            {priced && (
              <Notice title={`${formatMoney(priced.chargeCents)} more`}>
                The whole order then comes to {formatMoney(priced.totals.totalCents)}.
              </Notice>
            )}
          </div>
          {priced && <OrderTotals totals={priced.totals} promotionCode={order.promotionCode} />}
          {priced && priced.chargeCents > 0 && <OrderIncreaseCard card={card} cents={priced.chargeCents} />}
        </>
      )}
      {state.at !== 'unfinished' && (
        <BottomBar
          label={cents === undefined ? 'Choose how many there are to be' : 'To pay'}
          {...(cents !== undefined && { cents })}
        >
          <Button
            size="lg"
            loading={underWay || card.isTokenizing}
            disabled={!underWay && !priced}
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

/** Explains why nothing can be added to this order. */
export const NothingToAdd = ({ route, order }: OrderIncreaseProps) => (
  <EmptyState
    level={2}
    title="Nothing can be added to this order any more"
    action={<ButtonLink href={urls.order(route)}>Look at the order</ButtonLink>}
  >
    {order.state === 'cancelled' ? 'It was cancelled.' : orderAtLabMessage}
  </EmptyState>
)

type UnpricedProps = { unreachable: boolean; message: string | undefined; onAgain: () => void }

const Unpriced = ({ unreachable, message, onAgain }: UnpricedProps) => (
  <Notice
    tone="attention"
    title={unreachable ? 'This needs a connection' : message}
    action={
      <Button size="sm" variant="secondary" onClick={onAgain}>
        Try again
      </Button>
    }
  >
    {unreachable && 'Your order stands as it is, and so does what you chose here.'}
  </Notice>
)
