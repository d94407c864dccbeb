import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { type CheckoutBlocker, calculatingTotals } from './checkout-blocker.ts'

/** Element id of the reason that describes the disabled next-step button (`aria-describedby`). */
export const blockerElementId = 'why-not'

/** Why the next step is blocked, and where the customer can resolve it. */
export const CheckoutBlockerNotice = ({
  blocker,
  route,
}: {
  blocker: CheckoutBlocker | null
  route: CustomerRoute
}) => {
  // The bar already says so, and a notice that toggles with each key press would make the page jump.
  if (!blocker || blocker === calculatingTotals) return null
  const toCart = (
    <ButtonLink href={urls.cart(route)} variant="secondary" size="sm">
      See the cart
    </ButtonLink>
  )
  return (
    <Notice tone={blocker.toCart ? 'attention' : 'info'} action={blocker.toCart && toCart}>
      <span id={blockerElementId}>{blocker.message}</span>
    </Notice>
  )
}
