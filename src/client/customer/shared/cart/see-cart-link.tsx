import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { useJobContext } from '../job/job-context.tsx'
import { useClosedCart } from './use-closed-cart.ts'

/** Next to an empty cart: the link to the cart of the other order method. */
export const SeeCart = () => {
  const event = useJobContext()
  if (!useClosedCart(event)) return null
  return (
    <ButtonLink href={urls.cart(event)} variant="secondary">
      See your cart
    </ButtonLink>
  )
}
