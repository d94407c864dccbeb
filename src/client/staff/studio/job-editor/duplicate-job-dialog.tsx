import { useRef } from 'react'
import { useLocation } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { duplicateJob, type StaffJob } from '#contract/studio/jobs.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type DuplicateJobDialogProps = { params: JobParams; job: StaffJob; open: boolean; onClose: () => void }

type DuplicateJobValues = { name: string; eventDate: string }

const DuplicateJobForm = ({ params, job }: Omit<DuplicateJobDialogProps, 'open' | 'onClose'>) => {
  const [, navigate] = useLocation()
  const { mutate } = useStaffMutation(duplicateJob)
  const createdJobId = useRef<number | null>(null)
  const edit = useEditForm<DuplicateJobValues>({
    name: `job ${params.jobId} duplicate`,
    saved: { version: 0, values: { name: `${job.name} (copy)`, eventDate: '' } },
    rules: { name: required() },
    save: async ({ values, version }) => {
      const { studioId, jobId } = params
      const body = { name: values.name, eventDate: values.eventDate || null }
      const answer = await mutate({ params: { studioId, jobId }, body }, { onError: 'silent' })
      if (!answer.ok) return answer
      createdJobId.current = answer.data.id
      return { ...answer, data: { values, version } }
    },
    onSaved: () => {
      if (createdJobId.current !== null) navigate(staffUrls.job({ ...params, jobId: createdJobId.current }))
    },
  })
  return (
    <EditForm edit={edit} saveText="Duplicate">
      <TextField name="name" label="Name" required maxLength={200} />
      <TextField
        name="eventDate"
        label="Picture day"
        type="date"
        optional
        hint={job.eventDate === null ? undefined : 'The other dates move with it; without a day they are cleared'}
      />
    </EditForm>
  )
}

/** Duplicates a job: settings, fields, services, package set and workflow, with a new code and without subjects. */
export const DuplicateJobDialog = ({ open, onClose, ...formProps }: DuplicateJobDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Duplicate this job"
    description="The copy gets its settings, fields, services and package set, and its own code. People, images and orders stay here."
  >
    <DuplicateJobForm {...formProps} />
  </Dialog>
)
