import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import styles from './orders.module.css'
import type { OrderResult } from './use-order.ts'

/** An order that this phone has not loaded before, and cannot load. */
export const OrderNotFound = ({ now }: { now: OrderResult }) => {
  const why = now.problem && !isFinalFailure(now.problem) ? now.problem.errors.join('. ') : null
  const title = why ? 'We can’t show this order right now' : 'Find your order'
  useStateTitle(title)
  return (
    <div className={styles.column}>
      <h1>{title}</h1>
      <p>
        {why
          ? `This phone has not shown it before. ${why}.`
          : 'This phone does not know this order yet. Find it by its number and the e-mail address it was ordered with.'}
      </p>
      <div className={styles.actions}>
        {why && <Button onClick={now.refetch}>Try again</Button>}
        <ButtonLink href={urls.home()} variant={why ? 'secondary' : 'primary'}>
          Find it by number and e-mail
        </ButtonLink>
      </div>
    </div>
  )
}
