import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { ignoreOrderErrors } from '#contract/system/order-errors.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'
import { type ChosenErrors, type RefusedError, resultText } from './retry-errors.tsx'

const empty = { values: { reason: '' }, version: 0 }
const rules = { reason: required<{ reason: string }>() }

type IgnoreErrorsDialogProps = {
  chosen: ChosenErrors
  count: number
  onDone: (refusals: readonly RefusedError[]) => void
  onClose: () => void
}

/** Asks why errors are ignored, and ignores them. */
export const IgnoreErrorsDialog = ({ chosen, count, onDone, onClose }: IgnoreErrorsDialogProps) => {
  const { mutate } = useStaffMutation(ignoreOrderErrors)
  const edit = useEditForm({
    name: 'ignored order errors',
    saved: empty,
    rules,
    save: async ({ values: { reason } }) => {
      const answer = await mutate({ body: { ...chosen, reason } }, { onError: 'silent' })
      if (!answer.ok) return answer
      toast(resultText(answer.data, 'ignored'))
      onDone(answer.data.refusals)
      return { ...answer, data: empty }
    },
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Ignore ${formatCount(count)} ${count === 1 ? 'error' : 'errors'}`}
      description="They leave the list of open errors, and stay under Resolved with your reason."
      size="small"
    >
      <EditForm edit={edit} saveText="Ignore">
        <TextField name="reason" label="Reason" maxLength={500} required />
      </EditForm>
    </Dialog>
  )
}
