import { useState } from 'react'
import { type OrderedService, personalizationLabel } from '#client/customer/shared/order-services/ordered-services.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { fitPersonalizationToOffer } from '#domain/cart/order-services.ts'
import type { CartKey } from '#local/store/rows.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Price } from '#ui/price.tsx'
import { type CartImage, imageLabel } from '../cart-images.ts'
import { removeServiceWithUndo } from '../remove-with-undo.ts'
import { setCartService } from './set-cart-service.ts'

type ServiceChangeNoticeProps = {
  cartKey: CartKey
  service: OrderedService
  offeredServices: JobServices | undefined
  /** The subject's images, for retouching per image. */
  images?: readonly CartImage[]
}

/**
 * Shows a cart service that the studio changed, before and after the change. The cart keeps the old version until the
 * customer decides.
 */
export const ServiceChangeNotice = ({ cartKey, service, offeredServices, images = [] }: ServiceChangeNoticeProps) => {
  const [isSaving, setIsSaving] = useState(false)
  const { key, name, personalization, change } = service
  if (!change || !offeredServices) return null
  const remove = (
    <Button size="sm" variant="secondary" onClick={() => void removeServiceWithUndo(cartKey, service)}>
      Remove
    </Button>
  )
  if (!change.current) {
    return (
      <Notice tone="attention" title={`${name} is no longer offered`} action={remove}>
        The rest of your cart stays the same.
      </Notice>
    )
  }
  const { current, oldCents, newCents, terms } = change
  const fittedPersonalization = personalization && fitPersonalizationToOffer(personalization, offeredServices)
  const accept = async (imageLookupId: number | null) => {
    setIsSaving(true)
    const isMoved = imageLookupId !== key.imageLookupId
    const personalizationAndOffer = { personalization: fittedPersonalization, offeredServices }
    const target = { owner: key, imageLookupId, service: current, ...personalizationAndOffer }
    await setCartService(cartKey, isMoved ? { ...target, insteadOf: key } : target)
    setIsSaving(false)
    document.getElementById('cart')?.focus({ preventScroll: true })
  }
  const acceptButton = (label: string, imageLookupId = key.imageLookupId) => (
    <Button key={label} size="sm" loading={isSaving} onClick={() => void accept(imageLookupId)}>
      {label} <Price cents={newCents} />
    </Button>
  )
  const priceText = (
    <>
      {name}: was <Price cents={oldCents} isCrossedOut />, now <Price cents={newCents} />.
    </>
  )
  const priceChange = oldCents !== newCents && <> {priceText}</>
  if (terms === 'retouch-picture') {
    const freeImages = images.filter((image) => image.printed && !image.retouched)
    const actions = offeredServices.imageLevelService
      ? freeImages.map((image) => acceptButton(imageLabel(image), image.imageId))
      : acceptButton('Retouch all photos', null)
    return (
      <Notice
        tone="attention"
        title={`${name} ${offeredServices.imageLevelService ? 'is now per photo' : 'now covers all photos'}`}
        action={
          <>
            {actions}
            {remove}
          </>
        }
      >
        The studio changed this after you ordered it.{priceChange}
      </Notice>
    )
  }
  return (
    <Notice
      tone="attention"
      title={terms ? `${name} can’t be printed as you chose` : 'The studio changed this price'}
      action={
        <>
          {acceptButton(terms ? 'Print as offered' : 'Accept')}
          {remove}
        </>
      }
    >
      {terms && fittedPersonalization ? (
        <>
          Offered now: {personalizationLabel(fittedPersonalization)}.{priceChange}
        </>
      ) : (
        priceText
      )}
    </Notice>
  )
}
