import { Button } from '../ui/button.tsx'
import { useEvent } from './event.tsx'
import { openMethods } from './order-method.ts'

const words = { gallery: 'Order from the pictures instead', prepay: 'Order before the pictures instead' } as const

/** Where both ways to order are open: the way over to the other one. Each has a cart of its own, and neither is lost. */
export const MethodSwitch = () => {
  const { availability, orderMethod, chooseOrderMethod } = useEvent()
  const other = openMethods({ availability }).find((method) => method !== orderMethod)
  if (!other) return null
  return (
    <div>
      <Button variant="secondary" size="sm" onClick={() => chooseOrderMethod(other)}>
        {words[other]}
      </Button>
    </div>
  )
}
