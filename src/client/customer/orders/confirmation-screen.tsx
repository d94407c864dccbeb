import { lazy, Suspense } from 'react'
import type { OrderRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { OrderSummary, type PendingAddition } from './order-summary.tsx'
import styles from './orders.module.css'
import { type OrderResult, useOrder } from './use-order.ts'

const OrderNotFound = lazy(async () => ({ default: (await import('./order-not-found.tsx')).OrderNotFound }))

type ConfirmationProps = OrderRoute & { PendingAddition: PendingAddition }

/** A placed order: the end of checkout and the target of the order search. Readable offline once it has been loaded. */
export const ConfirmationScreen = ({ orderNumber, PendingAddition, ...route }: ConfirmationProps) => {
  const now = useOrder(route.jobId, orderNumber)
  if (now.order) return <OrderSummary order={now.order} onChanged={now.refetch} {...{ route, PendingAddition }} />
  if (now.loading) return <Loader label="Opening your order" />
  if (now.known) return <NumberOnly orderNumber={orderNumber} now={now} />
  return (
    <Suspense>
      <OrderNotFound now={now} />
    </Suspense>
  )
}

const NumberOnly = ({ orderNumber, now }: { orderNumber: string; now: OrderResult }) => (
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
      <Button variant="secondary" onClick={now.refetch}>
        Try again
      </Button>
    </div>
  </div>
)
