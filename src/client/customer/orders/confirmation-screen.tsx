import { type OrderRoute, urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Loader } from '../../ui/loader.tsx'
import { Keepsake } from './keepsake.tsx'
import styles from './orders.module.css'
import { type OrderNow, useOrder } from './use-order.ts'

/** An order that was placed: where paying ends, where the order search leads, and readable without a network once seen. */
export const ConfirmationScreen = ({ orderNumber, ...place }: OrderRoute) => {
  const now = useOrder(place.jobId, orderNumber)
  if (now.order) return <Keepsake order={now.order} place={place} onChanged={now.again} />
  if (now.loading) return <Loader label="Opening your order" />
  return now.known ? <NumberOnly orderNumber={orderNumber} now={now} /> : <NotHere now={now} />
}

const NumberOnly = ({ orderNumber, now }: { orderNumber: string; now: OrderNow }) => (
  <div className={styles.column}>
    <header className={styles.head}>
      <p className={styles.kicker}>Thank you. Your order number is</p>
      <h1 className={styles.number}>{orderNumber}</h1>
    </header>
    <p>
      Your order is placed and its number is kept on this phone. The rest of it shows here as soon as there is a
      connection.
    </p>
    <div>
      <Button variant="secondary" onClick={now.again}>
        Try again
      </Button>
    </div>
  </div>
)

const NotHere = ({ now }: { now: OrderNow }) => {
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
