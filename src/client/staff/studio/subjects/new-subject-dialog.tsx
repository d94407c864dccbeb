import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type NewSubject, postJobSubject, type StudioSubject } from '#contract/studio/subjects.ts'
import { subjectErrors } from '#domain/subjects/subject-draft.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import styles from './subjects.module.css'

type NewSubjectValues = { firstName: string; lastName: string; group: string; reference: string; code: string }

const emptyValues: NewSubjectValues = { firstName: '', lastName: '', group: '', reference: '', code: '' }

const newSubjectOf = ({ group, ...values }: NewSubjectValues): NewSubject => ({
  ...values,
  groups: group === '' ? [] : [group],
})

type NewSubjectDialogProps = {
  job: JobParams
  groupNames: readonly string[]
  onClose: () => void
  onCreated: (subject: StudioSubject) => void
}

/** Adds a subject to the job. */
export const NewSubjectDialog = ({
  job: { studioId, jobId },
  groupNames,
  onClose,
  onCreated,
}: NewSubjectDialogProps) => {
  const createSubject = useStaffMutation(postJobSubject)
  const edit = useEditForm<NewSubjectValues>({
    name: `new subject ${jobId}`,
    saved: { values: emptyValues, version: 0 },
    rules: {
      firstName: (_, model) => subjectErrors(model).firstName?.[0] ?? null,
      code: (_, model) => subjectErrors(model).code?.[0] ?? null,
    },
    save: async ({ values }) => {
      const answer = await createSubject.mutate(
        { params: { studioId, jobId }, body: newSubjectOf(values) },
        { onError: 'silent' },
      )
      if (!answer.ok) return answer
      onCreated(answer.data)
      return { ...answer, data: { values: emptyValues, version: 0 } }
    },
  })
  return (
    <Dialog open onClose={onClose} title="New subject" size="medium">
      <EditForm edit={edit} saveText="Create subject">
        <div className={styles.names}>
          <TextField name="firstName" label="First name" autoComplete="off" data-first-focus />
          <TextField name="lastName" label="Last name" autoComplete="off" />
        </div>
        <SelectField
          name="group"
          label="Group"
          options={[{ value: '', label: 'None' }, ...groupNames.map((name) => ({ value: name, label: name }))]}
        />
        <div className={styles.names}>
          <TextField name="reference" label="Reference" hint="Such as a student number" optional autoComplete="off" />
          <TextField name="code" label="Code" hint="4 to 12 letters and digits" optional autoComplete="off" />
        </div>
      </EditForm>
    </Dialog>
  )
}
