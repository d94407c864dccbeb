import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { groups as calls, type Group } from '#contract/studio/groups.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Model = { name: string }

const toVersionedValues = ({ name, version }: Group): VersionedValues<Model> => ({ values: { name }, version })

type GroupNameDialogProps = {
  job: JobParams
  /** Null creates a group. */
  group: Group | null
  onClose: () => void
}

/** Names a group. */
export const GroupNameDialog = ({ job: { studioId, jobId }, group, onClose }: GroupNameDialogProps) => {
  const post = useStaffMutation(calls.post)
  const put = useStaffMutation(calls.put)
  const params = { studioId, jobId }
  const ofGroup = { ...params, id: group?.id ?? 0 }
  const edit = useEditForm<Model>({
    name: `group ${jobId} ${group?.id ?? 'new'}`,
    saved: group ? toVersionedValues(group) : { values: { name: '' }, version: 0 },
    rules: { name: required() },
    save: async ({ values, version }) => {
      const answer = group
        ? await put.mutate({ params: ofGroup, body: { ...values, version } }, { onError: 'silent' })
        : await post.mutate({ params, body: values }, { onError: 'silent' })
      if (!answer.ok) return answer
      onClose()
      return { ...answer, data: toVersionedValues(answer.data) }
    },
    readLatest: async () => {
      const answer = await authorizedRequest(calls.get, { params: ofGroup })
      return answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer
    },
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
