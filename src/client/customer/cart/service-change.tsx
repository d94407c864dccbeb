import { useState } from 'react'
import type { JobServices } from '../../../domain/order-services.ts'
import type { CartKey } from '../../../local/database.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Price } from '../../ui/price.tsx'
import type { OrderedService } from '../ordered-services.ts'
import { order } from './order-service.ts'
import { takeOutService } from './removed.ts'

type ServiceChangeProps = { cartKey: CartKey; service: OrderedService; offered: JobServices | undefined }

/** The studio changed a service that lies in the cart: old and new, and the customer decides. Nothing changes by itself. */
export const ServiceChange = ({ cartKey, service, offered }: ServiceChangeProps) => {
  const [busy, setBusy] = useState(false)
  const { key, name, personalization, change } = service
  if (!change || !offered) return null
  const remove = (
    <Button size="sm" variant="secondary" onClick={() => void takeOutService(cartKey, service)}>
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
  const { current, oldCents, newCents } = change
  const accept = async () => {
    setBusy(true)
    await order(cartKey, { owner: key, imageLookupId: key.imageLookupId, service: current, personalization, offered })
    setBusy(false)
  }
  return (
    <Notice
      tone="attention"
      title="The studio changed this price"
      action={
        <>
          <Button size="sm" loading={busy} onClick={() => void accept()}>
            Accept <Price cents={newCents} />
          </Button>
          {remove}
        </>
      }
    >
      {name}: was <Price cents={oldCents} struck />, now <Price cents={newCents} />.
    </Notice>
  )
}
