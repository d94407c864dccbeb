import Info from 'lucide-react/icons/info'
import { memo, type RefObject, Suspense, useMemo } from 'react'
import { StalePricesNotice } from '#client/customer/shared/catalogue/stale-prices-notice.tsx'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { packageSavings } from '#domain/pricing/package-savings.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { PreviewPackage } from '../customiser/customised-package.ts'
import { isAddOn, lowestPrice } from '../offers/package-selection.ts'
import { PackageCard } from './package-card.tsx'
import styles from './select-package.module.css'

const AddOns = lazyWhenIdle(async () => (await import('../offers/add-ons.tsx')).AddOns)

type PackageListProps = {
  offeredPackages: readonly Package[]
  cart: Cart
  /** The standard package that was chosen before; null if none was. */
  chosenId: number | null
  hasPrices: boolean
  preview: PreviewPackage
  /** All cards are shown if it is omitted. */
  maxCards?: number
  /** The heading, which can be scrolled to. */
  headingRef?: RefObject<HTMLHeadingElement | null>
  /** Must be a stable function: many memoized cards are re-rendered only when they change. */
  onChoose: (chosen: Package) => void
}

const noPackages: readonly Package[] = []

/** The job's packages. Add-ons are offered here once the cart has a package, and otherwise with the chosen one. */
export const PackageList = memo((props: PackageListProps) => {
  const { offeredPackages, cart, chosenId, hasPrices, preview, maxCards, headingRef, onChoose } = props
  const standardPackages = offeredPackages.filter((offer) => !isAddOn(offer))
  const savings = useMemo(() => packageSavings(offeredPackages), [offeredPackages])
  if (offeredPackages.length === 0) {
    return (
      <EmptyState icon={Info} title="No packages yet">
        The studio has no packages for this event yet. Come back later.
      </EmptyState>
    )
  }
  const offersAddOns = offeredPackages.some(isAddOn) && cart.cartPackages.some(isStandard)
  return (
    <>
      <h2 ref={headingRef} tabIndex={-1} className={styles.heading}>
        Packages{hasPrices && standardPackages.length > 1 && ` from ${lowestPrice(standardPackages)}`}
      </h2>
      {!hasPrices && <p className={styles.hint}>Choose a photo to see prices.</p>}
      <StalePricesNotice className={styles.hint} />
      <ul className={styles.packages}>
        {standardPackages.slice(0, maxCards).map((offer) => (
          <li key={offer.id}>
            <PackageCard
              {...{ offer, preview, hasPrices, onChoose }}
              isChosen={offer.id === chosenId}
              savedCents={savings.get(offer.id) ?? 0}
            />
          </li>
        ))}
      </ul>
      {offersAddOns && (
        <Suspense>
          <AddOns {...{ offeredPackages, cart, hasPrices, preview }} chosenPackages={noPackages} onToggle={onChoose} />
        </Suspense>
      )}
    </>
  )
})
