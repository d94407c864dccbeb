import ShoppingBag from 'lucide-react/icons/shopping-bag'
import { urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loader } from '../../ui/loader.tsx'
import { useArriving } from '../current-carts.ts'
import type { CustomerEvent } from '../event.tsx'
import { OrderedNotice } from '../ordered-notice.tsx'

/** Nothing to check out yet. */
export const EmptyCart = ({ event }: { event: CustomerEvent }) => {
  if (useArriving()) return <Loader />
  return (
    <>
      <OrderedNotice place={event} cartKey={event} />
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
