import { useEffect } from 'react'
import type { CartKey } from '../../../local/database.ts'
import { ask } from '../../device/ask.ts'
import { local } from '../../device/local.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useConnected } from '../use-connected.ts'

/** Milliseconds between two looks at a cart that is being paid: a payment seldom takes longer than a few of them. */
const lookAgainMs = 5_000

const look = async (key: CartKey) => {
  const { refreshCart } = await import('../../../local/refresh-cart.ts')
  await refreshCart(local, ask, key)
}

/** Says that a payment is under way, and looks how it stands: a cart whose payment was declined opens again. */
export const BeingPaid = ({ place, cartKey }: { place: CustomerRoute; cartKey: CartKey }) => {
  const online = useConnected()
  useEffect(() => {
    if (!online) return
    const again = () => void look(cartKey).catch(console.warn)
    again()
    const timer = setInterval(again, lookAgainMs)
    return () => clearInterval(timer)
  }, [cartKey, online])
  return (
    <Notice
      tone="attention"
      title="This cart is being paid for"
      action={
        <ButtonLink href={urls.checkout(place)} size="sm">
          See how it stands
        </ButtonLink>
      }
    >
      You can change it again if the payment does not go through.
    </Notice>
  )
}
