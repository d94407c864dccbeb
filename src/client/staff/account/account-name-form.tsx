import { type Account, getAccount, patchAccount } from '#contract/studio/accounts.ts'
import { required } from '#domain/shared/validators.ts'
import { EditForm } from '../kit/form/edit-form.tsx'
import { TextField } from '../kit/form/form-fields.tsx'
import type { VersionedValues } from '../kit/form/merge-edits.ts'
import { useRecordForm } from '../kit/form/use-record-form.ts'
import { authorizedRequest } from '../kit/query/authorized-request.ts'
import { useStaffMutation } from '../kit/query/use-staff-mutation.ts'
import { session } from '../kit/session/current-session.ts'

type Model = { name: string }

const toVersionedValues = ({ name, version }: Account): VersionedValues<Model> => ({ values: { name }, version })

// Screens read the name from the token, so a new token is needed.
const renewToken = async () => {
  const token = await session.token()
  if (token) await session.token(token)
}

/** Changes the user's own name. */
export const AccountNameForm = ({ account }: { account: Account }) => {
  const { mutate } = useStaffMutation(patchAccount)
  const edit = useRecordForm({
    name: `account ${account.id} name`,
    record: account,
    toVersionedValues,
    rules: { name: required() },
    save: ({ values: { name }, version }) => mutate({ body: { name, version } }, { onError: 'silent' }),
    read: () => authorizedRequest(getAccount),
    onSaved: () => void renewToken(),
  })
  return (
    <EditForm edit={edit} labels={{ name: 'Name' }}>
      <TextField name="name" label="Name" autoComplete="name" maxLength={100} />
    </EditForm>
  )
}
