import { useDraft, waitForDraft } from '#client/customer/shared/drafts/use-draft.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { readDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { AddOns } from '../offers/add-ons.tsx'
import {
  isAddOn,
  readSelectionDraft,
  type SelectionDraft,
  selectedPackages,
  toggleAddOn,
} from '../offers/package-selection.ts'
import type { PreviewPackage } from './customised-package.ts'

/** Stores the chosen add-ons with the package in the draft of the package-selection screen, for a customer who goes back. */
const saveAddOns = async (draftKey: string, packages: readonly Package[], save: (draft: SelectionDraft) => void) => {
  // An add-on for a package in the cart is not part of that draft.
  if (packages.every(isAddOn)) return
  await waitForDraft(draftKey)
  const stored = readSelectionDraft(await ignoring('the package stays chosen', () => readDraft(database, draftKey)))
  if (stored) save({ ...stored, addOns: packages.filter(isAddOn).map(({ id }) => id) })
}

type CustomiserAddOnsProps = {
  /** All packages of the job. */
  offeredPackages: readonly Package[]
  /** The key of the selection draft. */
  selectionKey: string
  /** The packages on the screen. The first stays; the others are add-ons for it. */
  chosenPackages: readonly Package[]
  cart: Cart
  preview: PreviewPackage
  onChange: (packages: readonly Package[]) => void
}

/** The add-ons that a package can have, to check and uncheck while it is customised; nothing if there are none. */
export const CustomiserAddOns = (props: CustomiserAddOnsProps) => {
  const { offeredPackages, selectionKey, chosenPackages, cart, preview, onChange } = props
  const { save } = useDraft(selectionKey)
  const [main, ...addOns] = chosenPackages
  const toggle = useEventCallback((addOn: Package) => {
    if (!main) return
    const selection = {
      standard: isAddOn(main) ? null : main.id,
      addOns: chosenPackages.filter(isAddOn).map(({ id }) => id),
    }
    const next = selectedPackages(toggleAddOn(selection, addOn, { offeredPackages, cart }), offeredPackages)
    const packages = [main, ...next.filter(({ id }) => id !== main.id)]
    onChange(packages)
    void saveAddOns(selectionKey, packages, save)
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
