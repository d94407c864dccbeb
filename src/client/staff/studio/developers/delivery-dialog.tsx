import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import {
  getWebhookDelivery,
  replayWebhookDelivery,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from '#contract/studio/developers/webhooks.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './delivery-dialog.module.css'

type Attempt = WebhookDeliveryDetails['log'][number]

const outcomeOf = ({ status, error, milliseconds }: Attempt): string =>
  `${error ?? `The answer was ${status}`}, after ${milliseconds} ms`

const AttemptItem = ({ attempt }: { attempt: Attempt }) => (
  <li>
    <p>
      {formatMoment(attempt.at, undefined)}: {outcomeOf(attempt)}
    </p>
    {attempt.answer && <pre className={styles.text}>{attempt.answer}</pre>}
  </li>
)

const DeliveryFacts = ({ details: { eventId, body, log, nextAttemptAt } }: { details: WebhookDeliveryDetails }) => (
  <div className={styles.facts}>
    <p>{eventId}</p>
    <h3>Sent</h3>
    <pre className={styles.text}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
    <h3>Attempts</h3>
    {log.length === 0 && <p>None yet.</p>}
    <ol className={styles.attempts}>
      {log.map((attempt) => (
        <AttemptItem key={attempt.at} attempt={attempt} />
      ))}
    </ol>
    {nextAttemptAt && <p>Next attempt: {formatMoment(nextAttemptAt, undefined)}</p>}
  </div>
)

type DeliveryDialogProps = { studioId: number; webhookId: number; delivery: WebhookDelivery; onClose: () => void }

/** What was sent for an event, and what each attempt got; the event can be sent again. */
export const DeliveryDialog = ({ studioId, webhookId, delivery, onClose }: DeliveryDialogProps) => {
  const params = { studioId, id: webhookId, deliveryId: delivery.id }
  const query = useStaffQuery(getWebhookDelivery, { params })
  const { mutate, busy } = useStaffMutation(replayWebhookDelivery)
  const replay = async () => {
    const answer = await mutate({ params, body: {} })
    if (!answer.ok) return
    toast('The event is sent again', 'success')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={delivery.event}
      size="large"
      actions={
        <Button loading={busy} disabled={delivery.state === 'waiting'} onClick={() => void replay()}>
          Send again
        </Button>
      }
    >
      <QueryBoundary query={query}>{(details) => <DeliveryFacts details={details} />}</QueryBoundary>
    </Dialog>
  )
}
