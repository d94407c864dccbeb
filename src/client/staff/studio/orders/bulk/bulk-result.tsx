import { useState } from 'react'
import { Link } from 'wouter'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../job-orders.module.css'
import { formatOrderCount } from '../order-format.ts'
import { orderUrl } from '../order-urls.ts'

/** Result of a bulk action: what was done, and which orders were rejected. */
export type BulkResult = {
  message: string
  refused: readonly { orderNumber: string; why: string }[]
  /** Skipped orders of "all that match", counted by reason. */
  passed?: readonly { why: string; count: number }[]
  /** Continues with the remaining orders, if there are more than one request handles. */
  runRest?: (() => Promise<unknown>) | undefined
  /** Undoes the action, if that is possible. */
  undo?: (() => Promise<void>) | undefined
}

/** Number of rejected orders listed at first. */
const maxNamed = 5

type BulkResultNoticeProps = { job: JobParams; result: BulkResult; onDismiss: () => void }

/** Result of a bulk action, until it is dismissed: the number of orders, the undo, and each rejected order with its reason. */
export const BulkResultNotice = ({ job, result, onDismiss }: BulkResultNoticeProps) => {
  const [isShowingAll, setShowingAll] = useState(false)
  const { message, refused, passed = [], runRest: continueWith, undo } = result
  const rejectedCount = passed.reduce((sum, { count }) => sum + count, refused.length)
  const named = isShowingAll ? refused : refused.slice(0, maxNamed)
  return (
    <Notice
      tone={rejectedCount > 0 ? 'attention' : 'success'}
      onDismiss={onDismiss}
      action={
        (undo || continueWith) && (
          <>
            {continueWith && (
              <Button variant="secondary" size="sm" onClick={() => void continueWith()}>
                Go on with the rest
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
        {continueWith && ' There are more than can be done at once.'}
      </p>
      {rejectedCount > 0 && (
        <>
          <p>{formatOrderCount(rejectedCount)} stayed:</p>
          <ul className={styles.refused}>
            {passed.map(({ why, count }) => (
              <li key={why}>
                {formatOrderCount(count)}: {why}
              </li>
            ))}
            {named.map(({ orderNumber, why }) => (
              <li key={orderNumber}>
                <Link href={orderUrl(job, orderNumber)}>{orderNumber}</Link>: {why}
              </li>
            ))}
          </ul>
          {named.length < refused.length && (
            <Button variant="quiet" size="sm" onClick={() => setShowingAll(true)}>
              Show all
            </Button>
          )}
        </>
      )}
    </Notice>
  )
}
