import { useWatch } from 'react-hook-form'
import { SelectField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { InvitationDialog, inviteeRules } from '#client/staff/kit/users/invitation-dialog.tsx'
import { roleNames } from '#client/staff/kit/users/open-invitations.tsx'
import { type UserRole, userRoles } from '#contract/system/auth.ts'
import { invitePlatformUser } from '#contract/system/platform-users.ts'
import { required, when } from '#domain/shared/validators.ts'
import type { SelectOption } from '#ui/form/select.tsx'
import { toast } from '#ui/toast/toast.ts'

/** `studio` is the studio's id as text, and empty for an administrator. */
type Model = { name: string; email: string; role: UserRole; studio: string }

const emptyInvitation: { values: Model; version: number } = {
  values: { name: '', email: '', role: 'owner', studio: '' },
  version: 0,
}

const rules = {
  ...inviteeRules<Model>(),
  studio: when<Model>((model) => model.role !== 'administrator', required<Model>()),
}

/** Staff are invited by the owner of their studio. */
const roleOptions = userRoles.filter((role) => role !== 'staff').map((value) => ({ value, label: roleNames[value] }))

type InviteUserDialogProps = { studioOptions: readonly SelectOption[]; onClose: () => void }

/** Invites the first owner of a studio, or an administrator, by email. */
export const InviteUserDialog = ({ studioOptions, onClose }: InviteUserDialogProps) => {
  const { mutate } = useStaffMutation(invitePlatformUser)
  const edit = useEditForm<Model>({
    name: 'platform invite',
    saved: emptyInvitation,
    rules,
    save: async ({ values: { studio, ...values } }) => {
      const studioId = values.role === 'administrator' ? null : Number(studio)
      const body = { ...values, email: values.email.trim(), studioId }
      const answer = await mutate({ body }, { onError: 'silent' })
      if (answer.ok) toast(`An invitation is on its way to ${answer.data.email}`, 'success')
      return answer.ok ? { ...answer, data: emptyInvitation } : answer
    },
    onSaved: onClose,
  })
  const role = useWatch({ control: edit.form.control, name: 'role' })
  return (
    <InvitationDialog edit={edit} onClose={onClose}>
      <SelectField
        name="role"
        label="Role"
        hint="Administrators run the platform. They see a studio’s data only with the consent of its owner."
        options={roleOptions}
      />
      {role !== 'administrator' && (
        <SelectField
          name="studio"
          label="Studio"
          hint="One without an owner: owners invite their studio’s users themselves."
          options={studioOptions}
          placeholder="Choose a studio"
        />
      )}
    </InvitationDialog>
  )
}
