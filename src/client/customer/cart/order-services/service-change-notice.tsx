import { useState } from 'react'
import { type OrderedService, personalizationLabel } from '#client/customer/shared/order-services/ordered-services.ts'
import { fitPersonalizationToOffer, type JobServices } from '#domain/cart/order-services.ts'
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
  pictures?: readonly CartImage[]
}

/** Shows a cart service that the studio changed, before and after. Nothing changes until the customer decides. */
export const ServiceChangeNotice = ({ cartKey, service, offered, pictures = [] }: ServiceChangeProps) => {
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
    const wanted = { owner: key, imageLookupId, service: current, personalization: placed, offered }
    await setCartService(cartKey, isMoved ? { ...wanted, insteadOf: key } : wanted)
    setBusy(false)
    document.getElementById('cart')?.focus({ preventScroll: true })
  }
  const way = (words: string, imageLookupId = key.imageLookupId) => (
    <Button key={words} size="sm" loading={busy} onClick={() => void accept(imageLookupId)}>
      {words} <Price cents={newCents} />
    </Button>
  )
  const prices = (
    <>
      {name}: was <Price cents={oldCents} struck />, now <Price cents={newCents} />.
    </>
  )
  const pricesToo = oldCents !== newCents && <> {prices}</>
  if (terms === 'retouch-picture') {
    const free = pictures.filter((one) => one.printed && !one.retouched)
    const ways = offered.imageLevelService
      ? free.map((one) => way(imageLabel(one), one.imageId))
      : way('Retouch all photos', null)
    return (
      <Notice
        tone="attention"
        title={`${name} ${offered.imageLevelService ? 'goes by the photo' : 'is for all photos'} now`}
        action={
          <>
            {ways}
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
          {way(terms ? 'Print as offered' : 'Accept')}
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
