import { Link } from 'wouter'
import type { OrderRow } from '#contract/studio/order-lists.ts'
import { orderStateNames } from '#domain/orders/order-states.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import styles from '../job-orders.module.css'

type OrderLinkOptions = {
  timeZone: string
  urlOf: (orderNumber: string) => string
  /** Opens an order in the side panel. Returns false if there is no room for it. */
  openInPanel: (orderNumber: string) => boolean
}

/** Keeps long text in one line so that all rows have the same height. The order's page shows it in full. */
const Line = ({ text }: { text: string }) => (
  <span className={styles.line} title={text}>
    {text}
  </span>
)

const Order = ({ row: { orderNumber }, urlOf, openInPanel }: OrderLinkOptions & { row: OrderRow }) => (
  <Link
    className={styles.number}
    href={urlOf(orderNumber)}
    onClick={(event) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey
      if (isPlain && openInPanel(orderNumber)) event.preventDefault()
    }}
  >
    {orderNumber}
  </Link>
)

const State = ({ row: { state, why, trackingNumber, packet } }: { row: OrderRow }) => {
  const detail = packet?.state === 'failed' ? 'Files could not be made' : (why ?? trackingNumber)
  return (
    <span className={styles.state}>
      <span data-state={state}>{orderStateNames[state]}</span>
      {detail && <small className={why || packet?.state === 'failed' ? styles.wrong : styles.soft}>{detail}</small>}
    </span>
  )
}

const Total = ({ row: { totalCents, refundedCents } }: { row: OrderRow }) => (
  <span className={styles.total}>
    <Price cents={totalCents} />
    {refundedCents > 0 && (
      <small className={styles.soft}>
        −<Price cents={refundedCents} />
      </small>
    )}
  </span>
)

const dayOf = (at: string, timeZone: string): string => formatDate(wallClock(at, timeZone).split('T')[0] ?? '')

/** Columns of an order list. The number links to the order's page, or opens the side panel. */
export const orderColumns = (opening: OrderLinkOptions): readonly Column<OrderRow>[] => [
  { id: 'number', header: 'Order', sort: 'number', cell: (row) => <Order row={row} {...opening} /> },
  { id: 'customer', header: 'Customer', sort: 'customer', cell: ({ customerName }) => <Line text={customerName} /> },
  { id: 'people', header: 'For', cell: ({ people }) => <Line text={people.join(', ')} /> },
  { id: 'state', header: 'State', sort: 'state', cell: (row) => <State row={row} /> },
  { id: 'placed', header: 'Placed', sort: 'placedAt', cell: ({ placedAt }) => dayOf(placedAt, opening.timeZone) },
  { id: 'way', header: 'Goes to', cell: ({ isToStudio, batch }) => (isToStudio ? (batch?.name ?? 'Studio') : 'Home') },
  { id: 'packages', header: 'Packages', isNumber: true, cell: ({ packageCount }) => packageCount },
  { id: 'total', header: 'Total', sort: 'total', isNumber: true, cell: (row) => <Total row={row} /> },
]
