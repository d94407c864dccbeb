import { askForSupportAccess, openSupportAccess } from '#contract/system/support-access.ts'
import { supportReasonRules } from '#domain/studio/support-access.ts'
import { EditForm } from '../form/edit-form.tsx'
import { SelectField, TextField } from '../form/form-fields.tsx'
import { useEditForm } from '../form/use-edit-form.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'

/** What an administrator does with a reason: ask the owners, or enter to read without their consent. */
export type RequestKind = 'ask' | 'open'

const kindLabels: Readonly<Record<RequestKind, string>> = {
  ask: 'Ask the owners for their consent',
  open: 'Read for 1 hour without their consent',
}

type ReasonFormProps = { studioId: number; ways: readonly [RequestKind, ...RequestKind[]]; onDone?: () => void }

/** The reason why an administrator needs access to a studio. Its owners get it by email. */
export const ReasonForm = ({ studioId, ways, onDone }: ReasonFormProps) => {
  const asking = useStaffMutation(askForSupportAccess)
  const opening = useStaffMutation(openSupportAccess)
  const empty = { values: { reason: '', way: ways[0] }, version: 0 }
  const edit = useEditForm({
    name: `studio ${studioId} support ${ways.join(' ')}`,
    saved: empty,
    rules: supportReasonRules,
    save: async ({ values: { reason, way } }) => {
      const { mutate } = way === 'ask' ? asking : opening
      const answer = await mutate({ params: { id: studioId }, body: { reason } }, { onError: 'silent' })
      return answer.ok ? { ...answer, data: empty } : answer
    },
    onSaved: () => onDone?.(),
  })
  return (
    <EditForm edit={edit} saveText="Continue">
      <TextField
        name="reason"
        label="Reason"
        hint="The owners get it by email, and see it on their screens"
        maxLength={500}
        required
      />
      {ways.length > 1 && (
        <SelectField
          name="way"
          label="What to do"
          options={ways.map((value) => ({ value, label: kindLabels[value] }))}
        />
      )}
    </EditForm>
  )
}
