import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { takeOutOfBatch } from '#contract/studio/batches.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import type { Picked } from '../bulk/use-order-selection.ts'
import { ordersWords } from '../order-format.ts'

/** So many are taken out together; a whole batch waits as it is. */
const most = 20

/** Takes orders out of their batch, one after the other; each waits by itself. */
export const TakeOutButton = ({ job: { studioId, jobId }, picked }: { job: JobPlace; picked: Picked }) => {
  const out = useChange(takeOutOfBatch)
  if (picked.count > most || picked.isAll) return null
  const run = async () => {
    let done = 0
    for (const orderNumber of picked.ids) {
      const answer = await out.make({ params: { studioId, jobId, orderNumber } })
      if (answer.ok) done += 1
    }
    picked.change(new Set())
    if (done > 0) toast(`${ordersWords(done)} taken out of the batch`, 'success')
  }
  return (
    <Button variant="secondary" size="sm" loading={out.busy} onClick={() => void run()}>
      Take out of the batch
    </Button>
  )
}
