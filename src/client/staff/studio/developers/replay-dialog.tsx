import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { replayWebhook } from '#contract/studio/developers/webhooks.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'

type ReplayDialogProps = { params: { studioId: number; id: number }; onClose: () => void }

/** An instant as the value of an input of the type `datetime-local`, in the browser's time zone. */
const toLocalInput = (instant: Date): string => {
  const local = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The instant of such a value; undefined for an incomplete one. */
const fromLocalInput = (value: string): string | undefined => {
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

const dayMs = 24 * 60 * 60 * 1000

/** Sends all events of a webhook since a time again. */
export const ReplayDialog = ({ params, onClose }: ReplayDialogProps) => {
  const [value, setValue] = useState(() => toLocalInput(new Date(Date.now() - dayMs)))
  const { mutate, busy } = useStaffMutation(replayWebhook)
  const from = fromLocalInput(value)
  const replay = async () => {
    if (from === undefined) return
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
        <Button loading={busy} disabled={from === undefined} onClick={() => void replay()}>
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
