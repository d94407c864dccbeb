import type { Infer } from 'superstruct'
import type { OrderCounts } from '#contract/studio/order-lists.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { formatOrderCount } from '../order-format.ts'

/** Number of orders that wait for an image choice. Customers are asked by mail, and staff may assign the primary images. */
export const AwaitingImagesNotice = ({ counts: { awaitingPoses } }: { counts: Infer<typeof OrderCounts> }) =>
  awaitingPoses > 0 && (
    <Notice>
      {formatOrderCount(awaitingPoses)} {awaitingPoses === 1 ? 'waits' : 'wait'} for pictures to be chosen. Parents are
      asked by mail once theirs are there; select orders to place each person's main picture yourself.
    </Notice>
  )
