import { useLocation } from 'wouter'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Button } from '#ui/button/button.tsx'
import { useJobContext } from '../shared/job/job-context.tsx'
import { BottomBar } from '../shared/layout/bottom-bar.tsx'
import { checkoutStep, continuesToCheckout } from './checkout-step.ts'

type CartBarProps = {
  route: CustomerRoute
  view: CartView
  offeredPackages: readonly Package[] | undefined
  fields: readonly CustomField[] | undefined
  services: JobServices | undefined
}

/** Shows the total and the next step. While checkout is blocked, the button stays and the reason is shown. */
export const CartBar = ({ route, view, offeredPackages, fields, services }: CartBarProps) => {
  const { closedReason, job } = useJobContext()
  const online = useConnected()
  const [, navigate] = useLocation()
  const nextStep = checkoutStep({
    view,
    offeredPackages,
    fields,
    services,
    online,
    closedReason,
    isPaymentUnavailable: job.acceptsCards === false,
  })
  const openCheckout = () => {
    if (!nextStep.canContinue) return
    if (nextStep.to === 'checkout') return navigate(urls.checkout(route))
    navigate(urls.confirmCart(route), { state: continuesToCheckout })
  }
  return (
    <BottomBar label={nextStep.canContinue ? 'Cart' : <span id="why-not">{nextStep.why}</span>} cents={view.totalCents}>
      <Button
        onClick={openCheckout}
        aria-disabled={!nextStep.canContinue || undefined}
        aria-describedby={nextStep.canContinue ? undefined : 'why-not'}
      >
        Checkout
      </Button>
    </BottomBar>
  )
}
