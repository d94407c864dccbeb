import type { Infer } from 'superstruct'
import type { OrderCounts } from '#contract/studio/order-lists.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { formatOrderCount } from '../order-format.ts'

/** How many orders wait for pictures: their parents are asked by mail, and staff may place the main ones. */
export const AwaitingImagesNotice = ({ counts: { awaitingPoses } }: { counts: Infer<typeof OrderCounts> }) =>
  awaitingPoses > 0 && (
    <Notice>
      {formatOrderCount(awaitingPoses)} {awaitingPoses === 1 ? 'waits' : 'wait'} for pictures to be chosen. Parents are
      asked by mail once theirs are there; select orders to place each person's main picture yourself.
    </Notice>
  )
