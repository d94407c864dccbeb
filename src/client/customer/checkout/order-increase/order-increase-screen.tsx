import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { OrderNotLoaded } from '#client/customer/shared/errors/lazy-error-screens.ts'
import { getOrder } from '#contract/customer/order-calls.ts'
import { increasePaymentDraftKey } from '#local/store/increase-payment-draft-key.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type OrderRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import styles from '../checkout.module.css'
import { NothingToAdd, OrderIncreaseForm } from './order-increase-form.tsx'

/** Increases the quantities of packages in a placed order, until it goes to the lab. */
export const OrderIncreaseScreen = (route: OrderRoute) => {
  const { jobId, orderNumber } = route
  const query = useQuery(getOrder, Number.isNaN(jobId) ? null : { params: { jobId, orderId: orderNumber } })
  const draft = useSavedDraft(increasePaymentDraftKey(route))
  if (query.loading || !draft) return <Loader label="Opening your order" />
  const { data: order, problem } = query
  if (!order) return <OrderNotLoaded {...{ route, problem }} retry={query.refetch} />
  // A pending payment is polled whatever state the order is in by now.
  const isOpen = order.mayChange || draft.value !== undefined
  return (
    <div className={styles.section}>
      <header>
        <ButtonLink href={urls.order(route)} variant="quiet" size="sm" icon={ArrowLeft}>
          Back
        </ButtonLink>
        <h1>Add to your order</h1>
      </header>
      {isOpen ? (
        <OrderIncreaseForm key={orderNumber} route={route} order={order} />
      ) : (
        <NothingToAdd route={route} order={order} />
      )}
    </div>
  )
}
