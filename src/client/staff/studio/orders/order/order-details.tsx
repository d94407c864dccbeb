import type { ReactNode } from 'react'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import type { StaffOrder } from '#contract/studio/order-details.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../job-orders.module.css'

const formatAddress = ({ shippingAddress }: StaffOrder): string | null => {
  if (!shippingAddress) return null
  const { firstName, lastName, address1, address2, city, state, zip } = shippingAddress
  return [`${firstName} ${lastName}`, address1, address2, `${city}, ${state} ${zip}`]
    .filter((line) => line.trim() !== '')
    .join(', ')
}

const deliveryLabel = (order: StaffOrder): string => {
  const { isToStudio, batch, shippingName } = order
  if (isToStudio) return batch ? `To the studio, with ${batch.name}` : 'To the studio, individually'
  return [shippingName, formatAddress(order)].filter(Boolean).join(': ') || 'By download'
}

type DetailRow = readonly [string, ReactNode]

const detailRows = (order: StaffOrder, timeZone: string): DetailRow[] => {
  const { customer, placedAt, orderMethod, enteredBy, trackingNumber, promotionCode, note } = order
  const optionalRow = (name: string, value: string | null): DetailRow[] => (value ? [[name, value]] : [])
  return [
    ['Placed', formatMoment(placedAt, timeZone)],
    ['Type', orderMethod === 'prepay' ? 'Prepaid order' : 'Gallery order'],
    ...optionalRow('Entered by', enteredBy),
    ['Customer', `${customer.firstName} ${customer.lastName}`.trim()],
    ...(customer.email
      ? [['Email', <a key="mail" href={`mailto:${customer.email}`}>{customer.email}</a>] as const] // biome-ignore format: one row of the table
      : []),
    ...(customer.phone
      ? [['Phone', <a key="phone" href={`tel:${customer.phone}`}>{customer.phone}</a>] as const] // biome-ignore format: one row of the table
      : []),
    ['Ships to', deliveryLabel(order)],
    ...optionalRow('Tracking number', trackingNumber),
    ...optionalRow('Promotion', promotionCode),
    ...optionalRow('Note', note),
  ]
}

/** Customer and delivery of an order, and the reason why it cannot go to the lab. */
export const OrderDetails = ({ order }: { order: StaffOrder }) => {
  const { timeZone } = useStudio()
  const failedPacket = order.packets.find(({ state }) => state === 'failed')
  return (
    <>
      {order.why && <Notice tone="attention">{order.why}</Notice>}
      {failedPacket && <Notice tone="attention">{failedPacket.error ?? 'Its print files could not be made'}</Notice>}
      <dl className={styles.facts}>
        {detailRows(order, timeZone).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
