import { useRef } from 'react'
import { useLocation } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { useChange } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type JobPlace, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { duplicateJob, type StaffJob } from '#contract/studio/jobs.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type DuplicateDialogProps = { place: JobPlace; job: StaffJob; open: boolean; onClose: () => void }

type Wish = { name: string; eventDate: string }

const Fields = ({ place, job }: Omit<DuplicateDialogProps, 'open' | 'onClose'>) => {
  const [, navigate] = useLocation()
  const { make } = useChange(duplicateJob)
  const madeId = useRef<number | null>(null)
  const edit = useEditForm<Wish>({
    name: `job ${place.jobId} duplicate`,
    saved: { version: 0, values: { name: `${job.name} (copy)`, eventDate: '' } },
    rules: { name: required() },
    save: async ({ values, version }) => {
      const { studioId, jobId } = place
      const body = { name: values.name, eventDate: values.eventDate || null }
      const answer = await make({ params: { studioId, jobId }, body }, 'nobody')
      if (!answer.ok) return answer
      madeId.current = answer.data.id
      return { ...answer, data: { values, version } }
    },
    onSaved: () => {
      if (madeId.current !== null) navigate(staffUrls.job({ ...place, jobId: madeId.current }))
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
        hint={
          job.eventDate === null ? undefined : 'The other dates move along with it; without a day they are left out'
        }
      />
    </EditForm>
  )
}

/** Makes a job like this one: its settings, fields, services, package set and workflow, with a code of its own, and nobody in it. */
export const DuplicateDialog = ({ open, onClose, ...job }: DuplicateDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Duplicate this job"
    description="The new one has its settings, fields, services and package set, and a code of its own. People, pictures and orders stay here."
  >
    <Fields {...job} />
  </Dialog>
)
