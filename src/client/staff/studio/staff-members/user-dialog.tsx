import { useAtomValue } from 'jotai'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { roleNames } from '#client/staff/kit/users/open-invitations.tsx'
import { confirmSecondFactorReset } from '#client/staff/kit/users/second-factor.ts'
import { getUser, putUser, removeUser, type StudioUser } from '#contract/studio/accounts.ts'
import type { StudioRole } from '#contract/system/auth.ts'
import { resetSecondFactor } from '#contract/system/two-factor.ts'
import { required } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { SelectOption } from '#ui/form/select.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './staff-list-screen.module.css'

export const roleOptions: readonly (SelectOption & { value: StudioRole })[] = [
  { value: 'staff', label: roleNames.staff },
  { value: 'owner', label: roleNames.owner },
]

type Model = { name: string; role: StudioRole; maySignIn: boolean }

const labels = { name: 'Name', role: 'Role', maySignIn: 'May sign in' } as const

const toVersionedValues = ({ name, role, isDisabled, version }: StudioUser): VersionedValues<Model> => ({
  values: { name, role, maySignIn: !isDisabled },
  version,
})

type UserDialogProps = { studioId: number; user: StudioUser; onClose: () => void }

/** Edits or removes a member of the studio's staff. */
export const UserDialog = ({ studioId, user, onClose }: UserDialogProps) => {
  const params = { studioId, id: user.id }
  const { mutate } = useStaffMutation(putUser)
  const removal = useStaffMutation(removeUser)
  const reset = useStaffMutation(resetSecondFactor)
  const isSelf = useAtomValue(claimsAtom)?.userId === String(user.id)
  const edit = useRecordForm({
    name: `studio ${studioId} user ${user.id}`,
    record: user,
    toVersionedValues,
    rules: { name: required() },
    save: ({ values: { maySignIn, ...values }, version }) =>
      mutate({ params, body: { ...values, isDisabled: !maySignIn, version } }, { onError: 'silent' }),
    read: () => authorizedRequest(getUser, { params }),
    onSaved: onClose,
  })
  const remove = async () => {
    const isSure = await confirm({
      title: `Remove ${user.name}?`,
      message: 'Their next request is refused. Their past work keeps their name.',
      confirmText: 'Remove',
      danger: true,
    })
    if (!isSure) return
    const answer = await removal.mutate({ params })
    if (!answer.ok) return
    toast(`${user.name} no longer works here`, 'success')
    onClose()
  }
  const resetAfterConfirmation = async () => {
    if (await confirmSecondFactorReset(user.name, () => reset.mutate({ params }))) onClose()
  }
  return (
    <Dialog open onClose={onClose} title={user.name} description={user.email}>
      <EditForm edit={edit} labels={labels}>
        <TextField name="name" label="Name" maxLength={100} />
        <SelectField name="role" label="Role" options={roleOptions} />
        <CheckField name="maySignIn" label="May sign in" hint="Without it their next request is refused." />
      </EditForm>
      <div className={styles.danger}>
        {user.hasSecondFactor && !isSelf && (
          <Button variant="secondary" loading={reset.busy} onClick={() => void resetAfterConfirmation()}>
            Reset two-factor sign-in
          </Button>
        )}
        <Button variant="danger" loading={removal.busy} onClick={() => void remove()}>
          Remove from the studio
        </Button>
      </div>
    </Dialog>
  )
}
