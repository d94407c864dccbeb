import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { pauseStudio } from '#contract/system/galleries-processing.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

export type StudioToPause = { readonly id: number; readonly name: string }

const empty = { values: { reason: '' }, version: 0 }
const rules = { reason: required<{ reason: string }>() }

/** Asks why a studio’s work is paused, and pauses it. */
export const PauseDialog = ({ studio: { id, name }, onClose }: { studio: StudioToPause; onClose: () => void }) => {
  const pausing = useStaffMutation(pauseStudio)
  const edit = useEditForm({
    name: `pause studio ${id}`,
    saved: empty,
    rules,
    save: async ({ values: { reason } }) => {
      const answer = await pausing.mutate({ params: { id }, body: { reason } }, { onError: 'silent' })
      if (answer.ok) toast(`“${name}” is paused`)
      return answer.ok ? { ...answer, data: empty } : answer
    },
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Pause “${name}”`}
      description="Its images, packets and exports wait until you resume it. Staff can still upload and see that processing is paused."
      size="small"
    >
      <EditForm edit={edit} saveText="Pause">
        <TextField name="reason" label="Reason" hint="Other administrators see it" maxLength={500} required />
      </EditForm>
    </Dialog>
  )
}
