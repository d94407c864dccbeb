import { type Account, getAccount, patchAccount } from '#contract/studio/accounts.ts'
import { required } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'
import { EditForm } from '../kit/form/edit-form.tsx'
import { TextField } from '../kit/form/form-fields.tsx'
import type { VersionedValues } from '../kit/form/merge-edits.ts'
import { useEditForm } from '../kit/form/use-edit-form.ts'
import { authorizedRequest } from '../kit/query/authorized-request.ts'
import { useStaffMutation } from '../kit/query/use-staff-mutation.ts'
import { session } from '../kit/session/current-session.ts'

type Model = { name: string }

const toVersionedValues = ({ name, version }: Account): VersionedValues<Model> => ({ values: { name }, version })

const toVersionedResult = (answer: CallResult<Account>): CallResult<VersionedValues<Model>> =>
  answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer

// The token carries the name that screens show, so a new token is needed.
const renewToken = async () => {
  const token = await session.token()
  if (token) await session.token(token)
}

/** Changes the user's own name. */
export const AccountNameForm = ({ account }: { account: Account }) => {
  const { mutate } = useStaffMutation(patchAccount)
  const edit = useEditForm<Model>({
    name: `account ${account.id} name`,
    saved: toVersionedValues(account),
    rules: { name: required() },
    save: async ({ values: { name }, version }) =>
      toVersionedResult(await mutate({ body: { name, version } }, { onError: 'silent' })),
    readLatest: async () => toVersionedResult(await authorizedRequest(getAccount)),
    onSaved: () => void renewToken(),
  })
  return (
    <EditForm edit={edit} labels={{ name: 'Name' }}>
      <TextField name="name" label="Name" autoComplete="name" maxLength={100} />
    </EditForm>
  )
}
