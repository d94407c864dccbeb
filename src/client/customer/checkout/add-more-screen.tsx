import ArrowLeft from 'lucide-react/icons/arrow-left'
import { getOrder } from '../../../contract/checkout.ts'
import { additionKey } from '../../../local/addition-key.ts'
import { useAsk } from '../../device/use-ask.ts'
import { type OrderRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Loader } from '../../ui/loader.tsx'
import { OrderNotLoaded } from '../amiss.ts'
import { useKept } from '../use-kept.ts'
import { AddMore, NothingToAdd } from './add-more.tsx'
import styles from './checkout.module.css'

/** More of the packages of an order that was paid, until it goes to the lab. */
export const AddMoreScreen = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const asked = useAsk(getOrder, Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber } })
  const kept = useKept(additionKey(route))
  if (asked.loading || !kept) return <Loader label="Opening your order" />
  const { data: order, problem } = asked
  if (!order) return <OrderNotLoaded {...{ route, problem }} again={asked.again} />
  // A payment whose outcome is not known is asked for, whatever the order is by now.
  const isOpen = order.mayChange || kept.value !== undefined
  return (
    <div className={styles.section}>
      <header>
        <ButtonLink href={urls.order(route)} variant="quiet" size="sm" icon={ArrowLeft}>
          Back
        </ButtonLink>
        <h1>More of your order</h1>
      </header>
      {isOpen ? (
        <AddMore key={orderNumber} route={route} order={order} />
      ) : (
        <NothingToAdd route={route} order={order} />
      )}
    </div>
  )
}
