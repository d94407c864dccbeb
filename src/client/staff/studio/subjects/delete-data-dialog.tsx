import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { purgeSubjects } from '#contract/studio/subjects.ts'
import { isPurgeConfirmed, purgeConfirmation } from '#domain/subjects/subject-draft.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { MessageList } from '#ui/form/message-list.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import { formatSubjectCount } from './subject-format.ts'
import styles from './subjects.module.css'

export type DeletableSubject = { id: number; firstName: string; lastName: string }

type DeleteDataDialogProps = {
  job: { studioId: number; jobId: number }
  subjects: readonly DeletableSubject[]
  onClose: () => void
  onErased: () => void
}

/** Permanently deletes the data of subjects after the user typed their name or number. */
export const DeleteDataDialog = ({ job: { studioId, jobId }, subjects, onClose, onErased }: DeleteDataDialogProps) => {
  const [typed, setTyped] = useState('')
  const [errors, setErrors] = useState<readonly string[]>([])
  const erase = useStaffMutation(purgeSubjects)
  const confirmation = purgeConfirmation(subjects)
  const run = async () => {
    const ids = subjects.map(({ id }) => id)
    const answer = await erase.mutate({ params: { studioId, jobId }, body: { ids, typed } }, { onError: 'silent' })
    if (!answer.ok) return setErrors(answer.errors)
    toast(`The data of ${formatSubjectCount(answer.data.count)} is deleted`, 'success')
    onErased()
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
      description="Images with their files, fields, codes and what parents see of them are gone for good. Orders keep what was paid, without who was pictured."
      size="small"
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            loading={erase.busy}
            disabled={!isPurgeConfirmed(subjects, typed)}
            onClick={() => void run()}
          >
            Delete for good
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        <MessageList messages={errors} />
        <Field label={`Type ${confirmation} to confirm`}>
          <TextInput value={typed} onValue={setTyped} autoComplete="off" data-first-focus />
        </Field>
      </div>
    </Dialog>
  )
}
