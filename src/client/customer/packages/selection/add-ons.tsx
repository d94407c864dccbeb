import { memo, useId, useMemo } from 'react'
import { contentsLabel, contentsLines } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import type { PreviewPackage } from '../customiser/customised-package.ts'
import { addOnAvailability, addOnRequirement, type PackageSelection, packageLabel } from './package-selection.ts'
import styles from './select-package.module.css'

/** The packages on offer, those chosen so far, and how they are shown. */
export type OffersProps = {
  offeredPackages: readonly Package[]
  selection: PackageSelection
  chosenPackages: readonly Package[]
  cart: Cart
  hasPrices: boolean
  preview: PreviewPackage
  /** Must be a stable function: many memoized cards are re-rendered only when they change. */
  onToggle: (toggled: Package) => void
}

type AddOnsProps = OffersProps & { addOns: readonly Package[] }

/** Add-ons for a package, each with its requirement; if only the amount is too low, it says how much is missing. */
export const AddOns = ({
  addOns,
  offeredPackages,
  selection,
  chosenPackages,
  cart,
  hasPrices,
  preview,
  onToggle,
}: AddOnsProps) => (
  <section className={styles.extras} aria-labelledby="extras">
    <h2 id="extras" className={styles.heading}>
      Extras
    </h2>
    <ul className={styles.addOns}>
      {addOns.map((addOn) => {
        const { isAvailable, missingCents } = addOnAvailability(addOn, { cart, chosenPackages })
        return (
          <li key={addOn.id}>
            <AddOnOption
              addOn={addOn}
              {...{ preview, hasPrices, onToggle }}
              isChosen={selection.addOns.includes(addOn.id)}
              isAvailable={isAvailable}
              requirement={addOnRequirement(addOn, offeredPackages)}
              missingAmountMessage={
                isAvailable || missingCents === 0 ? null : `Add ${formatMoney(missingCents)} more to unlock`
              }
            />
          </li>
        )
      })}
    </ul>
  </section>
)

type AddOnOptionProps = {
  addOn: Package
  preview: PreviewPackage
  hasPrices: boolean
  isChosen: boolean
  isAvailable: boolean
  requirement: string
  missingAmountMessage: string | null
  onToggle: (toggled: Package) => void
}

const AddOnOption = memo(
  ({
    addOn,
    preview,
    hasPrices,
    isChosen,
    isAvailable,
    requirement,
    missingAmountMessage,
    onToggle,
  }: AddOnOptionProps) => {
    const id = useId()
    const items = useMemo(() => preview(addOn), [preview, addOn])
    const contents = contentsLabel(addOn.items)
    return (
      <label className={styles.extra} htmlFor={id} data-off={!isAvailable || undefined}>
        <input
          id={id}
          type="checkbox"
          checked={isChosen}
          disabled={!isAvailable}
          onChange={() => onToggle(addOn)}
          aria-describedby={`${id}-need`}
        />
        <span className={styles.extraPrints} aria-hidden="true">
          <PackagePrints items={items} label={contents} />
        </span>
        <span className={styles.extraText}>
          <span className={styles.extraName}>{packageLabel(addOn)}</span>
          <span className={styles.contents}>{contentsLines(addOn).join(', ')}</span>
          <span id={`${id}-need`} className={styles.requirement}>
            {missingAmountMessage ? requirement : <PackageName>{requirement}</PackageName>}
            {missingAmountMessage && <strong> · {missingAmountMessage}</strong>}
          </span>
        </span>
        {hasPrices && (
          <span className={styles.extraPrice}>
            + <Price cents={toCents(addOn.retailCost)} />
          </span>
        )}
      </label>
    )
  },
)
