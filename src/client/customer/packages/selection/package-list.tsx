import Info from 'lucide-react/icons/info'
import { Fragment, memo, type RefObject, useMemo } from 'react'
import { StalePricesNotice } from '#client/customer/shared/catalogue/stale-prices-notice.tsx'
import { isStandard } from '#domain/cart/add-ons.ts'
import { packageSavings } from '#domain/pricing/package-savings.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useAfterPaint } from '#ui/rendering/use-after-paint.ts'
import { AddOns, type OffersProps } from './add-ons.tsx'
import { PackageCard } from './package-card.tsx'
import { isAddOn, lowestPrice } from './package-selection.ts'
import styles from './select-package.module.css'

type PackageListProps = OffersProps & {
  /** The heading, which can be scrolled to. */
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** The job's packages; the add-ons of a chosen one appear right below it. */
export const PackageList = memo(
  ({
    offeredPackages,
    selection,
    chosenPackages,
    cart,
    hasPrices,
    preview,
    headingRef,
    onToggle,
  }: PackageListProps) => {
    // The card shows its selection at once; its add-ons are rendered after that frame.
    const expandedId = useAfterPaint(selection.standard)
    const standardPackages = offeredPackages.filter((offer) => !isAddOn(offer))
    const addOns = offeredPackages.filter(isAddOn)
    const savings = useMemo(() => packageSavings(offeredPackages), [offeredPackages])
    const extras = (
      <AddOns {...{ addOns, offeredPackages, selection, chosenPackages, cart, hasPrices, preview, onToggle }} />
    )
    if (offeredPackages.length === 0) {
      return (
        <EmptyState icon={Info} title="No packages yet">
          The studio has no packages for this event yet. Come back later.
        </EmptyState>
      )
    }
    const cartHasStandard = cart.cartPackages.some(isStandard)
    return (
      <>
        <h2 ref={headingRef} tabIndex={-1} className={styles.heading}>
          Packages{hasPrices && standardPackages.length > 1 && ` from ${lowestPrice(standardPackages)}`}
        </h2>
        {!hasPrices && <p className={styles.hint}>Choose a photo to see prices.</p>}
        <StalePricesNotice className={styles.hint} />
        <ul className={styles.packages}>
          {standardPackages.map((offer) => (
            <Fragment key={offer.id}>
              <li>
                <PackageCard
                  offer={offer}
                  preview={preview}
                  hasPrices={hasPrices}
                  isChosen={offer.id === selection.standard}
                  savedCents={savings.get(offer.id) ?? 0}
                  onToggle={onToggle}
                />
              </li>
              {offer.id === expandedId && addOns.length > 0 && <li className={styles.row}>{extras}</li>}
            </Fragment>
          ))}
        </ul>
        {expandedId === null && addOns.length > 0 && (
          <div className={styles.row}>
            {!cartHasStandard && <p className={styles.hint}>Extras: choose a package first.</p>}
            {extras}
          </div>
        )}
      </>
    )
  },
)
