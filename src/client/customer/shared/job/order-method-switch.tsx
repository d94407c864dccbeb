import { Button } from '#ui/button/button.tsx'
import { packageCountLabel } from '../cart/line-texts.ts'
import { useCart } from '../cart/use-cart.ts'
import { useJobContext } from './job-context.tsx'
import { otherOrderMethod } from './select-order-method.ts'

const labels = { gallery: 'Choose from your photos instead', prepay: 'Order without choosing photos' } as const

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
    <div>
      <Button variant="secondary" size="sm" onClick={() => switchOrderMethod(otherMethod)}>
        {labels[otherMethod]}
        {count > 0 && ` (${packageCountLabel(count)})`}
      </Button>
    </div>
  )
}
