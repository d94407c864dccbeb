import { lazy, useState } from 'react'
import { type CartReminder, deleteReminder } from '#contract/customer/reminder-calls.ts'
import { defaultReminderPreferences, offeredReminders, type ReminderKind } from '#domain/reminders/reminder-kinds.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { callApi } from '#platform/api/api.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { WithSavedDraft } from '../shared/drafts/use-saved-draft.ts'
import { type JobContextValue, useJobContext } from '../shared/job/job-context.tsx'
import { ReminderForm } from './reminder-form.tsx'

const Dialog = lazy(async () => ({ default: (await import('#ui/dialog/dialog.tsx')).Dialog }))

type ReminderProps = {
  cartId: number
  onChanged: (data: CartReminder) => void
}

const labelsFor = ({ job: { orderBy } }: JobContextValue): Readonly<Record<ReminderKind, string>> => ({
  'order-by':
    orderBy === null ? 'Before the last day to order' : `Before ${formatDate(orderBy)}, the last day to order`,
  'images-online': 'When the photos are online',
  cart: 'About this cart, if I leave it',
})

type ActiveReminderProps = ReminderProps & { reminder: NonNullable<CartReminder['reminder']> }

/** Where the reminders go, and the button that stops them. */
const ActiveReminder = ({ reminder, cartId, onChanged }: ActiveReminderProps) => {
  const job = useJobContext()
  const online = useConnected()
  const [isStopping, setIsStopping] = useState(false)
  const labels = labelsFor(job)
  const stop = async () => {
    if (!online) return
    setIsStopping(true)
    const response = await callApi(deleteReminder, { params: { jobId: job.jobId }, query: { cartId } })
    setIsStopping(false)
    if (response.ok) onChanged(response.data)
    else toastError(response.errors)
  }
  return (
    <Notice
      tone="success"
      title={`Reminders go to ${reminder.email}`}
      action={
        <Button
          variant="secondary"
          loading={isStopping}
          aria-disabled={!online || undefined}
          aria-describedby={online ? undefined : 'no-stop'}
          onClick={() => void stop()}
        >
          Stop reminders
        </Button>
      }
    >
      <p>{reminder.kinds.map((kind) => labels[kind]).join('. ')}.</p>
      <p>Addresses that unsubscribed from {job.studio.name} get none.</p>
      {!online && <p id="no-stop">You’re offline: this needs a connection.</p>}
    </Notice>
  )
}

type ReminderDialogProps = ReminderProps & {
  open: boolean
  onClose: () => void
  /** The server's answer; undefined if it could not be reached. */
  data: CartReminder | undefined
}

/** Asks for an address for reminders of this cart, or shows the one they go to. */
export const ReminderDialog = ({ open, onClose, data, ...props }: ReminderDialogProps) => {
  const job = useJobContext()
  const { jobId, orderMethod } = job
  const { orderBy, hasPublishedImages } = job.job
  const offer = { orderMethod, hasOrderBy: orderBy !== null, areImagesOnline: hasPublishedImages }
  const offered = data?.offered ?? offeredReminders({ preferences: defaultReminderPreferences, ...offer })
  const draftKey = `reminder ${jobId} ${orderMethod}`
  return (
    <Dialog open={open} onClose={onClose} title="Email reminders" size="small">
      {data?.reminder ? (
        <ActiveReminder reminder={data.reminder} {...props} />
      ) : (
        <WithSavedDraft draftKey={draftKey} loading={null}>
          {(draft) => <ReminderForm {...props} {...{ draftKey, draft, offered }} labels={labelsFor(job)} />}
        </WithSavedDraft>
      )}
    </Dialog>
  )
}
