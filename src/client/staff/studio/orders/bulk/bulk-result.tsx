import { useState } from 'react'
import { Link } from 'wouter'
import { type JobParams, orderUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../job-orders.module.css'

/** Result of a bulk action: what was done, and which orders were rejected. */
export type BulkResult = {
  message: string
  refused: readonly { orderNumber: string; why: string }[]
  /** Number of rejected orders by reason, if all orders of a filter were selected. */
  passed?: readonly { why: string; count: number }[]
  /** Continues with the remaining orders, if there are more than one request can process. */
  runRest?: (() => Promise<unknown>) | undefined
  /** Undoes the action, if that is possible. */
  undo?: (() => Promise<void>) | undefined
}

/** Number of rejected orders that are listed before "Show all". */
const initialListLength = 5

type BulkResultNoticeProps = { job: JobParams; result: BulkResult; onDismiss: () => void }

/** Shows the result of a bulk action: its message, an undo button, and the rejected orders with their reasons. */
export const BulkResultNotice = ({ job, result, onDismiss }: BulkResultNoticeProps) => {
  const [isFullyListed, setFullyListed] = useState(false)
  const { message, refused, passed = [], runRest, undo } = result
  const rejectedCount = passed.reduce((sum, { count }) => sum + count, refused.length)
  const listedOrders = isFullyListed ? refused : refused.slice(0, initialListLength)
  return (
    <Notice
      tone={rejectedCount > 0 ? 'attention' : 'success'}
      onDismiss={onDismiss}
      action={
        (undo || runRest) && (
          <>
            {runRest && (
              <Button variant="secondary" size="sm" onClick={() => void runRest()}>
                Continue with the rest
              </Button>
            )}
            {undo && (
              <Button variant="secondary" size="sm" onClick={() => void undo()}>
                Undo
              </Button>
            )}
          </>
        )
      }
    >
      <p>
        {message}
        {runRest && ' There are more than can be done at once.'}
      </p>
      {rejectedCount > 0 && (
        <>
          <p>{formatOrderCount(rejectedCount)} stayed:</p>
          <ul className={styles.rejectedOrders}>
            {passed.map(({ why, count }) => (
              <li key={why}>
                {formatOrderCount(count)}: {why}
              </li>
            ))}
            {listedOrders.map(({ orderNumber, why }) => (
              <li key={orderNumber}>
                <Link href={orderUrl(job, orderNumber)}>{orderNumber}</Link>: {why}
              </li>
            ))}
          </ul>
          {listedOrders.length < refused.length && (
            <Button variant="quiet" size="sm" onClick={() => setFullyListed(true)}>
              Show all
            </Button>
          )}
        </>
      )}
    </Notice>
  )
}
