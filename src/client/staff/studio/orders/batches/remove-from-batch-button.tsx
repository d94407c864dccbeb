import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { removeFromBatch } from '#contract/studio/batches.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import type { OrderSelection } from '../bulk/use-order-selection.ts'
import { formatOrderCount } from '../order-format.ts'

/** Limit of orders to remove in one go. */
const maxOrders = 20

/** Removes orders from their batch, one request each. */
export const RemoveFromBatchButton = ({
  job: { studioId, jobId },
  selection,
}: {
  job: JobParams
  selection: OrderSelection
}) => {
  const out = useStaffMutation(removeFromBatch)
  if (selection.count > maxOrders || selection.isAll) return null
  const run = async () => {
    let done = 0
    for (const orderNumber of selection.ids) {
      const answer = await out.mutate({ params: { studioId, jobId, orderNumber } })
      if (answer.ok) done += 1
    }
    selection.change(new Set())
    if (done > 0) toast(`${formatOrderCount(done)} taken out of the batch`, 'success')
  }
  return (
    <Button variant="secondary" size="sm" loading={out.busy} onClick={() => void run()}>
      Take out of the batch
    </Button>
  )
}
