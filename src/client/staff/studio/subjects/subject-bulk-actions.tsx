import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import type { Group } from '#contract/studio/groups.ts'
import type { SubjectEdit, Whom } from '#contract/studio/subjects.ts'
import { Button } from '#ui/button/button.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { GroupDialog } from './change-group-dialog.tsx'
import { EraseDialog, type ErasedPerson } from './delete-data-dialog.tsx'
import { FieldDialog } from './set-field-dialog.tsx'
import type { PeopleEdits } from './use-subject-bulk-edits.ts'

/** The most people whose data is deleted together. */
const mostErased = 500

type BulkBarProps = {
  job: { studioId: number; jobId: number }
  whom: Whom
  edits: PeopleEdits
  groups: readonly Group[]
  /** Names of fields that people have, to choose from. */
  fieldNames: readonly string[]
  /** Those whose data may be deleted: null where they were not chosen one by one. */
  erasable: readonly ErasedPerson[] | null
  onErased: () => void
}

/** What may be done with the people who are selected; everything but deleting can be undone. */
export const BulkBar = ({ job, whom, edits, groups, fieldNames, erasable, onErased }: BulkBarProps) => {
  const [open, setOpen] = useState<'group' | 'field' | 'erase' | null>(null)
  const close = () => setOpen(null)
  const run = async (edit: SubjectEdit, words: (people: string) => string) => {
    const answer = await edits.edit(whom, edit, words)
    if (answer.ok) close()
    return answer.ok ? {} : (answer.fields ?? {})
  }
  const canErase = erasable !== null && erasable.length > 0 && erasable.length <= mostErased
  const more = [
    { label: 'Show', onSelect: () => void run({ do: 'show' }, (people) => `${people} shown to parents`) },
    { label: 'Give codes', onSelect: () => void run({ do: 'give-codes' }, (people) => `${people} got a code`) },
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
        onClick={() => void run({ do: 'hide' }, (people) => `${people} hidden from parents`)}
      >
        Hide
      </Button>
      <Menu label="More" variant="secondary" size="sm" items={more} />
      {open === 'group' && <GroupDialog groups={groups} busy={edits.busy} onRun={run} onClose={close} />}
      {open === 'field' && <FieldDialog names={fieldNames} busy={edits.busy} onRun={run} onClose={close} />}
      {open === 'erase' && erasable && (
        <EraseDialog
          job={job}
          people={erasable}
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
