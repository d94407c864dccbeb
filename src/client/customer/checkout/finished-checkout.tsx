import { useLiveQuery } from 'dexie-react-hooks'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { useEffect } from 'react'
import { Redirect, useLocation } from 'wouter'
import { surviving } from '#local/recovery/with-database-retry.ts'
import { orderedElsewhere } from '#local/store/cart-became-order.ts'
import { local, stamp } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useArriving } from '../shared/cart/refresh-carts.ts'
import { SeeCart } from '../shared/cart/see-cart-link.tsx'
import type { CustomerEvent } from '../shared/job/job-context.tsx'
import { forgetCard } from './card/chosen-card.ts'
import { settleOrdered } from './payment/save-payment-result.ts'

type AlreadyOrderedProps = { event: CustomerEvent; checkoutId: string; orderNumber: string }

/** The server says that this cart became an order, here or in another tab: the device follows, and shows it. */
export const AlreadyOrdered = ({ event, checkoutId, orderNumber }: AlreadyOrderedProps) => {
  const { studioSlug, jobId, orderMethod } = event
  const [, navigate] = useLocation()
  useEffect(() => {
    const follow = async () => {
      await surviving(local, () => settleOrdered(local, stamp, { jobId, orderMethod, checkoutId, orderNumber }))
      forgetCard({ jobId, orderMethod })
      navigate(urls.order({ studioSlug, jobId, orderNumber }), { replace: true })
    }
    void follow()
  }, [studioSlug, jobId, orderMethod, checkoutId, orderNumber, navigate])
  return <Loader label="Opening your order" />
}

/** Nothing to check out: the cart became an order, here or in another tab, which is shown; or there never was anything in it. */
export const EmptyCart = ({ event }: { event: CustomerEvent }) => {
  const { studioSlug, jobId, orderMethod } = event
  const arriving = useArriving()
  const ordered = useLiveQuery(() => orderedElsewhere(local, { jobId, orderMethod }), [jobId, orderMethod])
  const orderNumber = ordered?.orderNumber ?? null
  useEffect(() => {
    if (orderNumber !== null) forgetCard({ jobId, orderMethod })
  }, [orderNumber, jobId, orderMethod])
  if (arriving || ordered === undefined) return <Loader />
  if (orderNumber !== null) return <Redirect to={urls.order({ studioSlug, jobId, orderNumber })} replace />
  return (
    <EmptyState
      icon={ShoppingBag}
      level={1}
      title="Your cart is empty"
      action={
        <>
          <ButtonLink href={urls.subjectSearch(event)}>Choose pictures</ButtonLink> <SeeCart />
        </>
      }
    >
      <p>What you choose is paid for here.</p>
    </EmptyState>
  )
}
