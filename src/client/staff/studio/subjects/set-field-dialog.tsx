import { useId, useState } from 'react'
import type { SubjectEdit } from '#contract/studio/subjects.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from './subjects.module.css'

type SetFieldDialogProps = {
  fieldNames: readonly string[]
  busy: boolean
  /** Runs the edit, and returns the errors by field. */
  onRun: (edit: SubjectEdit, toMessage: (countAsText: string) => string) => Promise<FieldErrors>
  onClose: () => void
}

/** Sets one field of the selected subjects to the same value. */
export const SetFieldDialog = ({ fieldNames, busy, onRun, onClose }: SetFieldDialogProps) => {
  const listId = useId()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const field = name.trim()
  const toMessage = (countAsText: string) =>
    value.trim() === ''
      ? `${field} removed from ${countAsText}`
      : `${field} set to “${value.trim()}” for ${countAsText}`
  const setFieldValue = async () => setErrors(await onRun({ do: 'set-field', name: field, value }, toMessage))
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit field"
      size="small"
      actions={
        <Button loading={busy} disabled={field === ''} onClick={() => void setFieldValue()}>
          {value.trim() === '' ? 'Remove it' : 'Set it'}
        </Button>
      }
    >
      <div className={styles.stack}>
        <Field label="Field" hint="Such as “Teacher”">
          <TextInput value={name} onValue={setName} list={listId} data-first-focus maxLength={60} />
        </Field>
        <datalist id={listId}>
          {fieldNames.map((fieldName) => (
            <option key={fieldName} value={fieldName} />
          ))}
        </datalist>
        <Field label="Value" hint="Leave empty to remove the field" errors={errors.value}>
          <TextInput value={value} onValue={setValue} maxLength={500} />
        </Field>
      </div>
    </Dialog>
  )
}
