import { useState } from 'react'
import { fromDateTimeInput, toDateTimeInput } from '#client/staff/kit/form/datetime-input.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { replayWebhook } from '#contract/studio/developers/webhooks.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'

type ReplayDialogProps = { params: { studioId: number; id: number }; onClose: () => void }

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

const dayMs = 24 * 60 * 60 * 1000

/** Sends all events of a webhook since a time again. */
export const ReplayDialog = ({ params, onClose }: ReplayDialogProps) => {
  const [value, setValue] = useState(() => toDateTimeInput(new Date(Date.now() - dayMs).toISOString(), timeZone))
  const { mutate, busy } = useStaffMutation(replayWebhook)
  const from = fromDateTimeInput(value, timeZone)
  const replay = async () => {
    if (from === null) return
    const answer = await mutate({ params, body: { from } })
    if (!answer.ok) return
    const { count } = answer.data
    toast(count === 1 ? 'One event is sent again' : `${count} events are sent again`, 'success')
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send events again"
      description="With the same ids, so that your program recognizes those that it has. At most the last 30 days."
      size="small"
      actions={
        <Button loading={busy} disabled={from === null} onClick={() => void replay()}>
          Send again
        </Button>
      }
    >
      <Field label="All events since">
        <TextInput type="datetime-local" value={value} onValue={setValue} />
      </Field>
    </Dialog>
  )
}
