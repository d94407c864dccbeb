import { useLocation } from 'wouter'
import type { Package } from '../../../domain/catalogue.ts'
import type { CustomField } from '../../../domain/custom-fields.ts'
import type { JobServices } from '../../../domain/order-services.ts'
import type { CartView } from '../../../local/cart-view.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { Button } from '../../ui/button.tsx'
import { useEvent } from '../event.tsx'
import { BottomBar } from '../layout-bottom-bar.tsx'
import { useConnected } from '../use-connected.ts'
import { nextStep } from './next-step.ts'

type CartBarProps = {
  place: CustomerRoute
  view: CartView
  offered: readonly Package[] | undefined
  fields: readonly CustomField[] | undefined
  services: JobServices | undefined
}

/** The total and the way on. Where it leads nowhere yet it stays, and says why. */
export const CartBar = ({ place, view, offered, fields, services }: CartBarProps) => {
  const { closed, job } = useEvent()
  const online = useConnected()
  const [, navigate] = useLocation()
  const next = nextStep({ view, offered, fields, services, online, closed, unpayable: job.takesCards === false })
  const go = () => {
    if (next.may) navigate(next.to === 'checkout' ? urls.checkout(place) : urls.confirmCart(place))
  }
  return (
    <BottomBar label={next.may ? 'Cart' : <span id="why-not">{next.why}</span>} cents={view.totalCents}>
      <Button onClick={go} aria-disabled={!next.may || undefined} aria-describedby={next.may ? undefined : 'why-not'}>
        Checkout
      </Button>
    </BottomBar>
  )
}
