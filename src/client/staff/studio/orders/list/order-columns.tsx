import { PanelLink } from '#client/staff/kit/list/panel-link.tsx'
import { formatDay } from '#client/staff/kit/screen/format.ts'
import type { OrderRow } from '#contract/studio/order-lists.ts'
import { Price } from '#ui/price.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import styles from '../job-orders.module.css'
import { OrderStateBadge } from '../order-status.tsx'

type OrderColumnOptions = {
  timeZone: string
  urlOf: (orderNumber: string) => string
  /** Opens an order in the side panel. Returns false if there is no room for it. */
  openInPanel: (orderNumber: string) => boolean
}

/** Shows long text on one line, so that all rows have the same height. The order's page shows it in full. */
const TruncatedText = ({ text }: { text: string }) => (
  <span className={styles.line} title={text}>
    {text}
  </span>
)

const OrderNumber = ({ row: { orderNumber }, urlOf, openInPanel }: OrderColumnOptions & { row: OrderRow }) => (
  <PanelLink className={styles.number} href={urlOf(orderNumber)} openInPanel={() => openInPanel(orderNumber)}>
    {orderNumber}
  </PanelLink>
)

const OrderState = ({ row: { state, why, trackingNumber, packet } }: { row: OrderRow }) => {
  const hasFailed = packet?.state === 'failed'
  const isBlocked = hasFailed || why !== null
  const detail = hasFailed ? 'Files could not be made' : (why ?? trackingNumber)
  return (
    <span className={styles.state}>
      <OrderStateBadge {...{ state, isBlocked }} />
      {detail && <small className={isBlocked ? styles.error : styles.soft}>{detail}</small>}
    </span>
  )
}

const OrderTotal = ({ row: { totalCents, refundedCents } }: { row: OrderRow }) => (
  <span className={styles.total}>
    <Price cents={totalCents} />
    {refundedCents > 0 && (
      <small className={styles.soft}>
        <Price cents={-refundedCents} />
      </small>
    )}
  </span>
)

const deliveryLabels = { home: 'Home', studio: 'Studio', download: 'Download' } as const

/** Columns of an order list. The number links to the order's page, or opens the side panel. */
export const orderColumns = (options: OrderColumnOptions): readonly Column<OrderRow>[] => [
  { id: 'number', header: 'Order', sort: 'number', cell: (row) => <OrderNumber row={row} {...options} /> },
  {
    id: 'customer',
    header: 'Customer',
    isClear: true,
    isName: true,
    sort: 'customer',
    cell: ({ customerName }) => customerName,
  },
  { id: 'people', header: 'For', cell: ({ people }) => <TruncatedText text={people.join(', ')} /> },
  {
    id: 'state',
    header: 'State',
    isClear: true,
    sort: 'state',
    isOneLine: true,
    cell: (row) => <OrderState row={row} />,
  },
  {
    id: 'total',
    header: 'Total',
    sort: 'total',
    isNumber: true,
    isKey: true,
    cell: (row) => <OrderTotal row={row} />,
  },
  {
    id: 'placed',
    header: 'Placed',
    sort: 'placedAt',
    isOneLine: true,
    cell: ({ placedAt }) => formatDay(placedAt, options.timeZone),
  },
  {
    id: 'delivery',
    header: 'Ships to',
    isOneLine: true,
    cell: ({ delivery, batch }) => (delivery === 'studio' && batch ? batch.name : deliveryLabels[delivery]),
  },
  {
    id: 'packages',
    header: 'Packages',
    isNumber: true,
    leftOut: 'everywhere',
    cell: ({ packageCount }) => packageCount,
  },
]
