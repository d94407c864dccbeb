import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { lazy, Suspense } from 'react'
import { urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loader } from '../../ui/loader.tsx'
import { useArriving } from '../current-carts.ts'
import type { CustomerEvent } from '../event.tsx'

// It comes with the cart, which hardly anybody needs here.
const OrderedNotice = lazy(async () => ({ default: (await import('../cart/ordered-notice.tsx')).OrderedNotice }))

/** Nothing to check out yet. */
export const EmptyCart = ({ event }: { event: CustomerEvent }) => {
  if (useArriving()) return <Loader />
  return (
    <>
      <Suspense>
        <OrderedNotice place={event} cartKey={event} />
      </Suspense>
      <EmptyState
        icon={ShoppingBag}
        level={1}
        title="Your cart is empty"
        action={<ButtonLink href={urls.subjectSearch(event)}>Choose pictures</ButtonLink>}
      >
        <p>What you choose is paid for here.</p>
      </EmptyState>
    </>
  )
}
