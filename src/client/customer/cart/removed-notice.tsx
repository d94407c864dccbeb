import Undo from 'lucide-react/icons/undo-2'
import type { CartKey } from '../../../local/database.ts'
import { useSignal } from '../../device/signal.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { removedWords } from './line-words.ts'
import { lastRemoved, putBack } from './removed.ts'

/** What was just taken out, and the way back. */
export const RemovedNotice = ({ cartKey }: { cartKey: CartKey }) => {
  const last = useSignal(lastRemoved)
  const here = last?.key.jobId === cartKey.jobId && last.key.orderMethod === cartKey.orderMethod
  if (!last || !here) return null
  return (
    <Notice
      title={removedWords(last.lines)}
      action={
        <Button size="sm" variant="secondary" icon={Undo} onClick={() => void putBack()}>
          Undo
        </Button>
      }
      onDismiss={() => lastRemoved.set(null)}
    />
  )
}
