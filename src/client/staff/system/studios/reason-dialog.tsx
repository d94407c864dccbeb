import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import {
  decideVerification,
  type StudioRow,
  scheduleStudioDeletion,
  setStudioEnabled,
  transferOwnership,
} from '#contract/system/studios.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

export type ReasonedDecision = 'disable' | 'refuse' | 'delete'

const texts: Readonly<
  Record<ReasonedDecision | 'transfer', { title: string; description: string; saveText: string; done: string }>
> = {
  disable: {
    title: 'Disable',
    description:
      'From the next request on, customers cannot open its pages, and its staff cannot work in it. Nothing is deleted.',
    saveText: 'Disable the studio',
    done: 'is disabled',
  },
  refuse: {
    title: 'Refuse to verify',
    description: 'The studio can send another request.',
    saveText: 'Refuse the request',
    done: 'is not verified',
  },
  transfer: {
    title: 'Transfer',
    description:
      'They become its only owner. Those who owned it stay as staff, no longer see its revenue, and get your reason by email too.',
    saveText: 'Transfer the studio',
    done: 'has a new owner',
  },
  delete: {
    title: 'Delete',
    description:
      'In 30 days, all of its events, images, orders, payments and users are deleted, and its files too. Until then customers cannot order, ' +
      'its staff can work and download its data, and you can cancel the deletion.',
    saveText: 'Schedule the deletion',
    done: 'will be deleted in 30 days',
  },
}

const empty = { values: { reason: '' }, version: 0 }
const rules = { reason: required<{ reason: string }>() }

type ReasonDialogProps = {
  studio: Pick<StudioRow, 'id' | 'name'>
  onClose: () => void
} & (
  | { decision: ReasonedDecision; nextOwner?: undefined }
  | { decision: 'transfer'; nextOwner: { id: number; name: string } }
)

/** Asks for the reason of a decision about a studio, which its owners get by email, and sends the decision. */
export const ReasonDialog = ({ studio: { id, name }, decision, nextOwner, onClose }: ReasonDialogProps) => {
  const disabling = useStaffMutation(setStudioEnabled)
  const refusal = useStaffMutation(decideVerification)
  const transfer = useStaffMutation(transferOwnership)
  const deletion = useStaffMutation(scheduleStudioDeletion)
  const { title, description, saveText, done } = texts[decision]
  const params = { id }
  const send = (reason: string) => {
    if (decision === 'disable')
      return disabling.mutate({ params, body: { isEnabled: false, reason } }, { onError: 'silent' })
    if (decision === 'refuse')
      return refusal.mutate({ params, body: { isVerified: false, reason } }, { onError: 'silent' })
    if (nextOwner) return transfer.mutate({ params, body: { userId: nextOwner.id, reason } }, { onError: 'silent' })
    return deletion.mutate({ params, body: { reason } }, { onError: 'silent' })
  }
  const edit = useEditForm({
    name: `studio ${id} ${decision}`,
    saved: empty,
    rules,
    save: async ({ values: { reason } }) => {
      const answer = await send(reason)
      if (answer.ok) toast(`“${name}” ${done}`)
      return answer.ok ? { ...answer, data: empty } : answer
    },
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${title} “${name}”${nextOwner ? ` to ${nextOwner.name}` : ''}`}
      description={description}
      size="small"
    >
      <EditForm edit={edit} saveText={saveText}>
        <TextField name="reason" label="Reason" hint="Its owners get it by email" maxLength={500} required />
      </EditForm>
    </Dialog>
  )
}
