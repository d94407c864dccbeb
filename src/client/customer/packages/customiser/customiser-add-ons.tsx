import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { AddOns } from '../offers/add-ons.tsx'
import { isAddOn, selectedPackages, toggleAddOn } from '../offers/package-selection.ts'
import type { PreviewPackage } from './customised-package.ts'

type CustomiserAddOnsProps = {
  /** All packages of the job. */
  offeredPackages: readonly Package[]
  /** The packages on the screen. The first stays; the others are add-ons for it. */
  chosenPackages: readonly Package[]
  cart: Cart
  preview: PreviewPackage
  onChange: (packages: readonly Package[]) => void
}

/** The add-ons that a package can have, to check and uncheck while it is customised; nothing if there are none. */
export const CustomiserAddOns = (props: CustomiserAddOnsProps) => {
  const { offeredPackages, chosenPackages, cart, preview, onChange } = props
  const [main, ...addOns] = chosenPackages
  const toggle = useEventCallback((addOn: Package) => {
    if (!main) return
    const selection = {
      standard: isAddOn(main) ? null : main.id,
      addOns: chosenPackages.filter(isAddOn).map(({ id }) => id),
    }
    const next = selectedPackages(toggleAddOn(selection, addOn, { offeredPackages, cart }), offeredPackages)
    onChange([main, ...next.filter(({ id }) => id !== main.id)])
  })
  const otherPackages = offeredPackages.filter(({ id }) => id !== main?.id)
  if (!otherPackages.some(isAddOn)) return null
  return (
    <AddOns
      {...{ cart, chosenPackages, preview }}
      hasPrices
      offeredPackages={otherPackages}
      chosenIds={addOns.map(({ id }) => id)}
      onToggle={toggle}
    />
  )
}
