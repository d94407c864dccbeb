import type { StudioRole } from '../../../contract/auth.ts'
import { getUser, putUser, removeUser, type StudioUser } from '../../../contract/studio/accounts.ts'
import { required } from '../../../domain/validators.ts'
import type { Answered } from '../../../local/ask.ts'
import { askStaff } from '../../staff/ask-staff.ts'
import { EditForm } from '../../staff/edit-form.tsx'
import { CheckField, SelectField, TextField } from '../../staff/form-fields.tsx'
import type { Saved } from '../../staff/merge-edits.ts'
import { useChange } from '../../staff/use-change.ts'
import { useEditForm } from '../../staff/use-edit-form.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { roleOptions } from './role-names.ts'
import styles from './staff-list-screen.module.css'

type Model = { name: string; role: StudioRole; maySignIn: boolean }

const labels = { name: 'Name', role: 'Role', maySignIn: 'May sign in' } as const

const savedOf = ({ name, role, isDisabled, version }: StudioUser): Saved<Model> => ({
  values: { name, role, maySignIn: !isDisabled },
  version,
})

const asSaved = (answer: Answered<StudioUser>): Answered<Saved<Model>> =>
  answer.ok ? { ...answer, data: savedOf(answer.data) } : answer

type UserDialogProps = { studioId: number; user: StudioUser; onClose: () => void }

/** One of the studio's people: what they are called and may do, and the end of it. */
export const UserDialog = ({ studioId, user, onClose }: UserDialogProps) => {
  const params = { studioId, id: user.id }
  const { make } = useChange(putUser)
  const removal = useChange(removeUser)
  const edit = useEditForm<Model>({
    name: `studio ${studioId} user ${user.id}`,
    saved: savedOf(user),
    rules: { name: required() },
    save: async ({ values: { maySignIn, ...values }, version }) =>
      asSaved(await make({ params, body: { ...values, isDisabled: !maySignIn, version } }, 'nobody')),
    newest: async () => asSaved(await askStaff(getUser, { params })),
    onSaved: onClose,
  })
  const remove = async () => {
    const yes = await confirm({
      title: `Remove ${user.name}?`,
      message: 'They are signed out within a quarter of an hour. What they did keeps their name.',
      confirmText: 'Remove',
      danger: true,
    })
    if (!yes) return
    const answer = await removal.make({ params })
    if (!answer.ok) return
    toast(`${user.name} works here no longer`, 'success')
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={user.name} description={user.email}>
      <EditForm edit={edit} labels={labels}>
        <TextField name="name" label="Name" maxLength={100} />
        <SelectField name="role" label="Role" options={roleOptions} />
        <CheckField
          name="maySignIn"
          label="May sign in"
          hint="Without it they are signed out within a quarter of an hour."
        />
      </EditForm>
      <div className={styles.danger}>
        <Button variant="danger" loading={removal.busy} onClick={() => void remove()}>
          Remove from the studio
        </Button>
      </div>
    </Dialog>
  )
}
