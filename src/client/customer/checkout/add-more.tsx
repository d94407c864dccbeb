import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Order } from '../../../contract/checkout.ts'
import { priceMore } from '../../../contract/order-changes.ts'
import { maximumQuantity } from '../../../domain/cart-rules.ts'
import { formatMoney } from '../../../domain/money.ts'
import { announceChange } from '../../device/changes.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { BillTotals } from '../bill-totals.tsx'
import { BottomBar } from '../layout-bottom-bar.tsx'
import { type Touched, usePriced, wantedOf } from '../use-priced.ts'
import styles from './checkout.module.css'
import { MoreCard, useMoreCard } from './more-card.tsx'
import { MoreNotice } from './more-notice.tsx'
import { isUnderWay } from './payment-states.ts'
import { useMorePayment } from './use-more-payment.ts'

const BankDialog = lazy(async () => ({ default: (await import('./bank-dialog.tsx')).BankDialog }))
const StripeBank = lazy(async () => ({ default: (await import('./stripe/stripe-bank.tsx')).StripeBank }))

type Line = Order['lines'][number] & { lineId: number }

const isPackage = (line: Order['lines'][number]): line is Line => typeof line.lineId === 'number'

/** As many more of one package as are offered at a time: who wants a class set orders it. */
const mostMore = 9

const choicesOf = ({ quantity }: Line) =>
  Array.from({ length: Math.min(mostMore, maximumQuantity - quantity) + 1 }, (_, more) => {
    const wanted = String(quantity + more)
    return { value: wanted, label: more === 0 ? `${wanted}, as ordered` : wanted }
  })

type AddMoreProps = { route: OrderRoute; order: Order; kept: unknown }

/** How many of each package there are to be, what that costs more, and the card that pays for it. */
export const AddMore = ({ route, order, kept }: AddMoreProps) => {
  // As it was opened: what is chosen here is of that.
  const [lines] = useState(() => order.lines.filter(isPackage))
  const [touched, setTouched] = useState<Touched>({})
  const [, navigate] = useLocation()
  const wanted = wantedOf(lines, touched)
  const { priced, problem, again } = usePriced(priceMore, order, wanted)
  const payment = useMorePayment(order, kept)
  const card = useMoreCard(priced)
  const { state } = payment
  const underWay = isUnderWay(state)
  useEffect(() => {
    if (state.at === 'totals-changed') again()
    if (state.at !== 'ordered') return
    announceChange(null)
    toast('Your order has more now', 'success')
    navigate(urls.order(route))
  }, [state.at, again, navigate, route])
  const going = useRef(false)
  const payOnce = async () => {
    if (!priced || underWay) return
    const paymentToken = await card.token()
    if (paymentToken === undefined) return
    await payment.pay({ packages: wanted, paymentToken, chargeCents: priced.chargeCents })
  }
  // A second tap is on its way before the first one shows.
  const pay = async () => {
    if (going.current) return
    going.current = true
    await payOnce().finally(() => {
      going.current = false
    })
  }
  const cents = priced?.chargeCents
  return (
    <>
      <MoreNotice state={state} onAsk={() => void payment.askNow()} order={urls.order(route)} />
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
            {wanted.length > 0 && !priced && !problem && <p className={styles.soft}>Adding it up…</p>}
            {problem && (
              <Unpriced unreachable={problem.status === 'unreachable'} sentence={problem.errors[0]} onAgain={again} />
            )}
            {priced && (
              <Notice title={`${formatMoney(priced.chargeCents)} more`}>
                The whole order then comes to {formatMoney(priced.totals.totalCents)}.
              </Notice>
            )}
          </div>
          {priced && <BillTotals totals={priced.totals} promotionCode={order.promotionCode} />}
          {priced && priced.chargeCents > 0 && <MoreCard card={card} cents={priced.chargeCents} />}
        </>
      )}
      <BottomBar
        label={cents === undefined ? 'Choose how many there are to be' : 'To pay'}
        {...(cents !== undefined && { cents })}
      >
        <Button size="lg" loading={underWay || card.making} disabled={!underWay && !priced} onClick={() => void pay()}>
          {cents === undefined ? 'Pay' : cents === 0 ? 'Add it' : `Pay ${formatMoney(cents)}`}
        </Button>
      </BottomBar>
      {state.at === 'requires-action' && (
        <Suspense>
          {state.action ? (
            <StripeBank
              key={state.asks}
              action={state.action}
              onAnswer={(answer) => void payment.authenticate(answer)}
            />
          ) : (
            <BankDialog cents={cents} onAnswer={(answer) => void payment.authenticate(answer)} />
          )}
        </Suspense>
      )}
    </>
  )
}

type UnpricedProps = { unreachable: boolean; sentence: string | undefined; onAgain: () => void }

const Unpriced = ({ unreachable, sentence, onAgain }: UnpricedProps) => (
  <Notice
    tone="attention"
    title={unreachable ? 'This needs a connection' : sentence}
    action={
      <Button size="sm" variant="secondary" onClick={onAgain}>
        Try again
      </Button>
    }
  >
    {unreachable && 'Your order stands as it is, and so does what you chose here.'}
  </Notice>
)
