import Send from 'lucide-react/icons/send'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobParams, ordersUrl } from '#client/staff/kit/routing/staff-urls.ts'
import { formatOrderCount } from '#client/staff/kit/screen/format.ts'
import { type Batch, closeBatch, patchBatch, reopenBatch, submitBatch } from '#contract/studio/batches.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Price } from '#ui/price.tsx'
import { BulkResultNotice } from '../bulk/bulk-result.tsx'
import styles from '../job-orders.module.css'

type BatchProps = { job: JobParams; batch: Batch }

/** The day on which an open batch closes automatically. */
const ClosingDayField = ({ job: { studioId, jobId }, batch: { id: batchId, closesOn, version } }: BatchProps) => {
  const patch = useStaffMutation(patchBatch)
  return (
    <Field label="Closes on" hint="At the end of the day. Leave empty to close it yourself">
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

const useBatchActions = ({ job: { studioId, jobId }, batch }: BatchProps) => {
  const input = { params: { studioId, jobId, batchId: batch.id }, body: { version: batch.version } }
  const close = useStaffMutation(closeBatch)
  const reopen = useStaffMutation(reopenBatch)
  const submit = useStaffMutation(submitBatch)
  const [rejectedOrders, setRejectedOrders] = useState<{ orderNumber: string; why: string }[]>([])
  const submitAfterConfirmation = async () => {
    const isSure = await confirm({
      title: `Submit ${batch.name} to the lab?`,
      message: `${formatOrderCount(batch.orderCount)} go together. You can recall the batch until the lab begins.`,
      confirmText: 'Submit',
    })
    if (!isSure) return
    const answer = await submit.mutate(input)
    // Lists the orders that block the batch, with the reasons.
    const fields = answer.ok ? {} : (answer.fields ?? {})
    setRejectedOrders(
      Object.entries(fields).map(([orderNumber, reasons]) => ({ orderNumber, why: reasons.join(', ') })),
    )
  }
  return {
    close: () => void close.mutate(input),
    reopen: () => void reopen.mutate(input),
    submit: () => void submitAfterConfirmation(),
    rejectedOrders,
    dismissResult: () => setRejectedOrders([]),
    busy: close.busy || reopen.busy || submit.busy,
  }
}

/** State of a batch, and the buttons for its next step. */
export const BatchBar = ({ job, batch }: BatchProps) => {
  const { state, orderCount, packageCount, totalCents, awaitingPoses } = batch
  const actions = useBatchActions({ job, batch })
  return (
    <>
      <section className={styles.batchBar} aria-label="This batch">
        <p className={styles.barFacts}>
          <strong>{{ open: 'Open', closed: 'Closed', submitted: 'With the lab' }[state]}</strong>
          <span>
            {formatOrderCount(orderCount)}, {packageCount} {packageCount === 1 ? 'package' : 'packages'},{' '}
            <Price cents={totalCents} />
          </span>
          {awaitingPoses > 0 && <span className={styles.error}>{awaitingPoses} without images</span>}
        </p>
        {state === 'open' && <ClosingDayField job={job} batch={batch} />}
        <div className={styles.buttons}>
          {state === 'open' && (
            <Button variant="secondary" loading={actions.busy} onClick={actions.close}>
              Close the batch
            </Button>
          )}
          {state === 'closed' && (
            <>
              <Button variant="secondary" loading={actions.busy} onClick={actions.reopen}>
                Reopen
              </Button>
              <Button icon={Send} loading={actions.busy} onClick={actions.submit}>
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
      {actions.rejectedOrders.length > 0 && (
        <BulkResultNotice
          job={job}
          result={{ message: 'A batch is submitted as a whole.', refused: actions.rejectedOrders }}
          onDismiss={actions.dismissResult}
        />
      )}
    </>
  )
}
