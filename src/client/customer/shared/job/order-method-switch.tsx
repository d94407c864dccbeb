import { packageCountLabel } from '../cart/line-texts.ts'
import { useCart } from '../cart/use-cart.ts'
import { useJobContext } from './job-context.tsx'
import { OrderMethodButton } from './order-method-button.tsx'
import { otherOrderMethod } from './select-order-method.ts'

/**
 * Switches to the other order method if that is open too. Each has its own cart: the button shows how many packages the
 * other one holds.
 */
export const OrderMethodSwitch = () => {
  const { jobId, availability, orderMethod, switchOrderMethod } = useJobContext()
  const otherMethod = otherOrderMethod(orderMethod)
  const count = useCart(jobId, otherMethod)?.packageCount ?? 0
  if (!availability[otherMethod].available) return null
  return (
    <OrderMethodButton method={otherMethod} onClick={() => switchOrderMethod(otherMethod)}>
      {count > 0 && ` (${packageCountLabel(count)})`}
    </OrderMethodButton>
  )
}
