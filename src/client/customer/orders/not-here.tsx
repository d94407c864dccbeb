import { urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import styles from './orders.module.css'
import type { OrderNow } from './use-order.ts'

/** An order this phone has not shown before, and cannot. */
export const NotHere = ({ now }: { now: OrderNow }) => {
  const unreachable = now.problem?.status === 'unreachable'
  return (
    <div className={styles.column}>
      <h1>{unreachable ? 'We can’t show this order right now' : 'Find your order'}</h1>
      <p>
        {unreachable
          ? 'This phone has not shown it before and has no connection. Try again when you are connected.'
          : 'This phone does not know this order yet. Find it by its number and the e-mail address it was ordered with.'}
      </p>
      <div className={styles.actions}>
        {unreachable && <Button onClick={now.again}>Try again</Button>}
        <ButtonLink href={urls.home()} variant={unreachable ? 'secondary' : 'primary'}>
          Find it by number and e-mail
        </ButtonLink>
      </div>
    </div>
  )
}
