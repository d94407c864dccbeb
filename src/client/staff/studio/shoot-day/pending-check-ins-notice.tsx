import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { PendingRequest } from './pending-requests.ts'
import styles from './shoot.module.css'

type PendingCheckInsNoticeProps = {
  requests: readonly PendingRequest[]
  onSend: () => void
  onDiscard: (request: PendingRequest) => void
}

const requestLabels = { mark: 'Check-in', walkUp: 'Walk-up', undo: 'Undo' } as const

/** Lists the requests of this tablet that are not sent yet, or that the server rejected. */
export const PendingCheckInsNotice = ({ requests, onSend, onDiscard }: PendingCheckInsNoticeProps) => {
  const waitingRequests = requests.filter(({ state }) => state !== 'rejected')
  const rejectedRequests = requests.filter(({ state }) => state === 'rejected')
  return (
    <>
      {waitingRequests.length > 0 && (
        <Notice
          action={
            <Button variant="secondary" onClick={onSend}>
              Send now
            </Button>
          }
        >
          {waitingRequests.length === 1 ? '1 is' : `${waitingRequests.length} are`} not sent yet, but saved on this
          tablet: {waitingRequests.map(({ subjectName }) => subjectName).join(', ')}
        </Notice>
      )}
      {rejectedRequests.map((request) => (
        <Notice
          key={request.seq}
          tone="attention"
          title={`${requestLabels[request.request.kind]} of ${request.subjectName} was not accepted`}
          action={
            <Button variant="secondary" onClick={() => onDiscard(request)}>
              Leave it
            </Button>
          }
        >
          <span className={styles.rejection}>{request.rejection}</span>
        </Notice>
      ))}
    </>
  )
}
