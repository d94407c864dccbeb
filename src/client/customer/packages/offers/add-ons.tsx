import { memo, useId, useMemo } from 'react'
import { contentsLabel, contentsLines } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, formatMoney, toCents } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { Price } from '#ui/price.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import type { PreviewPackage } from '../customiser/customised-package.ts'
import styles from './add-ons.module.css'
import { addOnAvailability, isAddOn, packageLabel } from './package-selection.ts'

type AddOnsProps = {
  /** Below a heading of level 2, e.g. of a subject in the cart. `id`: its DOM id, which can be focused. */
  heading?: { text: string; id: string }
  offeredPackages: readonly Package[]
  cart: Cart
  /** The packages that will be added to the cart with the add-ons. */
  chosenPackages: readonly Package[]
  hasPrices: boolean
  preview: PreviewPackage
  /** The ids of the chosen add-ons, which can be unchecked; without it, each add-on has a button "Add". */
  chosenIds?: readonly number[]
  /** An add-on was checked, unchecked or added. Must be a stable function: unchanged add-ons are not rendered again. */
  onToggle: (addOn: Package) => void
}

/** The add-ons that go with the packages. If only the amount is too low for one, it says how much is missing. */
export const AddOns = (props: AddOnsProps) => {
  const { heading, offeredPackages, cart, chosenPackages, hasPrices, preview, chosenIds, onToggle } = props
  const ownId = useId()
  const { text, id } = heading ?? { text: 'Extras', id: ownId }
  const Heading = heading ? 'h3' : 'h2'
  const shownAddOns = offeredPackages
    .filter(isAddOn)
    .map((addOn) => ({ addOn, ...addOnAvailability(addOn, { cart, chosenPackages }) }))
    .filter(({ addOn, isAvailable, missingCents }) => isAvailable || missingCents > 0 || chosenIds?.includes(addOn.id))
  if (shownAddOns.length === 0) return null
  return (
    <section className={styles.extras} aria-labelledby={id}>
      <Heading id={id} tabIndex={-1} className={styles.heading}>
        {text}
      </Heading>
      <ul className={styles.addOns}>
        {shownAddOns.map(({ addOn, missingCents }) => (
          <li key={addOn.id}>
            <AddOnOption
              {...{ addOn, preview, hasPrices, missingCents, onToggle }}
              isChosen={chosenIds?.includes(addOn.id) ?? null}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type AddOnOptionProps = Pick<AddOnsProps, 'preview' | 'hasPrices' | 'onToggle'> & {
  addOn: Package
  /** Null for an add-on with a button. */
  isChosen: boolean | null
  /** What the cart lacks for it; 0 if it is available. */
  missingCents: Cents
}

const AddOnOption = memo((props: AddOnOptionProps) => {
  const { addOn, preview, hasPrices, isChosen, missingCents, onToggle } = props
  const isAvailable = missingCents === 0
  const id = useId()
  const needId = `${id}-need`
  const items = useMemo(() => preview(addOn), [preview, addOn])
  const content = (
    <>
      <span className={styles.prints} aria-hidden="true">
        <PackagePrints items={items} label={contentsLabel(addOn.items)} />
      </span>
      <span className={styles.text}>
        <span className={styles.name}>{packageLabel(addOn)}</span>
        <span className={styles.contents}>{contentsLines(addOn).join(', ')}</span>
        {!isAvailable && (
          <strong id={needId} className={styles.missing}>
            Add {formatMoney(missingCents)} more to unlock
          </strong>
        )}
      </span>
      {hasPrices && (
        <span className={styles.price}>
          + <Price cents={toCents(addOn.retailCost)} />
        </span>
      )}
    </>
  )
  const toggle = () => onToggle(addOn)
  if (isChosen === null) {
    return (
      <div className={styles.extra} data-off={!isAvailable || undefined}>
        {content}
        <Button
          size="sm"
          variant="secondary"
          disabled={!isAvailable}
          aria-label={`Add: ${packageLabel(addOn)}`}
          aria-describedby={isAvailable ? undefined : needId}
          onClick={toggle}
        >
          Add
        </Button>
      </div>
    )
  }
  return (
    <label className={styles.extra} htmlFor={id} data-off={!isAvailable || undefined}>
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        disabled={!isAvailable && !isChosen}
        onChange={toggle}
        aria-describedby={isAvailable ? undefined : needId}
      />
      {content}
    </label>
  )
})
