import type { ListSelection } from '#client/staff/kit/list/use-list-selection.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { removeFromBatch } from '#contract/studio/batches.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'

/** Maximum number of selected orders for which the button is shown. */
const maxOrders = 20

/** Removes the selected orders from their batch, with one request for each. */
export const RemoveFromBatchButton = ({
  job: { studioId, jobId },
  selection,
}: {
  job: JobParams
  selection: ListSelection
}) => {
  const removal = useStaffMutation(removeFromBatch)
  if (selection.count > maxOrders || selection.isAll) return null
  const removeSelected = async () => {
    let removedCount = 0
    for (const orderNumber of selection.ids) {
      const answer = await removal.mutate({ params: { studioId, jobId, orderNumber } })
      if (answer.ok) removedCount += 1
    }
    selection.change(new Set())
    if (removedCount > 0) toast(`${formatOrderCount(removedCount)} taken out of the batch`, 'success')
  }
  return (
    <Button variant="secondary" size="sm" loading={removal.busy} onClick={() => void removeSelected()}>
      Take out of the batch
    </Button>
  )
}
