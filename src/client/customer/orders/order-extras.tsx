import { Link } from 'wouter'
import type { Order } from '#contract/customer/checkout-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import styles from './orders.module.css'
import { ReduceOrder } from './reduce-order.tsx'

type OrderExtrasProps = { order: Order; route: CustomerRoute; onChanged: () => void }

/** Parts that only some orders have: corrections, dates, downloads and refunds. */
export const OrderExtras = (props: OrderExtrasProps) => (
  <>
    <PutRight {...props} />
    <Dates order={props.order} />
    <Files order={props.order} />
    <Refunds order={props.order} />
  </>
)

const PutRight = ({ order, route, onChanged }: OrderExtrasProps) => {
  const { mayChange, orderNumber } = order
  if (!mayChange) return null
  return (
    <section className={styles.change}>
      <h2>Something not right?</h2>
      <p className={styles.soft}>You can change the order until it goes to the lab.</p>
      <div className={styles.actions}>
        <ButtonLink href={urls.orderPictures({ ...route, orderNumber })} variant="secondary">
          Change texts and pictures
        </ButtonLink>
        <ButtonLink href={urls.orderMore({ ...route, orderNumber })} variant="secondary">
          Add more
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

const Files = ({ order: { downloads = [], studioSlug } }: { order: Order }) => {
  if (downloads.length === 0) return null
  return (
    <section>
      <h2>Your files</h2>
      <ul>
        {downloads.map(({ linkId, kind, personName }) => (
          <li key={linkId}>
            <Link href={urls.download({ studioSlug, linkId })} className={styles.contact}>
              {kind === 'all' ? 'All pictures' : 'One picture'}
              {personName && ` of ${personName}`}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const refundWords = {
  pending: 'is on its way back',
  done: 'was given back',
  failed: 'is being given back by the studio',
}

const Refunds = ({ order: { refunds = [] } }: { order: Order }) => {
  if (refunds.length === 0) return null
  return (
    <section>
      <h2>Given back</h2>
      {refunds.map(({ amountCents, state, at }) => (
        <p key={`${at} ${amountCents}`} className={styles.soft}>
          <Price cents={amountCents} /> {refundWords[state]}
          {state === 'done' && ` on ${formatDate(at)}`}
        </p>
      ))}
    </section>
  )
}
