import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { type CheckoutBlocker, calculatingTotals } from './checkout-blocker.ts'

/** What the button of the next step is described by while it waits. */
export const blockerElementId = 'why-not'

/** Why the next step waits, and where it can be helped. */
export const CheckoutBlockerNotice = ({ hold, event }: { hold: CheckoutBlocker | null; event: CustomerRoute }) => {
  // The bar says so already, and a notice that comes and goes with each key would make the page jump.
  if (!hold || hold === calculatingTotals) return null
  const toCart = (
    <ButtonLink href={urls.cart(event)} variant="secondary" size="sm">
      Look at the cart
    </ButtonLink>
  )
  return (
    <Notice tone={hold.toCart ? 'attention' : 'info'} action={hold.toCart && toCart}>
      <span id={blockerElementId}>{hold.sentence}</span>
    </Notice>
  )
}
