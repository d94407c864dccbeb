import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { Saved } from '#client/staff/kit/form/merge-edits.ts'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { askStaff } from '#client/staff/kit/query/authorized-request.ts'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { groups as calls, type Group } from '#contract/studio/groups.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Model = { name: string }

const savedOf = ({ name, version }: Group): Saved<Model> => ({ values: { name }, version })

type GroupNameDialogProps = {
  job: JobPlace
  /** Null makes a new one. */
  group: Group | null
  onClose: () => void
}

/** What a group is called. */
export const GroupNameDialog = ({ job: { studioId, jobId }, group, onClose }: GroupNameDialogProps) => {
  const post = useChange(calls.post)
  const put = useChange(calls.put)
  const params = { studioId, jobId }
  const ofGroup = { ...params, id: group?.id ?? 0 }
  const edit = useEditForm<Model>({
    name: `group ${jobId} ${group?.id ?? 'new'}`,
    saved: group ? savedOf(group) : { values: { name: '' }, version: 0 },
    rules: { name: required() },
    save: async ({ values, version }) => {
      const answer = group
        ? await put.make({ params: ofGroup, body: { ...values, version } }, 'nobody')
        : await post.make({ params, body: values }, 'nobody')
      if (!answer.ok) return answer
      onClose()
      return { ...answer, data: savedOf(answer.data) }
    },
    newest: async () => {
      const answer = await askStaff(calls.get, { params: ofGroup })
      return answer.ok ? { ...answer, data: savedOf(answer.data) } : answer
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
