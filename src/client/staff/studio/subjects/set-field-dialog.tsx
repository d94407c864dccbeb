import { useId, useState } from 'react'
import type { SubjectEdit } from '#contract/studio/subjects.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './subjects.module.css'

type SetFieldDialogProps = {
  names: readonly string[]
  busy: boolean
  /** Returns errors by field. */
  onRun: (edit: SubjectEdit, toMessage: (subjectCount: string) => string) => Promise<FieldErrors>
  onClose: () => void
}

/** Sets one field of the selected subjects to the same value. */
export const SetFieldDialog = ({ names, busy, onRun, onClose }: SetFieldDialogProps) => {
  const listId = useId()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const field = name.trim()
  const toMessage = (subjectCount: string) =>
    value.trim() === ''
      ? `${field} taken from ${subjectCount}`
      : `${field} set to “${value.trim()}” for ${subjectCount}`
  const run = async () => setErrors(await onRun({ do: 'set-field', name: field, value }, toMessage))
  return (
    <Dialog
      open
      onClose={onClose}
      title="Set a field"
      size="small"
      actions={
        <Button loading={busy} disabled={field === ''} onClick={() => void run()}>
          {value.trim() === '' ? 'Take it away' : 'Set it'}
        </Button>
      }
    >
      <div className={styles.stack}>
        <Field label="Field" hint="Such as “Teacher”">
          <TextInput value={name} onValue={setName} list={listId} data-first-focus maxLength={60} />
        </Field>
        <datalist id={listId}>
          {names.map((fieldName) => (
            <option key={fieldName} value={fieldName} />
          ))}
        </datalist>
        <Field label="Value" hint="Empty takes the field away" errors={errors.value}>
          <TextInput value={value} onValue={setValue} maxLength={500} />
        </Field>
      </div>
    </Dialog>
  )
}
