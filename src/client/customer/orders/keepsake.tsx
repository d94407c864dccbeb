import { lazy, Suspense, useState } from 'react'
import type { Order } from '../../../contract/checkout.ts'
import { batchShippingLabel } from '../../../domain/shipping.ts'
import { additionKey } from '../../../local/addition-key.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { BillAddress } from '../bill-address.tsx'
import { BillTotals } from '../bill-totals.tsx'
import { contactLinks } from '../contact-links.ts'
import { useKept } from '../use-kept.ts'
import { OrderLines } from './order-lines.tsx'
import styles from './orders.module.css'
import { deliveryOf, whatComes } from './what-comes.ts'

const PosesNotice = lazy(async () => ({ default: (await import('./poses-notice.tsx')).PosesNotice }))
const AdditionWatch = lazy(async () => ({ default: (await import('../checkout/addition-watch.tsx')).AdditionWatch }))
const OrderExtras = lazy(async () => ({ default: (await import('./order-extras.tsx')).OrderExtras }))

type KeepsakeProps = { order: Order; place: CustomerRoute; onChanged: () => void }

/** The order as something to keep: its number, what comes when, what it is, where it goes, whom to ask. Prints on one sheet or two. */
export const Keepsake = ({ order, place, onChanged }: KeepsakeProps) => (
  <article className={styles.keepsake}>
    <header className={styles.head}>
      <p className={styles.kicker}>
        {order.state === 'cancelled'
          ? 'This order was cancelled'
          : `Thank you, ${order.customer.firstName}. Your order number is`}
      </p>
      <h1 className={styles.number}>{order.orderNumber}</h1>
      <p className={styles.soft}>
        {order.jobName} · {order.studioName}
      </p>
    </header>
    <UnknownAddition order={order} place={place} />
    <div className={styles.columns}>
      <div className={styles.part}>
        {order.orderMethod === 'prepay' && order.state !== 'cancelled' && (
          <Suspense>
            <PosesNotice {...place} orderNumber={order.orderNumber} />
          </Suspense>
        )}
        <WhatComes order={order} />
        <OrderLines lines={order.lines} />
      </div>
      <div className={styles.part}>
        <Delivery order={order} />
        <Extras order={order} place={place} onChanged={onChanged} />
        <section>
          <h2>Paid</h2>
          <BillTotals
            totals={order.totals}
            shippingName={order.shippingName || undefined}
            promotionCode={order.promotionCode}
          />
          {order.cardEnding && <p className={styles.soft}>Card ending {order.cardEnding}</p>}
        </section>
        <Contact order={order} />
        <div className={styles.actions}>
          <ButtonLink href={urls.subjectSearch(place)}>Order for another child</ButtonLink>
          <Button variant="secondary" onClick={() => window.print()}>
            Print
          </Button>
          {order.mayCancel && <CancelOrder order={order} onCancelled={onChanged} />}
        </div>
      </div>
    </div>
  </article>
)

// A payment for more of it whose outcome is not known.
const UnknownAddition = ({ order, place }: Pick<KeepsakeProps, 'order' | 'place'>) =>
  useKept(additionKey(order))?.value !== undefined && (
    <Suspense>
      <AdditionWatch order={order} place={place} />
    </Suspense>
  )

// Files and money that goes back show by themselves; what few look for is fetched when it is wanted.
const Extras = (props: KeepsakeProps) => {
  const [open, setOpen] = useState(false)
  const { downloads = [], refunds = [], dates = [], mayChange } = props.order
  if (open || downloads.length + refunds.length > 0) {
    return (
      <Suspense>
        <OrderExtras {...props} />
      </Suspense>
    )
  }
  if (!mayChange && dates.length === 0) return null
  return (
    <div>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {mayChange ? 'Dates and changes' : 'Dates'}
      </Button>
    </div>
  )
}

const CancelOrder = ({ order, onCancelled }: { order: Order; onCancelled: () => void }) => {
  const [busy, setBusy] = useState(false)
  const cancel = async () => {
    setBusy(true)
    const { cancelWholeOrder } = await import('./cancel-order.ts')
    const asked = await cancelWholeOrder(order)
    setBusy(false)
    if (asked) onCancelled()
  }
  return (
    <Button variant="quiet" loading={busy} onClick={() => void cancel()}>
      Cancel this order
    </Button>
  )
}

const WhatComes = ({ order }: { order: Order }) => (
  <section aria-labelledby="what-comes">
    <h2 id="what-comes">What comes when</h2>
    <ol className={styles.steps}>
      {whatComes(order).map(({ words, when, state }) => (
        <li key={words} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span>{words}</span>
          {when && <span className={styles.when}>{when}</span>}
        </li>
      ))}
    </ol>
    {order.trackingNumber && <p>Tracking number {order.trackingNumber}</p>}
    <p className={styles.soft}>Word of it goes to {order.customer.email}.</p>
  </section>
)

const Delivery = ({ order }: { order: Order }) => {
  const delivery = deliveryOf(order)
  return (
    <section>
      <h2>{{ home: 'Mailed to', studio: batchShippingLabel, download: 'Downloads' }[delivery]}</h2>
      {order.shippingAddress && <BillAddress address={order.shippingAddress} />}
      {delivery === 'studio' && <p>Handed out with everybody’s by the studio or the school.</p>}
      {delivery === 'download' && <p>These pictures come as files: nothing is printed or mailed.</p>}
    </section>
  )
}

const Contact = ({ order }: { order: Order }) => {
  const links = contactLinks({ phone: order.studioPhone, email: order.studioEmail })
  if (links.length === 0) return null
  return (
    <section>
      <h2>Questions? Ask {order.studioName}</h2>
      <ul>
        {links.map(({ href, words }) => (
          <li key={href}>
            <a href={href} className={styles.contact}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
