import { memo, useId, useMemo } from 'react'
import { contentsLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { addOnAvailability, addOnRequirement, type PackageSelection, packageLabel } from './package-selection.ts'
import type { PreviewPackage } from './preview-package.ts'
import styles from './select-package.module.css'

type ExtrasProps = {
  addOns: readonly Package[]
  offered: readonly Package[]
  selection: PackageSelection
  chosen: readonly Package[]
  cart: Cart
  priced: boolean
  preview: PreviewPackage
  onToggle: (one: Package) => void
}

/** Add-ons for a package, each with its requirement; an unavailable one says what is missing. */
export const AddOns = ({ addOns, offered, selection, chosen, cart, priced, preview, onToggle }: ExtrasProps) => (
  <section className={styles.extras} aria-labelledby="extras">
    <h2 id="extras" className={styles.heading}>
      Add something to it?
    </h2>
    <ul className={styles.addOns}>
      {addOns.map((one) => {
        const { stands, missingCents } = addOnAvailability(one, { cart, chosen })
        return (
          <li key={one.id}>
            <Extra
              addOn={one}
              {...{ preview, priced, onToggle }}
              isChosen={selection.addOns.includes(one.id)}
              stands={stands}
              need={addOnRequirement(one, offered)}
              missing={stands || missingCents === 0 ? null : `${formatMoney(missingCents)} to go`}
            />
          </li>
        )
      })}
    </ul>
  </section>
)

type ExtraProps = {
  addOn: Package
  preview: PreviewPackage
  priced: boolean
  isChosen: boolean
  stands: boolean
  need: string
  missing: string | null
  onToggle: (one: Package) => void
}

const Extra = memo(({ addOn, preview, priced, isChosen, stands, need, missing, onToggle }: ExtraProps) => {
  const id = useId()
  const items = useMemo(() => preview(addOn), [preview, addOn])
  const contents = contentsLabel(addOn.items)
  return (
    <label className={styles.extra} htmlFor={id} data-off={!stands || undefined}>
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        disabled={!stands}
        onChange={() => onToggle(addOn)}
        aria-describedby={`${id}-need`}
      />
      <span className={styles.extraPicture} aria-hidden="true">
        <PackagePrints items={items} label={contents} />
      </span>
      <span className={styles.extraWords}>
        <span className={styles.extraName}>{packageLabel(addOn)}</span>
        <span className={styles.contents}>{addOn.altDescription ?? contents}</span>
        <span id={`${id}-need`} className={styles.need}>
          {missing ? need : <PackageName>{need}</PackageName>}
          {missing && <strong> · {missing}</strong>}
        </span>
      </span>
      {priced && (
        <span className={styles.extraPrice}>
          + <Price cents={toCents(addOn.retailCost)} />
        </span>
      )}
    </label>
  )
})
