import Undo from 'lucide-react/icons/undo-2'
import { useMemo, useRef } from 'react'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

/** The last bulk edit and its undo. Stays until it is undone, dismissed or replaced. */
export const UndoNotice = ({ edits }: { edits: SubjectBulkEdits }) => {
  const latest = useRef(edits)
  latest.current = edits
  const keys = useMemo(
    () => [{ key: 'u', description: 'Undo what was just done', run: () => void latest.current.undo() }],
    [],
  )
  useShortcuts(keys)
  const { lastEdit: done, undo, dismiss: forget, busy } = edits
  if (!done) return null
  return (
    <Notice
      tone="success"
      onDismiss={forget}
      action={
        <Button variant="secondary" size="sm" icon={Undo} loading={busy} onClick={() => void undo()}>
          Undo
        </Button>
      }
    >
      {done.message}
    </Notice>
  )
}
