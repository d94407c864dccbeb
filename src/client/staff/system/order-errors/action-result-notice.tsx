import { formatCount } from '#client/staff/kit/screen/format.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { ActionResult } from './use-order-error-actions.ts'

type ActionResultNoticeProps = { result: ActionResult; onDismiss: () => void }

/** Shows what an action did, and why some errors stay as they are. */
export const ActionResultNotice = ({ result, onDismiss }: ActionResultNoticeProps) => {
  const { message, refused, runRest } = result
  return (
    <Notice
      tone={refused.length > 0 ? 'attention' : 'success'}
      onDismiss={onDismiss}
      action={
        runRest && (
          <Button variant="secondary" size="sm" onClick={() => void runRest()}>
            Continue with the rest
          </Button>
        )
      }
    >
      <p>
        {message}
        {runRest && ' There are more than can be done at once.'}
      </p>
      {refused.length > 0 && (
        <ul>
          {refused.map(({ reason, count }) => (
            <li key={reason}>
              {formatCount(count)} {count === 1 ? 'stays' : 'stay'}: {reason}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
