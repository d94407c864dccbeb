import { useMemo, useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { formatSubjectCount, subjectDisplayName } from '#client/staff/kit/screen/format.ts'
import { maxSubjectsPerRequest, postJobSubjects } from '#contract/studio/subjects.ts'
import { parsePastedSubjects } from '#domain/imports/pasted-subjects.ts'
import { subjectListErrors } from '#domain/subjects/subject-draft.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './subjects.module.css'

type PasteSubjectsDialogProps = { job: JobParams; onClose: () => void }

type PastedSubject = ReturnType<typeof parsePastedSubjects>[number]

/** Maximum number of error messages that are shown at once. */
const maxVisibleErrors = 5

const errorMessagesOf = (
  fields: Readonly<Record<string, readonly string[]>>,
  pastedSubjects: readonly PastedSubject[],
): string[] =>
  Object.entries(fields).map(([path, messages]) => {
    const [index = ''] = path.split('.')
    const subject = pastedSubjects[Number(index)]
    return `${subject ? subjectDisplayName(subject) : `Line ${Number(index) + 1}`}: ${messages.join(', ')}`
  })

/** Adds subjects from pasted rows. If a row is invalid, none is added. */
export const PasteSubjectsDialog = ({ job: { studioId, jobId }, onClose }: PasteSubjectsDialogProps) => {
  const [text, setText] = useState('')
  const [assignsCodes, setAssignsCodes] = useState(true)
  const [errors, setErrors] = useState<readonly string[]>([])
  const post = useStaffMutation(postJobSubjects)
  const pastedSubjects = useMemo(() => parsePastedSubjects(text), [text])
  const isTooLong = pastedSubjects.length > maxSubjectsPerRequest
  const addSubjects = async () => {
    const subjectErrors = subjectListErrors(pastedSubjects)
    if (Object.keys(subjectErrors).length > 0) return setErrors(errorMessagesOf(subjectErrors, pastedSubjects))
    const body = { subjects: pastedSubjects, codes: assignsCodes ? ('new' as const) : ('none' as const) }
    const answer = await post.mutate({ params: { studioId, jobId }, body }, { onError: 'silent' })
    if (!answer.ok) return setErrors(answer.fields ? errorMessagesOf(answer.fields, pastedSubjects) : answer.errors)
    toast(`${formatSubjectCount(answer.data.count)} added`, 'success')
    onClose()
  }
  const [firstSubject] = pastedSubjects
  const errorMessages = [
    ...(isTooLong ? [`At most ${formatSubjectCount(maxSubjectsPerRequest)} at once; import longer lists`] : []),
    ...errors.slice(0, maxVisibleErrors),
    ...(errors.length > maxVisibleErrors ? [`and ${errors.length - maxVisibleErrors} more`] : []),
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title="Paste names"
      description="One per line: first name, last name, group, reference, copied from a table or separated by commas."
      actions={
        <Button
          loading={post.busy}
          disabled={pastedSubjects.length === 0 || isTooLong}
          onClick={() => void addSubjects()}
        >
          {pastedSubjects.length === 0 ? 'Add them' : `Add ${formatSubjectCount(pastedSubjects.length)}`}
        </Button>
      }
    >
      <div className={styles.stack}>
        <Field
          label="People"
          errors={errorMessages}
          hint={
            firstSubject
              ? `The first is ${subjectDisplayName(firstSubject)}${firstSubject.groups[0] ? `, in ${firstSubject.groups[0]}` : ''}`
              : undefined
          }
        >
          <TextInput
            type="textarea"
            rows={10}
            value={text}
            onValue={(pastedText) => {
              setText(pastedText)
              setErrors([])
            }}
            data-first-focus
          />
        </Field>
        <Checkbox label="Give each their own code" checked={assignsCodes} onValue={setAssignsCodes} />
      </div>
    </Dialog>
  )
}
