import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { email, required, when } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EditForm } from '../form/edit-form.tsx'
import { TextField } from '../form/form-fields.tsx'
import type { EditFormState } from '../form/use-edit-form.ts'

/** The rules of the person who is invited. */
export const inviteeRules = <Model extends { name: string; email: string }>() => ({
  name: required<Model>(),
  email: [
    required<Model>(),
    when<Model>(
      (model) => model.email.trim() !== '',
      (value, model) => email<Model>()(String(value).trim(), model),
    ),
  ],
})

type InvitationDialogProps<Model extends FieldValues> = {
  edit: EditFormState<Model>
  onClose: () => void
  /** The fields after name and email. */
  children: ReactNode
}

/** Invites a person by email: asks for their name, their email address and the other fields of the invitation. */
export const InvitationDialog = <Model extends FieldValues>({
  edit,
  onClose,
  children,
}: InvitationDialogProps<Model>) => (
  <Dialog
    open
    onClose={onClose}
    title="Invite someone"
    description="They get an email with a link that works for seven days, and choose their own password."
  >
    <EditForm edit={edit} saveText="Send the invitation">
      <TextField name="name" label="Name" autoComplete="off" maxLength={100} />
      <TextField name="email" label="Email" type="email" autoComplete="off" autoCapitalize="none" spellCheck={false} />
      {children}
    </EditForm>
  </Dialog>
)
