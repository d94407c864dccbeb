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
  selectedSubjects: SelectedSubjects
  edits: SubjectBulkEdits
  groups: readonly Group[]
  /** Names of existing fields, as suggestions. */
  fieldNames: readonly string[]
  /** Subjects whose data can be deleted; null if they were not selected one by one. */
  deletable: readonly DeletableSubject[] | null
  onDeleted: () => void
}

/** Actions for the selected subjects. All of them except the deletion can be undone. */
export const SubjectBulkActions = ({
  job,
  selectedSubjects,
  edits,
  groups,
  fieldNames,
  deletable,
  onDeleted,
}: SubjectBulkActionsProps) => {
  const [openDialog, setOpenDialog] = useState<'group' | 'field' | 'delete' | null>(null)
  const close = () => setOpenDialog(null)
  const runEdit = async (edit: SubjectEdit, toMessage: (countAsText: string) => string) => {
    const answer = await edits.edit(selectedSubjects, edit, toMessage)
    if (answer.ok) close()
    return answer.ok ? {} : (answer.fields ?? {})
  }
  const canDelete = deletable !== null && deletable.length > 0 && deletable.length <= maxDeleted
  const moreItems = [
    {
      label: 'Show',
      onSelect: () => void runEdit({ do: 'show' }, (countAsText) => `${countAsText} shown to parents`),
    },
    {
      label: 'Assign codes',
      onSelect: () => void runEdit({ do: 'give-codes' }, (countAsText) => `${countAsText} got a code`),
    },
    ...(canDelete
      ? (['separator', { label: 'Delete data', danger: true, onSelect: () => setOpenDialog('delete') }] as const)
      : []),
  ]
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpenDialog('group')}>
        Groups
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setOpenDialog('field')}>
        Edit field
      </Button>
      <Button
        variant="secondary"
        size="sm"
        icon={EyeOff}
        loading={edits.busy}
        onClick={() => void runEdit({ do: 'hide' }, (countAsText) => `${countAsText} hidden from parents`)}
      >
        Hide
      </Button>
      <Menu label="More" variant="secondary" size="sm" items={moreItems} />
      {openDialog === 'group' && (
        <ChangeGroupDialog groups={groups} busy={edits.busy} onRun={runEdit} onClose={close} />
      )}
      {openDialog === 'field' && (
        <SetFieldDialog fieldNames={fieldNames} busy={edits.busy} onRun={runEdit} onClose={close} />
      )}
      {openDialog === 'delete' && deletable && (
        <DeleteDataDialog
          job={job}
          subjects={deletable}
          onClose={close}
          onDeleted={() => {
            close()
            onDeleted()
          }}
        />
      )}
    </>
  )
}
