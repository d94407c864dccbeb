import Undo from 'lucide-react/icons/undo-2'
import { useMemo, useRef } from 'react'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { SubjectBulkEdits } from './use-subject-bulk-edits.ts'

/** Shows the last bulk edit with an undo button, until it is undone, dismissed or replaced. */
export const UndoNotice = ({ edits }: { edits: SubjectBulkEdits }) => {
  const latest = useRef(edits)
  latest.current = edits
  const shortcuts = useMemo(
    () => [{ key: 'u', description: 'Undo what was just done', run: () => void latest.current.undo() }],
    [],
  )
  useShortcuts(shortcuts)
  const { lastEdit, undo, dismiss, busy } = edits
  if (!lastEdit) return null
  return (
    <Notice
      tone="success"
      onDismiss={dismiss}
      action={
        <Button variant="secondary" size="sm" icon={Undo} loading={busy} onClick={() => void undo()}>
          Undo
        </Button>
      }
    >
      {lastEdit.message}
    </Notice>
  )
}
