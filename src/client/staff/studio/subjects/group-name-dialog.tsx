import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type Group, groups as groupCalls } from '#contract/studio/groups.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Model = { name: string }

const newGroup = { name: '', version: 0 }

const toVersionedValues = ({ name, version }: typeof newGroup): VersionedValues<Model> => ({
  values: { name },
  version,
})

type GroupNameDialogProps = {
  job: JobParams
  /** Null creates a group. */
  group: Group | null
  onClose: () => void
}

/** Creates or renames a group. */
export const GroupNameDialog = ({ job: { studioId, jobId }, group, onClose }: GroupNameDialogProps) => {
  const post = useStaffMutation(groupCalls.post)
  const put = useStaffMutation(groupCalls.put)
  const params = { studioId, jobId }
  const groupParams = { ...params, id: group?.id ?? 0 }
  const edit = useRecordForm<Model, typeof newGroup>({
    name: `group ${jobId} ${group?.id ?? 'new'}`,
    record: group ?? newGroup,
    toVersionedValues,
    rules: { name: required() },
    save: ({ values, version }) =>
      group
        ? put.mutate({ params: groupParams, body: { ...values, version } }, { onError: 'silent' })
        : post.mutate({ params, body: values }, { onError: 'silent' }),
    read: () => authorizedRequest(groupCalls.get, { params: groupParams }),
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={group ? 'Rename group' : 'New group'} size="small">
      <EditForm edit={edit} labels={{ name: 'Name' }}>
        <TextField
          name="name"
          label="Name"
          hint="Such as “Grade 3” or “U12”"
          required
          maxLength={100}
          data-first-focus
        />
      </EditForm>
    </Dialog>
  )
}
