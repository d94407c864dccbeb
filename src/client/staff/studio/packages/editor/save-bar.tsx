import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './package-editor.module.css'
import type { PackageEditor } from './use-package-editor.ts'

/** Lists fields that were changed both here and by another user. */
export const PackageConflictNotice = ({ fields }: { fields: readonly string[] }) => (
  <Notice tone="attention" title="Someone else saved this while you were editing">
    {fields.length === 0 ? (
      <p>This now has their changes and yours. Check it and save again.</p>
    ) : (
      <p>What you changed is still here. Saving again replaces theirs: {fields.join(', ')}.</p>
    )}
  </Notice>
)

/** Errors of the whole package, and the buttons to save or reset. */
export const SaveBar = ({ editor }: { editor: PackageEditor }) => {
  const { isDirty, justSaved, busy, errors } = editor
  return (
    <div className={styles.bar} data-actions data-dirty={isDirty || undefined}>
      {errors.length > 0 && (
        <p role="alert" className={styles.error}>
          {errors.join(' ')}
        </p>
      )}
      <span role="status" className={styles.saveState}>
        {isDirty ? 'Not saved yet' : justSaved ? 'Saved' : ''}
      </span>
      {isDirty && (
        <Button variant="quiet" disabled={busy} onClick={editor.reset}>
          Undo changes
        </Button>
      )}
      <Button loading={busy} onClick={() => void editor.save()}>
        Save
      </Button>
    </div>
  )
}
