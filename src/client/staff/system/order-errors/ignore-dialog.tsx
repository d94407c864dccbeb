import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import type { SelectedOrderErrors } from '#contract/system/order-errors.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { OrderErrorActions } from './use-order-error-actions.ts'

const empty = { values: { reason: '' }, version: 0 }
const rules = { reason: required<{ reason: string }>() }

type IgnoreDialogProps = {
  which: SelectedOrderErrors
  actions: OrderErrorActions
  onIgnored: () => void
  onClose: () => void
}

/** Asks for the reason why errors are ignored, which the audit trail keeps. */
export const IgnoreDialog = ({ which, actions, onIgnored, onClose }: IgnoreDialogProps) => {
  const edit = useEditForm({
    name: 'ignore order errors',
    saved: empty,
    rules,
    save: async ({ values: { reason } }) => {
      const answer = await actions.ignore(which, reason)
      return answer.ok ? { ...answer, data: empty } : answer
    },
    onSaved: () => {
      onIgnored()
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Ignore errors"
      description="They are hidden until the same thing fails again. Nothing is retried."
      size="small"
    >
      <EditForm edit={edit} saveText="Ignore">
        <TextField name="reason" label="Reason" maxLength={500} required />
      </EditForm>
    </Dialog>
  )
}
