import { Link } from 'wouter'
import { orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import styles from './payouts.module.css'

type OrderLinkProps = {
  studioId: number
  order: { orderNumber: string | null; jobId: number | null }
  /** Shown if there is no order. */
  otherwise: string
}

/** A link to the order of a payment. */
export const OrderLink = ({ studioId, order: { orderNumber, jobId }, otherwise }: OrderLinkProps) =>
  orderNumber !== null && jobId !== null ? (
    <Link className={styles.link} href={orderUrl({ studioId, jobId }, orderNumber)}>
      {orderNumber}
    </Link>
  ) : (
    <span className={styles.reference}>{otherwise}</span>
  )
