import { useLiveQuery } from 'dexie-react-hooks'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { useEffect } from 'react'
import { Redirect, useLocation } from 'wouter'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import { readOrderNote } from '#local/store/cart-became-order.ts'
import { database, stamp } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useCartsLoading } from '../shared/cart/refresh-carts.ts'
import { SeeCart } from '../shared/cart/see-cart-link.tsx'
import type { JobContextValue } from '../shared/job/job-context.tsx'
import { clearCard } from './card/chosen-card.ts'
import { saveOrderedCheckout } from './payment/save-payment-result.ts'

type AlreadyOrderedProps = { job: JobContextValue; checkoutId: string; orderNumber: string }

/**
 * The server reports that this cart became an order, here or in another tab: updates the device and shows the order.
 */
export const AlreadyOrdered = ({ job, checkoutId, orderNumber }: AlreadyOrderedProps) => {
  const { studioSlug, jobId, orderMethod } = job
  const [, navigate] = useLocation()
  useEffect(() => {
    const openOrder = async () => {
      await withDatabaseRetry(database, () =>
        saveOrderedCheckout(database, stamp, { jobId, orderMethod, checkoutId, orderNumber }),
      )
      clearCard({ jobId, orderMethod })
      navigate(urls.order({ studioSlug, jobId, orderNumber }), { replace: true })
    }
    void openOrder()
  }, [studioSlug, jobId, orderMethod, checkoutId, orderNumber, navigate])
  return <Loader label="Opening your order" />
}

/**
 * Nothing to check out: shows the order if the cart became one, here or in another tab; otherwise says that the cart is
 * empty.
 */
export const EmptyCart = ({ job }: { job: JobContextValue }) => {
  const { studioSlug, jobId, orderMethod } = job
  const isLoading = useCartsLoading()
  const orderNote = useLiveQuery(() => readOrderNote(database, { jobId, orderMethod }), [jobId, orderMethod])
  const orderNumber = orderNote?.orderNumber ?? null
  useEffect(() => {
    if (orderNumber !== null) clearCard({ jobId, orderMethod })
  }, [orderNumber, jobId, orderMethod])
  if (isLoading || orderNote === undefined) return <Loader />
  if (orderNumber !== null) return <Redirect to={urls.order({ studioSlug, jobId, orderNumber })} replace />
  return (
    <EmptyState
      icon={ShoppingBag}
      level={1}
      title="Your cart is empty"
      action={
        <>
          <ButtonLink href={urls.subjectSearch(job)}>Choose photos</ButtonLink> <SeeCart />
        </>
      }
    >
      <p>You pay here for what you choose.</p>
    </EmptyState>
  )
}
