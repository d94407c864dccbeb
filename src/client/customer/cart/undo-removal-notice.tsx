import Undo from 'lucide-react/icons/undo-2'
import { useEffect, useRef } from 'react'
import type { CartKey } from '#local/store/database.ts'
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
  afterwards: string
}

/** The undo notice for the last removal, scrolled into view wherever the line was. */
export const UndoRemovalNotice = ({ cartKey, lineCount, afterwards }: UndoRemovalNoticeProps) => {
  const last = useSignal(lastRemoval)
  const undo = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies(lineCount): the line leaves the screen a moment after the notice appears
  useEffect(() => {
    // The pressed button disappeared with its line: keyboard focus continues here, not at the top of the page.
    if (last && document.activeElement === document.body) undo.current?.focus({ preventScroll: true })
  }, [last, lineCount])
  const isShown = last?.key.jobId === cartKey.jobId && last.key.orderMethod === cartKey.orderMethod
  if (!last || !isShown) return null
  const leave = () => document.getElementById(afterwards)?.focus({ preventScroll: true })
  const back = async () => {
    await undoLastRemoval()
    leave()
  }
  const dismiss = () => {
    lastRemoval.set(null)
    leave()
  }
  return (
    <div className={styles.removed}>
      <Notice
        title={
          last.instead ? `${last.service} moved to ${last.instead.label}` : removedMessage(last.lines, last.service)
        }
        action={
          <Button ref={undo} size="sm" variant="secondary" icon={Undo} onClick={() => void back()}>
            Undo
          </Button>
        }
        onDismiss={dismiss}
      >
        {droppedAddOnsMessage(last.dropped)}
      </Notice>
    </div>
  )
}
