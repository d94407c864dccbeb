import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { Order } from '#contract/customer/order-calls.ts'
import { trackingLink } from '#domain/orders/tracking-link.ts'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { increasePaymentDraftKey } from '#local/store/increase-payment-draft-key.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { useSavedDraft } from '../shared/drafts/use-saved-draft.ts'
import { OrderTotals } from '../shared/order/order-totals.tsx'
import { PostalAddress } from '../shared/order/postal-address.tsx'
import { contactLinks } from '../shared/studio/studio-contact.tsx'
import { deliverySteps } from './delivery-info.ts'
import { OrderHeader } from './order-header.tsx'
import { OrderLines } from './order-lines.tsx'
import styles from './orders.module.css'

const LazyImageChoiceNotice = lazy(async () => ({
  default: (await import('./image-choice-notice.tsx')).ImageChoiceNotice,
}))
const OrderExtras = lazy(async () => ({ default: (await import('./order-extras.tsx')).OrderExtras }))

/** Renders a pending payment for an order increase. It belongs to another feature, so the app passes it in. */
export type PendingAddition = ComponentType<{ order: Order; route: CustomerRoute }>

type OrderSummaryProps = {
  order: Order
  route: CustomerRoute
  PendingAddition: PendingAddition
  onChanged: () => void
}

/** The order summary: head, delivery, lines, address, contacts, and last what can be changed. Prints on one or two sheets. */
export const OrderSummary = ({ order, route, PendingAddition, onChanged }: OrderSummaryProps) => {
  const hasPendingAddition = useSavedDraft(increasePaymentDraftKey(order))?.value !== undefined
  return (
    <article className={styles.summary}>
      <OrderHeader order={order} />
      {hasPendingAddition && (
        <Suspense>
          <PendingAddition order={order} route={route} />
        </Suspense>
      )}
      <div className={styles.columns}>
        <div className={styles.part}>
          {order.orderMethod === 'prepay' && order.state !== 'cancelled' && (
            <Suspense>
              <LazyImageChoiceNotice {...route} orderNumber={order.orderNumber} />
            </Suspense>
          )}
          <DeliverySteps order={order} />
          <OrderLines lines={order.lines} />
          <div className={styles.actions}>
            <ButtonLink href={urls.subjectSearch(route)}>Order for another child</ButtonLink>
          </div>
        </div>
        <div className={styles.part}>
          <Delivery order={order} />
          <section>
            <h2>Paid</h2>
            <OrderTotals
              totals={order.totals}
              shippingName={order.shippingName || undefined}
              promotionCode={order.promotionCode}
            />
            {order.cardEnding && <p className={styles.soft}>Card ending {order.cardEnding}</p>}
          </section>
          <Contact order={order} />
          <div className={styles.actions}>
            <ButtonLink
              href={`/api/customer/jobs/${order.jobId}/orders/${order.orderNumber}/documents/receipt.pdf`}
              variant="secondary"
              download
            >
              Receipt (PDF)
            </ButtonLink>
            <Button variant="secondary" onClick={() => window.print()}>
              Print
            </Button>
          </div>
          <Extras order={order} route={route} onChanged={onChanged} />
          {order.mayCancel && (
            <div className={styles.actions}>
              <CancelOrder order={order} onCancelled={onChanged} />
            </div>
          )}
        </div>
      </div>
    </article>
  )
}

// Refunds are always shown; the rarely used parts are loaded on demand.
const Extras = (props: Omit<OrderSummaryProps, 'PendingAddition'>) => {
  const [isOpen, setIsOpen] = useState(false)
  const { refunds, dates, mayChange } = props.order
  if (isOpen || refunds.length > 0) {
    return (
      <Suspense>
        <OrderExtras {...props} />
      </Suspense>
    )
  }
  if (!mayChange && dates.length === 0) return null
  return (
    <div>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        {mayChange ? 'Dates and changes' : 'Dates'}
      </Button>
    </div>
  )
}

const CancelOrder = ({ order, onCancelled }: { order: Order; onCancelled: () => void }) => {
  const [isCancelling, setIsCancelling] = useState(false)
  const cancel = async () => {
    setIsCancelling(true)
    const { confirmCancelOrder } = await import('./confirm-cancel-order.ts')
    const isConfirmed = await confirmCancelOrder(order)
    setIsCancelling(false)
    if (isConfirmed) onCancelled()
  }
  return (
    <Button variant="quiet" loading={isCancelling} onClick={() => void cancel()}>
      Cancel this order
    </Button>
  )
}

const TrackingNumber = ({ trackingNumber }: { trackingNumber: string }) => {
  const link = trackingLink(trackingNumber)
  if (!link) return <p>Tracking number {trackingNumber}</p>
  return (
    <p>
      {link.carrier}{' '}
      <a href={link.href} target="_blank" rel="noopener">
        Track parcel {trackingNumber}
      </a>
    </p>
  )
}

const DeliverySteps = ({ order }: { order: Order }) => (
  <section aria-labelledby="what-comes">
    <h2 id="what-comes">What happens next</h2>
    <ol className={styles.steps}>
      {deliverySteps(order).map(({ label, when, state }) => (
        <li key={label} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span>{label}</span>
          {when && <span className={styles.stepDate}>{when}</span>}
        </li>
      ))}
    </ol>
    {order.trackingNumber && <TrackingNumber trackingNumber={order.trackingNumber} />}
    <p className={styles.soft}>We’ll email updates to {order.customer.email}.</p>
  </section>
)

const Delivery = ({ order }: { order: Order }) => {
  const { delivery } = order
  return (
    <section>
      <h2>{{ home: 'Ship to', studio: batchShippingLabel, download: 'Downloads' }[delivery]}</h2>
      {order.shippingAddress && <PostalAddress address={order.shippingAddress} />}
      {delivery === 'studio' && <p>{order.arrival ?? 'Handed out by the studio or school.'}</p>}
      {delivery === 'download' && <p>Digital order, nothing ships.</p>}
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
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href} className={styles.contact}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
