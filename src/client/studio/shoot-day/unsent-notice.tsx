import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './shoot.module.css'
import type { Unsent } from './unsent.ts'

type UnsentNoticeProps = { unsent: readonly Unsent[]; onSend: () => void; onDrop: (one: Unsent) => void }

const things = { mark: 'Check-in', walkUp: 'Walk-up', undo: 'Undo' } as const

/** What of this tablet is not with the server yet, and what it did not take. */
export const UnsentNotice = ({ unsent, onSend, onDrop }: UnsentNoticeProps) => {
  const waiting = unsent.filter(({ refused }) => refused === undefined)
  const refused = unsent.filter((one) => one.refused !== undefined)
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
          {waiting.map(({ who }) => who).join(', ')}
        </Notice>
      )}
      {refused.map((one) => (
        <Notice
          key={JSON.stringify(one.told)}
          tone="attention"
          title={`${things[one.told.does]} of ${one.who} was not taken`}
          action={
            <Button variant="secondary" onClick={() => onDrop(one)}>
              Leave it
            </Button>
          }
        >
          <span className={styles.why}>{one.refused}</span>
        </Notice>
      ))}
    </>
  )
}
