import { Link } from 'wouter'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import styles from './payouts.module.css'

type OrderLinkProps = {
  studioId: number
  order: { orderNumber: string | null; jobId: number | null }
  /** Shown if there is no order. */
  otherwise: string
}

/** The provider's numbers are long; their beginning and end tell them apart. */
const shortReference = (reference: string): string =>
  reference.length > 20 ? `${reference.slice(0, 8)}…${reference.slice(-6)}` : reference

/** A link to the order of a payment. */
export const OrderLink = ({ studioId, order: { orderNumber, jobId }, otherwise }: OrderLinkProps) =>
  orderNumber !== null && jobId !== null ? (
    <Link className={styles.link} href={orderUrl({ studioId, jobId }, orderNumber)}>
      {orderNumber}
    </Link>
  ) : (
    <span title={otherwise}>{shortReference(otherwise)}</span>
  )
