import { ResourceScreen } from '#client/staff/kit/resource/resource-screen.tsx'
import {
  deleteShippingOption,
  listShippingOptions,
  type PlatformShippingOption,
  putShippingOption,
} from '#contract/system/shipping-options.ts'
import { type ShippingOptionDraft, shippingDestinations } from '#domain/platform/shipping-option.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import type { Column } from '#ui/table/data-table.tsx'
import { ShippingOptionDialog } from './shipping-option-dialog.tsx'

const columns: readonly Column<PlatformShippingOption>[] = [
  { id: 'name', header: 'Shipping option', sort: 'name', cell: ({ label }) => label },
  { id: 'code', header: 'Code', cell: ({ code }) => code },
  { id: 'to', header: 'Ships to', cell: ({ shipsTo }) => shippingDestinations[shipsTo] },
  { id: 'price', header: 'Price', sort: 'price', isNumber: true, cell: ({ priceCents }) => formatMoney(priceCents) },
  { id: 'more', header: 'Each further', isNumber: true, cell: ({ eachMoreCents }) => formatMoney(eachMoreCents) },
  { id: 'position', header: 'Position', sort: 'position', isNumber: true, cell: ({ position }) => position },
]

const draftOf = ({ id: _, version: __, isArchived: ___, ...draft }: PlatformShippingOption): ShippingOptionDraft =>
  draft

/** The ways to ship orders of all studios. */
export const ShippingOptionsScreen = () => (
  <ResourceScreen
    title="Shipping options"
    lead="What checkouts of all studios offer. A change applies to the next order; earlier orders are unchanged."
    noun="shipping option"
    calls={{ list: listShippingOptions, put: putShippingOption, remove: deleteShippingOption }}
    columns={columns}
    nameOf={({ label }) => label}
    draftOf={draftOf}
    searchPlaceholder="Name or code"
    removalMessage="Checkouts stop offering it at once. If an order has it, it is archived instead."
    emptyText="Without one, only downloads can be ordered."
    dialog={(option, onClose) => <ShippingOptionDialog option={option} onClose={onClose} />}
  />
)
