import type { Order } from '#contract/customer/order-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import styles from './orders.module.css'
import { ReduceOrder } from './reduce-order.tsx'

type OrderExtrasProps = { order: Order; route: CustomerRoute; onChanged: () => void }

/** Parts that only some orders have: changes, dates and refunds. */
export const OrderExtras = (props: OrderExtrasProps) => (
  <>
    <OrderChanges {...props} />
    <Dates order={props.order} />
    <Refunds order={props.order} />
  </>
)

const OrderChanges = ({ order, route, onChanged }: OrderExtrasProps) => {
  const { mayChange, orderNumber } = order
  if (!mayChange) return null
  return (
    <section className={styles.change}>
      <h2>Need to change something?</h2>
      <p className={styles.soft}>You can edit until it goes to print.</p>
      <div className={styles.actions}>
        <ButtonLink href={urls.orderImages({ ...route, orderNumber })} variant="secondary">
          Change texts and photos
        </ButtonLink>
        <ButtonLink href={urls.orderMore({ ...route, orderNumber })} variant="secondary">
          Add to order
        </ButtonLink>
        <ReduceOrder order={order} onChanged={onChanged} />
      </div>
    </section>
  )
}

const Dates = ({ order: { dates = [], jobId, orderNumber } }: { order: Order }) => {
  const online = useConnected()
  if (dates.length === 0) return null
  return (
    <section>
      <h2>Dates</h2>
      <dl>
        {dates.map(({ name, on }) => (
          <div key={name} className={styles.date}>
            <dt>{name}</dt>
            <dd>
              <time dateTime={on}>{formatDate(on)}</time>
            </dd>
          </div>
        ))}
      </dl>
      {online && (
        <p className={styles.actions}>
          <a href={`/api/customer/jobs/${jobId}/orders/${orderNumber}/dates.ics`} className={styles.contact}>
            Add {dates.length === 1 ? 'it' : 'them'} to your calendar
          </a>
        </p>
      )}
    </section>
  )
}

const refundLabels = {
  pending: 'is being refunded',
  done: 'was refunded',
  failed: 'is being refunded by the studio',
}

const Refunds = ({ order: { refunds, jobId, orderNumber } }: { order: Order }) => {
  if (refunds.length === 0) return null
  return (
    <section>
      <h2>Refunds</h2>
      {refunds.map(({ amountCents, state, at, creditNote }) => (
        <p key={`${at} ${amountCents}`} className={styles.soft}>
          <Price cents={amountCents} /> {refundLabels[state]}
          {state === 'done' && ` on ${formatDate(at)}`}
          {creditNote && (
            <>
              <br />
              <a
                href={`/api/customer/jobs/${jobId}/orders/${orderNumber}/documents/${creditNote}.pdf`}
                className={styles.contact}
                download
              >
                Credit note {creditNote} (PDF)
              </a>
            </>
          )}
        </p>
      ))}
    </section>
  )
}
