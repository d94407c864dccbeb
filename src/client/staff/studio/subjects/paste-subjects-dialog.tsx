import { useMemo, useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { maxSubjectsPerRequest, postJobSubjects } from '#contract/studio/subjects.ts'
import { parsePastedSubjects } from '#domain/imports/pasted-subjects.ts'
import { subjectListErrors } from '#domain/subjects/subject-draft.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import { formatSubjectCount, subjectDisplayName } from './subject-format.ts'
import styles from './subjects.module.css'

type PasteSubjectsDialogProps = { job: JobParams; onClose: () => void }

type PastedSubject = ReturnType<typeof parsePastedSubjects>[number]

/** Limit of errors shown at once. */
const maxErrorsShown = 5

const errorMessagesOf = (
  fields: Readonly<Record<string, readonly string[]>>,
  pastedSubjects: readonly PastedSubject[],
): string[] =>
  Object.entries(fields).map(([path, messages]) => {
    const [index = ''] = path.split('.')
    const subject = pastedSubjects[Number(index)]
    return `${subject ? subjectDisplayName(subject) : `Line ${Number(index) + 1}`}: ${messages.join(', ')}`
  })

/** Adds subjects from pasted rows; all of them or none. */
export const PasteSubjectsDialog = ({ job: { studioId, jobId }, onClose }: PasteSubjectsDialogProps) => {
  const [text, setText] = useState('')
  const [giveCodes, setGiveCodes] = useState(true)
  const [errors, setErrors] = useState<readonly string[]>([])
  const post = useStaffMutation(postJobSubjects)
  const pastedSubjects = useMemo(() => parsePastedSubjects(text), [text])
  const tooMany = pastedSubjects.length > maxSubjectsPerRequest
  const run = async () => {
    const wrong = subjectListErrors(pastedSubjects)
    if (Object.keys(wrong).length > 0) return setErrors(errorMessagesOf(wrong, pastedSubjects))
    const body = { subjects: pastedSubjects, codes: giveCodes ? ('new' as const) : ('none' as const) }
    const answer = await post.mutate({ params: { studioId, jobId }, body }, { onError: 'silent' })
    if (!answer.ok) return setErrors(answer.fields ? errorMessagesOf(answer.fields, pastedSubjects) : answer.errors)
    toast(`${formatSubjectCount(answer.data.count)} made`, 'success')
    onClose()
  }
  const [first] = pastedSubjects
  const errorMessages = [
    ...(tooMany
      ? [`At most ${formatSubjectCount(maxSubjectsPerRequest)} at once; a longer list goes by the data import`]
      : []),
    ...errors.slice(0, maxErrorsShown),
    ...(errors.length > maxErrorsShown ? [`and ${errors.length - maxErrorsShown} more`] : []),
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title="Paste a list"
      description="A line for each: first name, last name, group, reference, as copied from a table or between commas."
      actions={
        <Button loading={post.busy} disabled={pastedSubjects.length === 0 || tooMany} onClick={() => void run()}>
          {pastedSubjects.length === 0 ? 'Make them' : `Make ${formatSubjectCount(pastedSubjects.length)}`}
        </Button>
      }
    >
      <div className={styles.stack}>
        <Field
          label="People"
          errors={errorMessages}
          hint={
            first
              ? `The first is ${subjectDisplayName(first)}${first.groups[0] ? `, in ${first.groups[0]}` : ''}`
              : undefined
          }
        >
          <TextInput
            type="textarea"
            rows={10}
            value={text}
            onValue={(next) => {
              setText(next)
              setErrors([])
            }}
            data-first-focus
          />
        </Field>
        <Checkbox label="Give each a code of their own" checked={giveCodes} onValue={setGiveCodes} />
      </div>
    </Dialog>
  )
}
