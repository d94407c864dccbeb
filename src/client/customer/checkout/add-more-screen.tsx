import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { getOrder } from '../../../contract/checkout.ts'
import { atTheLab } from '../../../domain/at-the-lab.ts'
import { useAsk } from '../../device/use-ask.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loader } from '../../ui/loader.tsx'
import { OrderNotLoaded } from '../amiss.ts'
import { useKept } from '../use-kept.ts'
import { AddMore } from './add-more.tsx'
import styles from './checkout.module.css'
import { moreKey } from './use-more-payment.ts'

/** More of the packages of an order that was paid, until it goes to the lab. */
export const AddMoreScreen = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const asked = useAsk(getOrder, Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber } })
  const kept = useKept(moreKey(jobId, orderNumber))
  const toOrder = <ButtonLink href={urls.order(route)}>Look at the order</ButtonLink>
  if (asked.loading || !kept) return <Loader label="Opening your order" />
  const { data: order, problem } = asked
  if (!order) return <OrderNotLoaded {...{ route, problem }} again={asked.again} />
  // A payment whose outcome is not known is asked for, whatever the order is by now.
  if (!order.mayChange && kept.value === undefined) {
    return (
      <Reason title="Nothing can be added to this order any more" action={toOrder}>
        {order.state === 'cancelled' ? 'It was cancelled.' : atTheLab}
      </Reason>
    )
  }
  return (
    <div className={styles.section}>
      <header>
        <ButtonLink href={urls.order(route)} variant="quiet" size="sm" icon={ArrowLeft}>
          Back
        </ButtonLink>
        <h1>More of your order</h1>
      </header>
      <AddMore key={orderNumber} route={route} order={order} kept={kept.value} />
    </div>
  )
}

const Reason = ({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) => (
  <EmptyState level={1} title={title} action={action}>
    {children}
  </EmptyState>
)
