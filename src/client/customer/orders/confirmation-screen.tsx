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
  const result = useOrder(route.jobId, orderNumber)
  if (result.order)
    return <OrderSummary order={result.order} onChanged={result.refetch} {...{ route, PendingAddition }} />
  if (result.loading) return <Loader label="Opening your order" />
  if (result.isKnown) return <OrderNumberOnly orderNumber={orderNumber} result={result} />
  return (
    <Suspense>
      <OrderNotFound result={result} />
    </Suspense>
  )
}

const OrderNumberOnly = ({ orderNumber, result }: { orderNumber: string; result: OrderResult }) => (
  <div className={styles.column}>
    <header className={styles.head}>
      <h1>Thank you!</h1>
      <p>
        Order <strong className={styles.number}>{orderNumber}</strong>
      </p>
    </header>
    <p>Your order is placed and its number saved on this phone. Details appear once you’re online.</p>
    <div>
      <Button variant="secondary" onClick={result.refetch}>
        Try again
      </Button>
    </div>
  </div>
)
