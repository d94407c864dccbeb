import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import { purgeSubjects } from '#contract/studio/subjects.ts'
import { isPurgeConfirmed, purgeConfirmation } from '#domain/subjects/subject-draft.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { MessageList } from '#ui/form/message-list.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './subjects.module.css'

export type DeletableSubject = { id: number; firstName: string; lastName: string }

type DeleteDataDialogProps = {
  job: { studioId: number; jobId: number }
  subjects: readonly DeletableSubject[]
  onClose: () => void
  onDeleted: () => void
}

/** Permanently deletes the data of subjects. To confirm, the user types the subject's name or the number of subjects. */
export const DeleteDataDialog = ({ job: { studioId, jobId }, subjects, onClose, onDeleted }: DeleteDataDialogProps) => {
  const [typedConfirmation, setTypedConfirmation] = useState('')
  const [errors, setErrors] = useState<readonly string[]>([])
  const purge = useStaffMutation(purgeSubjects)
  const confirmation = purgeConfirmation(subjects)
  const deleteData = async () => {
    const ids = subjects.map(({ id }) => id)
    const answer = await purge.mutate(
      { params: { studioId, jobId }, body: { ids, typed: typedConfirmation } },
      { onError: 'silent' },
    )
    if (!answer.ok) return setErrors(answer.errors)
    toast(`The data of ${formatSubjectCount(answer.data.count)} is deleted`, 'success')
    onDeleted()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={
        subjects.length === 1
          ? `Delete the data of ${confirmation}?`
          : `Delete the data of ${formatSubjectCount(subjects.length)}?`
      }
      description="Their images, files, fields and codes are deleted for good. Orders keep what was paid, without the child’s data."
      size="small"
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            loading={purge.busy}
            disabled={!isPurgeConfirmed(subjects, typedConfirmation)}
            onClick={() => void deleteData()}
          >
            Delete for good
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <MessageList messages={errors} />
        <Field label={`Type ${confirmation} to confirm`}>
          <TextInput value={typedConfirmation} onValue={setTypedConfirmation} autoComplete="off" data-first-focus />
        </Field>
      </div>
    </Dialog>
  )
}
