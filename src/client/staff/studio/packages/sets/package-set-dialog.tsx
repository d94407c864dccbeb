import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { TextField } from '#client/staff/kit/form/form-fields.tsx'
import type { VersionedValues } from '#client/staff/kit/form/merge-edits.ts'
import { useRecordForm } from '#client/staff/kit/form/use-record-form.ts'
import { authorizedRequest } from '#client/staff/kit/query/authorized-request.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { getPackageSet, type PackageSet, postPackageSet, putPackageSet } from '#contract/studio/package-sets.ts'
import { required } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

type Model = { name: string; description: string }

type PackageSetDialogProps = {
  studioId: number
  /** Null creates a set. */
  set: PackageSet | null
  onClose: () => void
  onSaved: (set: PackageSet) => void
}

const newSet = { name: '', description: '', version: 0 }

const toVersionedValues = ({ name, description, version }: typeof newSet): VersionedValues<Model> => ({
  values: { name, description },
  version,
})

/** Edits the name and the description of a package set, or creates a set. */
export const PackageSetDialog = ({ studioId, set, onClose, onSaved }: PackageSetDialogProps) => {
  const post = useStaffMutation(postPackageSet)
  const put = useStaffMutation(putPackageSet)
  const edit = useRecordForm<Model, typeof newSet>({
    name: `package set ${studioId} ${set?.id ?? 'new'}`,
    record: set ?? newSet,
    toVersionedValues,
    rules: { name: required() },
    save: async ({ values, version }) => {
      const answer = set
        ? await put.mutate({ params: { studioId, id: set.id }, body: { ...values, version } }, { onError: 'silent' })
        : await post.mutate({ params: { studioId }, body: values }, { onError: 'silent' })
      if (answer.ok) onSaved(answer.data)
      return answer
    },
    read: () => authorizedRequest(getPackageSet, { params: { studioId, id: set?.id ?? 0 } }),
  })
  return (
    <Dialog open onClose={onClose} title={set ? 'Rename package set' : 'New package set'} size="small">
      <EditForm edit={edit} labels={{ name: 'Name', description: 'Description' }}>
        <TextField name="name" label="Name" hint="Such as “Spring portraits”" required />
        <TextField name="description" label="Description" type="textarea" optional />
      </EditForm>
    </Dialog>
  )
}
