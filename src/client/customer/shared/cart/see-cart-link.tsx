import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { useJobContext } from '../job/job-context.tsx'
import { useClosedCart } from './use-closed-cart.ts'

/** Next to an empty cart: the link to the cart of the other order method. */
export const SeeCart = () => {
  const job = useJobContext()
  if (!useClosedCart(job)) return null
  return (
    <ButtonLink href={urls.cart(job)} variant="secondary">
      See your cart
    </ButtonLink>
  )
}
