import Send from 'lucide-react/icons/send'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type Batch, closeBatch, patchBatch, reopenBatch, submitBatch } from '#contract/studio/batches.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Price } from '#ui/price.tsx'
import { BulkResultNotice } from '../bulk/bulk-result.tsx'
import styles from '../job-orders.module.css'
import { formatOrderCount } from '../order-format.ts'
import { ordersUrl } from '../order-urls.ts'

type BatchProps = { job: JobParams; batch: Batch }

/** The day on which an open batch closes automatically. */
const ClosingDay = ({ job: { studioId, jobId }, batch: { id: batchId, closesOn, version } }: BatchProps) => {
  const patch = useStaffMutation(patchBatch)
  return (
    <Field label="Closes on" hint="At the end of the day; empty: when you close it">
      <TextInput
        type="date"
        value={closesOn ?? ''}
        onValue={(day) =>
          void patch.mutate({ params: { studioId, jobId, batchId }, body: { version, closesOn: day || null } })
        }
      />
    </Field>
  )
}

const useBatchMoves = ({ job: { studioId, jobId }, batch }: BatchProps) => {
  const input = { params: { studioId, jobId, batchId: batch.id }, body: { version: batch.version } }
  const close = useStaffMutation(closeBatch)
  const reopen = useStaffMutation(reopenBatch)
  const submit = useStaffMutation(submitBatch)
  const [refused, setRefused] = useState<{ orderNumber: string; why: string }[]>([])
  const handOn = async () => {
    const isSure = await confirm({
      title: `Submit ${batch.name} to the lab?`,
      message: `${formatOrderCount(batch.orderCount)} go together. You can take the batch back until the lab begins.`,
      confirmText: 'Submit',
    })
    if (!isSure) return
    const answer = await submit.mutate(input)
    // Lists each order that blocks the batch with its reason.
    const fields = answer.ok ? {} : (answer.fields ?? {})
    setRefused(Object.entries(fields).map(([orderNumber, whys]) => ({ orderNumber, why: whys.join(', ') })))
  }
  return {
    close: () => void close.mutate(input),
    reopen: () => void reopen.mutate(input),
    handOn: () => void handOn(),
    refused,
    forget: () => setRefused([]),
    busy: close.busy || reopen.busy || submit.busy,
  }
}

/** State of a batch and its next step. */
export const BatchBar = ({ job, batch }: BatchProps) => {
  const { state, orderCount, packageCount, totalCents, awaitingPoses } = batch
  const moves = useBatchMoves({ job, batch })
  return (
    <>
      <section className={styles.bar} aria-label="This batch">
        <p className={styles.barFacts}>
          <strong>{{ open: 'Open', closed: 'Closed', submitted: 'With the lab' }[state]}</strong>
          <span>
            {formatOrderCount(orderCount)}, {packageCount} {packageCount === 1 ? 'package' : 'packages'},{' '}
            <Price cents={totalCents} />
          </span>
          {awaitingPoses > 0 && <span className={styles.wrong}>{awaitingPoses} without pictures</span>}
        </p>
        {state === 'open' && <ClosingDay job={job} batch={batch} />}
        <div className={styles.buttons}>
          {state === 'open' && (
            <Button variant="secondary" loading={moves.busy} onClick={moves.close}>
              Close the batch
            </Button>
          )}
          {state === 'closed' && (
            <>
              <Button variant="secondary" loading={moves.busy} onClick={moves.reopen}>
                Open again
              </Button>
              <Button icon={Send} loading={moves.busy} onClick={moves.handOn}>
                Submit to the lab
              </Button>
            </>
          )}
          {state === 'submitted' && (
            <ButtonLink variant="secondary" href={ordersUrl(job, 'submitted')}>
              Its packet
            </ButtonLink>
          )}
        </div>
      </section>
      {moves.refused.length > 0 && (
        <BulkResultNotice
          job={job}
          result={{ message: 'A batch goes as a whole.', refused: moves.refused }}
          onDismiss={moves.forget}
        />
      )}
    </>
  )
}
