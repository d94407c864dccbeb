import { ButtonLink } from '../ui/button.tsx'
import { useStateTitle } from '../ui/state-title.ts'
import { Plain } from './plain.tsx'
import { urls } from './urls.ts'

/** An address that leads nowhere. */
export const NotFoundScreen = () => {
  useStateTitle('Not found')
  return (
    <Plain title="There is nothing at this address">
      <p>The link may be old, or a letter may have gone missing on the way. Anything in your cart is still there.</p>
      <div>
        <ButtonLink href={urls.home()}>Go to the start</ButtonLink>
      </div>
    </Plain>
  )
}
