import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import type { Group } from '#contract/studio/groups.ts'
import type { SelectedSubjects, SubjectEdit } from '#contract/studio/subjects.ts'
import { Button } from '#ui/button/button.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { ChangeGroupDialog } from './change-group-dialog.tsx'
import { type DeletableSubject, DeleteDataDialog } from './delete-data-dialog.tsx'
import { SetFieldDialog } from './set-field-dialog.tsx'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

/** Limit of subjects whose data is deleted at once. */
const maxDeleted = 500

type SubjectBulkActionsProps = {
  job: { studioId: number; jobId: number }
  selected: SelectedSubjects
  edits: SubjectBulkEdits
  groups: readonly Group[]
  /** Names of existing fields, as suggestions. */
  fieldNames: readonly string[]
  /** Subjects whose data can be deleted; null if they were not selected one by one. */
  erasable: readonly DeletableSubject[] | null
  onErased: () => void
}

/** Actions for the selected subjects. All but the deletion can be undone. */
export const SubjectBulkActions = ({
  job,
  selected,
  edits,
  groups,
  fieldNames,
  erasable,
  onErased,
}: SubjectBulkActionsProps) => {
  const [open, setOpen] = useState<'group' | 'field' | 'erase' | null>(null)
  const close = () => setOpen(null)
  const run = async (edit: SubjectEdit, toMessage: (subjectCount: string) => string) => {
    const answer = await edits.edit(selected, edit, toMessage)
    if (answer.ok) close()
    return answer.ok ? {} : (answer.fields ?? {})
  }
  const canErase = erasable !== null && erasable.length > 0 && erasable.length <= maxDeleted
  const more = [
    { label: 'Show', onSelect: () => void run({ do: 'show' }, (subjectCount) => `${subjectCount} shown to parents`) },
    {
      label: 'Give codes',
      onSelect: () => void run({ do: 'give-codes' }, (subjectCount) => `${subjectCount} got a code`),
    },
    ...(canErase
      ? (['separator', { label: 'Delete data', danger: true, onSelect: () => setOpen('erase') }] as const)
      : []),
  ]
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen('group')}>
        Groups
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setOpen('field')}>
        Set a field
      </Button>
      <Button
        variant="secondary"
        size="sm"
        icon={EyeOff}
        loading={edits.busy}
        onClick={() => void run({ do: 'hide' }, (subjectCount) => `${subjectCount} hidden from parents`)}
      >
        Hide
      </Button>
      <Menu label="More" variant="secondary" size="sm" items={more} />
      {open === 'group' && <ChangeGroupDialog groups={groups} busy={edits.busy} onRun={run} onClose={close} />}
      {open === 'field' && <SetFieldDialog names={fieldNames} busy={edits.busy} onRun={run} onClose={close} />}
      {open === 'erase' && erasable && (
        <DeleteDataDialog
          job={job}
          subjects={erasable}
          onClose={close}
          onErased={() => {
            close()
            onErased()
          }}
        />
      )}
    </>
  )
}
