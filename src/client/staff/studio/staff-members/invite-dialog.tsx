import { SelectField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { InvitationDialog, inviteeRules } from '#client/staff/kit/users/invitation-dialog.tsx'
import { inviteUser } from '#contract/studio/accounts.ts'
import type { StudioRole } from '#contract/system/auth.ts'
import { toast } from '#ui/toast/toast.ts'
import { roleOptions } from './user-dialog.tsx'

type Model = { name: string; email: string; role: StudioRole }

const emptyInvitation: { values: Model; version: number } = {
  values: { name: '', email: '', role: 'staff' },
  version: 0,
}

const rules = inviteeRules<Model>()

/** Invites a user by email. They become a member when they accept. */
export const InviteDialog = ({ studioId, onClose }: { studioId: number; onClose: () => void }) => {
  const { mutate } = useStaffMutation(inviteUser)
  const edit = useEditForm<Model>({
    name: `studio ${studioId} invite`,
    saved: emptyInvitation,
    rules,
    save: async ({ values }) => {
      const answer = await mutate(
        { params: { studioId }, body: { ...values, email: values.email.trim() } },
        { onError: 'silent' },
      )
      if (answer.ok) toast(`An invitation is on its way to ${answer.data.email}`, 'success')
      return answer.ok ? { ...answer, data: emptyInvitation } : answer
    },
    onSaved: onClose,
  })
  return (
    <InvitationDialog edit={edit} onClose={onClose}>
      <SelectField name="role" label="Role" hint="Owners see revenue and manage staff." options={roleOptions} />
    </InvitationDialog>
  )
}
