import { type ReactNode, useContext } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { Button } from '#ui/button/button.tsx'
import { confirmDefaults } from '#ui/dialog/confirm.ts'
import { DialogCloseContext } from '#ui/dialog/dialog-close.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Form } from '#ui/form/form.tsx'
import styles from './edit-form.module.css'
import type { EditConflict } from './merge-edits.ts'
import type { EditFormState } from './use-edit-form.ts'

type EditFormProps<Model extends FieldValues> = {
  edit: EditFormState<Model>
  /** Field labels for the conflict notice. */
  labels?: Readonly<Record<string, string>>
  /** Label of the submit button; "Save" by default. */
  saveText?: string
  children: ReactNode
}

const valueLabel = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? 'something else' : `“${value}”`
}

const ConflictNotice = ({
  conflicts,
  labels,
}: {
  conflicts: readonly EditConflict[]
  labels: Readonly<Record<string, string>>
}) => (
  <Notice tone="attention" title="Someone else saved this while you were typing">
    {conflicts.length === 0 ? (
      <p>The form now has their changes and yours. Check it and save again.</p>
    ) : (
      <>
        <p>What you typed is still here. Saving again replaces theirs:</p>
        <ul className={styles.conflicts}>
          {conflicts.map(({ field, savedValue, editedValue }) => (
            <li key={field}>
              {labels[field] ?? field}: theirs is {valueLabel(savedValue)}, yours {valueLabel(editedValue)}
            </li>
          ))}
        </ul>
      </>
    )}
  </Notice>
)

type ResetButtonProps = Pick<EditFormState<FieldValues>, 'isDirty' | 'busy' | 'undo'>

/** Resets the form: in a dialog "Cancel", which also closes it, elsewhere "Undo changes" while there are any. */
const ResetButton = ({ isDirty, busy, undo }: ResetButtonProps) => {
  const closeDialog = useContext(DialogCloseContext)
  const cancel = () => {
    undo()
    closeDialog?.()
  }
  if (!closeDialog && !isDirty) return null
  return (
    <Button variant="quiet" disabled={busy} onClick={cancel}>
      {closeDialog ? confirmDefaults.cancelText : 'Undo changes'}
    </Button>
  )
}

/** Renders a form of `useEditForm`: notices, the fields, and a bar to save or reset. */
export const EditForm = <Model extends FieldValues>({
  edit,
  labels = {},
  saveText = 'Save',
  children,
}: EditFormProps<Model>) => {
  const { form, submit, busy, errors, conflicts, isRestored, isDirty, justSaved, undo } = edit
  return (
    <FormProvider {...form}>
      <Form onSubmit={submit} loading={busy} error={errors}>
        {conflicts && <ConflictNotice conflicts={conflicts} labels={labels} />}
        {isRestored && !conflicts && (
          <Notice>What you typed here before is still in the form; it is not saved yet.</Notice>
        )}
        {children}
        <div className={styles.bar} data-actions data-dirty={isDirty || undefined}>
          <span role="status" className={styles.saveState}>
            {isDirty ? 'Not saved yet' : justSaved ? 'Saved' : ''}
          </span>
          <ResetButton {...{ isDirty, busy, undo }} />
          <Button type="submit" loading={busy}>
            {saveText}
          </Button>
        </div>
      </Form>
    </FormProvider>
  )
}
