import type { StudioRole } from '../../../contract/auth.ts'
import { inviteUser } from '../../../contract/studio/accounts.ts'
import { email, required, when } from '../../../domain/validators.ts'
import { EditForm } from '../../staff/edit-form.tsx'
import { SelectField, TextField } from '../../staff/form-fields.tsx'
import { useChange } from '../../staff/use-change.ts'
import { useEditForm } from '../../staff/use-edit-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { roleOptions } from './role-names.ts'

type Model = { name: string; email: string; role: StudioRole }

const nobody: { values: Model; version: number } = { values: { name: '', email: '', role: 'staff' }, version: 0 }

const rules = {
  name: required<Model>(),
  email: [
    required<Model>(),
    when<Model>(
      (model) => model.email.trim() !== '',
      (value, model) => email<Model>()(String(value).trim(), model),
    ),
  ],
}

/** Asks whom to invite; they come once they accept. */
export const InviteDialog = ({ studioId, onClose }: { studioId: number; onClose: () => void }) => {
  const { make } = useChange(inviteUser)
  const edit = useEditForm<Model>({
    name: `studio ${studioId} invite`,
    saved: nobody,
    rules,
    save: async ({ values }) => {
      const answer = await make({ params: { studioId }, body: { ...values, email: values.email.trim() } }, 'nobody')
      if (answer.ok) toast(`An invitation is on its way to ${answer.data.email}`, 'success')
      return answer.ok ? { ...answer, data: nobody } : answer
    },
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite somebody"
      description="They get a letter with a link that is good for seven days, and choose a password of their own."
    >
      <EditForm edit={edit} saveText="Send the invitation">
        <TextField name="name" label="Name" autoComplete="off" maxLength={100} />
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <SelectField
          name="role"
          label="Role"
          hint="Owners see the studio’s money and say who works here."
          options={roleOptions}
        />
      </EditForm>
    </Dialog>
  )
}
