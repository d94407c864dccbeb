import Undo from 'lucide-react/icons/undo-2'
import { useEffect, useRef } from 'react'
import type { CartKey } from '#local/store/rows.ts'
import { useSignal } from '#platform/signal.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './cart.module.css'
import { droppedAddOnsMessage, removedMessage } from './line-labels.ts'
import { lastRemoval, undoLastRemoval } from './remove-with-undo.ts'

type UndoRemovalNoticeProps = {
  cartKey: CartKey
  /** Number of lines in the cart. */
  lineCount: number
  /** Id of the element that gets the focus when the notice disappears. */
  nextFocusId: string
}

/** The undo notice for the last removal. */
export const UndoRemovalNotice = ({ cartKey, lineCount, nextFocusId }: UndoRemovalNoticeProps) => {
  const removal = useSignal(lastRemoval)
  const undoButton = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies(lineCount): the line leaves the screen a moment after the notice appears
  useEffect(() => {
    // The pressed button disappeared with its line: keyboard focus continues here, not at the top of the page.
    if (removal && document.activeElement === document.body) undoButton.current?.focus({ preventScroll: true })
  }, [removal, lineCount])
  const isShown = removal?.key.jobId === cartKey.jobId && removal.key.orderMethod === cartKey.orderMethod
  if (!removal || !isShown) return null
  const moveFocus = () => document.getElementById(nextFocusId)?.focus({ preventScroll: true })
  const undo = async () => {
    await undoLastRemoval()
    moveFocus()
  }
  const dismiss = () => {
    lastRemoval.set(null)
    moveFocus()
  }
  return (
    <div className={styles.removed}>
      <Notice
        title={
          removal.replacement
            ? `${removal.serviceName} moved to ${removal.replacement.label}`
            : removedMessage(removal.lines, removal.serviceName)
        }
        action={
          <Button ref={undoButton} size="sm" variant="secondary" icon={Undo} onClick={() => void undo()}>
            Undo
          </Button>
        }
        onDismiss={dismiss}
      >
        {droppedAddOnsMessage(removal.dropped)}
      </Notice>
    </div>
  )
}
