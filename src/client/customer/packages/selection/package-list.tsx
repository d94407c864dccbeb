import Info from 'lucide-react/icons/info'
import { Fragment, memo } from 'react'
import { StalePricesNotice } from '#client/customer/shared/catalogue/stale-prices-notice.tsx'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useAfterPaint } from '#ui/rendering/use-after-paint.ts'
import { AddOns } from './add-ons.tsx'
import { PackageCard } from './package-card.tsx'
import { isAddOn, type PackageSelection } from './package-selection.ts'
import type { PreviewPackage } from './preview-package.ts'
import styles from './select-package.module.css'

type PackageListProps = {
  offered: readonly Package[]
  selection: PackageSelection
  chosen: readonly Package[]
  cart: Cart
  priced: boolean
  preview: PreviewPackage
  /** Must be a stable function: many memoized cards are re-rendered only when they change. */
  onToggle: (one: Package) => void
}

/** The job's packages; the add-ons of a chosen one appear right below it. */
export const PackageList = memo(({ offered, selection, chosen, cart, priced, preview, onToggle }: PackageListProps) => {
  // The card shows its selection at once; its add-ons are rendered after that frame.
  const opened = useAfterPaint(selection.standard)
  const standards = offered.filter((one) => !isAddOn(one))
  const addOns = offered.filter(isAddOn)
  const extras = <AddOns {...{ addOns, offered, selection, chosen, cart, priced, preview, onToggle }} />
  if (offered.length === 0) {
    return (
      <EmptyState icon={Info} title="No packages yet">
        The studio has not put anything on offer for this event. Come back a little later.
      </EmptyState>
    )
  }
  const cartHasStandard = cart.cartPackages.some(isStandard)
  return (
    <>
      {!priced && <p className={styles.hint}>Choose a pose to see the prices.</p>}
      <h2 className={styles.heading}>Packages</h2>
      <StalePricesNotice className={styles.hint} />
      <ul className={styles.packages}>
        {standards.map((one) => (
          <Fragment key={one.id}>
            <li>
              <PackageCard
                offer={one}
                preview={preview}
                priced={priced}
                chosen={one.id === selection.standard}
                onToggle={onToggle}
              />
            </li>
            {one.id === opened && addOns.length > 0 && <li className={styles.row}>{extras}</li>}
          </Fragment>
        ))}
      </ul>
      {opened === null && addOns.length > 0 && (
        <div className={styles.row}>
          {!cartHasStandard && <p className={styles.hint}>Extras go with a package. Choose one first.</p>}
          {extras}
        </div>
      )}
    </>
  )
})
