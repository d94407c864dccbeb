import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { useJobContext } from '../job/job-context.tsx'
import { useClosedCart } from './use-closed-cart.ts'

/** Beside an empty cart: the way to what was chosen while the other order method was open. */
export const SeeCart = () => {
  const event = useJobContext()
  if (!useClosedCart(event)) return null
  return (
    <ButtonLink href={urls.cart(event)} variant="secondary">
      See your cart
    </ButtonLink>
  )
}
