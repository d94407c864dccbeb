import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { roleNames } from '#client/staff/kit/users/open-invitations.tsx'
import { studioRoles, type UserRole } from '#contract/system/auth.ts'
import { getPlatformUser, type PlatformUser, putPlatformUser } from '#contract/system/platform-users.ts'
import { userGrantMessages } from '#domain/platform/platform-studio.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Model = { name: string; role: UserRole; maySignIn: boolean }

const labels = { name: 'Name', role: 'Role', maySignIn: 'May sign in' } as const
const roleOptions = studioRoles.map((value) => ({ value, label: roleNames[value] }))

const staffOption = roleOptions.filter(({ value }) => value === 'staff')

const toVersionedValues = ({ name, role, isDisabled, version }: PlatformUser): VersionedValues<Model> => ({
  values: { name, role, maySignIn: !isDisabled },
  version,
})

/** Edits a user of any studio, or an administrator. Disables them, or lets them sign in again. */
export const PlatformUserDialog = ({ user, onClose }: { user: PlatformUser; onClose: () => void }) => {
  const params = { id: user.id }
  const { mutate } = useStaffMutation(putPlatformUser)
  const edit = useRecordForm({
    name: `user ${user.id}`,
    record: user,
    toVersionedValues,
    rules: { name: required() },
    save: ({ values: { maySignIn, ...values }, version }) =>
      mutate({ params, body: { ...values, isDisabled: !maySignIn, version } }, { onError: 'silent' }),
    read: () => authorizedRequest(getPlatformUser, { params }),
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={user.name}
      description={`${user.email}, ${user.studioName ?? 'administrator of the platform'}`}
    >
      <EditForm edit={edit} labels={labels}>
        <TextField name="name" label={labels.name} maxLength={100} />
        {user.studioId !== null && (
          <SelectField
            name="role"
            label={labels.role}
            hint={
              user.studioHasOwner
                ? `${userGrantMessages.ownersGrant}. You can transfer the ownership in Studios.`
                : 'Owners see revenue and manage staff. Staff work on jobs and orders.'
            }
            options={user.studioHasOwner && user.role === 'staff' ? staffOption : roleOptions}
          />
        )}
        <CheckField
          name="maySignIn"
          label={labels.maySignIn}
          hint={`Without it their next request is refused.${user.studioHasOwner ? ' Only an owner can allow it again.' : ''}`}
        />
      </EditForm>
    </Dialog>
  )
}
