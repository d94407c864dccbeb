import { isFinalFailure } from '#local/transport/failure-cause.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import styles from './orders.module.css'
import type { OrderResult } from './use-order.ts'

/** An order that this phone has not loaded before, and cannot load. */
export const OrderNotFound = ({ result }: { result: OrderResult }) => {
  const problemText = result.problem && !isFinalFailure(result.problem) ? result.problem.errors.join('. ') : null
  const title = problemText ? 'We can’t show this order right now' : 'Find your order'
  useStateTitle(title)
  return (
    <div className={styles.column}>
      <h1>{title}</h1>
      <p>
        {problemText
          ? `It hasn’t been opened on this phone before. ${problemText}.`
          : 'This order isn’t on this phone yet. Find it by its number and your email.'}
      </p>
      <div className={styles.actions}>
        {problemText && <Button onClick={result.refetch}>Try again</Button>}
        <ButtonLink href={urls.home()} variant={problemText ? 'secondary' : 'primary'}>
          Find it by number and email
        </ButtonLink>
      </div>
    </div>
  )
}
