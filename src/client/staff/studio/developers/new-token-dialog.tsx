import { useState } from 'react'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { CopyableValue } from '#client/staff/kit/screen/copyable-value.tsx'
import { postApiToken } from '#contract/studio/developers/api-tokens.ts'
import {
  type ApiArea,
  type ApiScope,
  apiAreaLabels,
  apiAreas,
  apiScopes,
  apiTokenDays,
} from '#domain/developers/api-scopes.ts'
import { type Rules, required } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

type AreaAccess = 'none' | 'read' | 'both'
type Model = { name: string; days: string } & Record<ApiArea, AreaAccess>

const emptyToken: { values: Model; version: number } = {
  values: { name: '', days: '90', orders: 'none', jobs: 'none', catalogue: 'none', reports: 'none' },
  version: 0,
}

const accessOptions: { value: AreaAccess; label: string }[] = [
  { value: 'none', label: 'No access' },
  { value: 'read', label: 'Read' },
  { value: 'both', label: 'Read and change' },
]

const dayOptions = apiTokenDays.map((days) => ({ value: String(days), label: `${days} days` }))

const scopesOf = (values: Model): ApiScope[] =>
  apiScopes.filter((scope) =>
    apiAreas.some(
      (area) =>
        (values[area] === 'both' && scope.startsWith(`${area}:`)) ||
        (values[area] === 'read' && scope === `${area}:read`),
    ),
  )

const rules: Rules<Model> = {
  name: required(),
  orders: (_value, model) => (scopesOf(model).length > 0 ? null : 'Choose what the token may do'),
}

type TokenFormProps = { studioId: number; onCreated: (token: string) => void }

const TokenForm = ({ studioId, onCreated }: TokenFormProps) => {
  const { mutate } = useStaffMutation(postApiToken)
  const edit = useEditForm<Model>({
    name: `studio ${studioId} new token`,
    saved: emptyToken,
    rules,
    save: async ({ values }) => {
      const days = apiTokenDays.find((option) => String(option) === values.days) ?? apiTokenDays[0]
      const body = { name: values.name, scopes: scopesOf(values), days }
      const answer = await mutate({ params: { studioId }, body }, { onError: 'silent' })
      if (answer.ok) onCreated(answer.data.token)
      return answer.ok ? { ...answer, data: emptyToken } : answer
    },
  })
  return (
    <EditForm edit={edit} saveText="Create the token">
      <TextField name="name" label="Name" hint="What it is for, such as Accounting" autoComplete="off" maxLength={60} />
      <SelectField name="days" label="Expires after" options={dayOptions} />
      {apiAreas.map((area) => (
        <SelectField
          key={area}
          name={area}
          label={apiAreaLabels[area].name}
          hint={apiAreaLabels[area].about}
          options={accessOptions}
        />
      ))}
    </EditForm>
  )
}

/** Creates an API token, and shows it once. */
export const NewTokenDialog = ({ studioId, onClose }: { studioId: number; onClose: () => void }) => {
  const [token, setToken] = useState<string | null>(null)
  if (token === null)
    return (
      <Dialog
        open
        onClose={onClose}
        title="New token"
        description="A program that has the token acts with your permissions, within what you choose here."
      >
        <TokenForm studioId={studioId} onCreated={setToken} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={onClose}
      closable={false}
      title="Your new token"
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <Notice tone="attention">Copy it now: it is not shown again. Anyone who has it can use it.</Notice>
      <CopyableValue label="Token" text={token} />
    </Dialog>
  )
}
