import { useState } from 'react'
import { type OrderedService, personalizationLabel } from '#client/customer/shared/order-services/ordered-services.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { fitPersonalizationToOffer } from '#domain/cart/order-services.ts'
import type { CartKey } from '#local/store/database.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Price } from '#ui/price.tsx'
import { type CartImage, imageLabel } from '../cart-images.ts'
import { removeServiceWithUndo } from '../remove-with-undo.ts'
import { setCartService } from './set-cart-service.ts'

type ServiceChangeProps = {
  cartKey: CartKey
  service: OrderedService
  offered: JobServices | undefined
  /** The subject's images, for retouching per image. */
  images?: readonly CartImage[]
}

/** Shows a cart service that the studio changed, before and after. Nothing changes until the customer decides. */
export const ServiceChangeNotice = ({ cartKey, service, offered, images = [] }: ServiceChangeProps) => {
  const [busy, setBusy] = useState(false)
  const { key, name, personalization, change } = service
  if (!change || !offered) return null
  const remove = (
    <Button size="sm" variant="secondary" onClick={() => void removeServiceWithUndo(cartKey, service)}>
      Remove
    </Button>
  )
  if (!change.current) {
    return (
      <Notice tone="attention" title={`${name} is not on offer any more`} action={remove}>
        The rest of your cart stays as it is.
      </Notice>
    )
  }
  const { current, oldCents, newCents, terms } = change
  const placed = personalization && fitPersonalizationToOffer(personalization, offered)
  const accept = async (imageLookupId: number | null) => {
    setBusy(true)
    const isMoved = imageLookupId !== key.imageLookupId
    const target = { owner: key, imageLookupId, service: current, personalization: placed, offered }
    await setCartService(cartKey, isMoved ? { ...target, insteadOf: key } : target)
    setBusy(false)
    document.getElementById('cart')?.focus({ preventScroll: true })
  }
  const action = (label: string, imageLookupId = key.imageLookupId) => (
    <Button key={label} size="sm" loading={busy} onClick={() => void accept(imageLookupId)}>
      {label} <Price cents={newCents} />
    </Button>
  )
  const prices = (
    <>
      {name}: was <Price cents={oldCents} struck />, now <Price cents={newCents} />.
    </>
  )
  const pricesToo = oldCents !== newCents && <> {prices}</>
  if (terms === 'retouch-picture') {
    const free = images.filter((one) => one.printed && !one.retouched)
    const actions = offered.imageLevelService
      ? free.map((one) => action(imageLabel(one), one.imageId))
      : action('Retouch all photos', null)
    return (
      <Notice
        tone="attention"
        title={`${name} ${offered.imageLevelService ? 'goes by the photo' : 'is for all photos'} now`}
        action={
          <>
            {actions}
            {remove}
          </>
        }
      >
        The studio changed this after you ordered it.{pricesToo}
      </Notice>
    )
  }
  return (
    <Notice
      tone="attention"
      title={terms ? `${name} can’t be printed as you chose` : 'The studio changed this price'}
      action={
        <>
          {action(terms ? 'Print as offered' : 'Accept')}
          {remove}
        </>
      }
    >
      {terms && placed ? (
        <>
          Offered now: {personalizationLabel(placed)}.{pricesToo}
        </>
      ) : (
        prices
      )}
    </Notice>
  )
}
