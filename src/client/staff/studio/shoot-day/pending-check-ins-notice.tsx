import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { PendingRequest } from './pending-requests.ts'
import styles from './shoot.module.css'

type PendingCheckInsNoticeProps = {
  unsent: readonly PendingRequest[]
  onSend: () => void
  onDrop: (one: PendingRequest) => void
}

const requestLabels = { mark: 'Check-in', walkUp: 'Walk-up', undo: 'Undo' } as const

/** Lists requests of this tablet that are pending or were rejected by the server. */
export const PendingCheckInsNotice = ({ unsent, onSend, onDrop }: PendingCheckInsNoticeProps) => {
  const waiting = unsent.filter(({ state }) => state !== 'refused')
  const refused = unsent.filter(({ state }) => state === 'refused')
  return (
    <>
      {waiting.length > 0 && (
        <Notice
          action={
            <Button variant="secondary" onClick={onSend}>
              Send now
            </Button>
          }
        >
          {waiting.length === 1 ? '1 is' : `${waiting.length} are`} not sent yet, and kept on this tablet:{' '}
          {waiting.map(({ subjectName }) => subjectName).join(', ')}
        </Notice>
      )}
      {refused.map((one) => (
        <Notice
          key={one.seq}
          tone="attention"
          title={`${requestLabels[one.request.kind]} of ${one.subjectName} was not taken`}
          action={
            <Button variant="secondary" onClick={() => onDrop(one)}>
              Leave it
            </Button>
          }
        >
          <span className={styles.why}>{one.refusal}</span>
        </Notice>
      ))}
    </>
  )
}
