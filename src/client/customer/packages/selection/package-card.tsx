import Check from 'lucide-react/icons/check'
import { memo, useMemo } from 'react'
import { contentsLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { toCents } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import type { PreviewPackage } from '../customiser/customised-package.ts'
import { packageLabel } from './package-selection.ts'
import styles from './select-package.module.css'

type PackageCardProps = {
  offer: Package
  preview: PreviewPackage
  hasPrices: boolean
  isChosen: boolean
  onToggle: (toggled: Package) => void
}

/** A package as a preview of its prints; the whole card is the button. */
export const PackageCard = memo(({ offer, preview, hasPrices, isChosen, onToggle }: PackageCardProps) => {
  const items = useMemo(() => preview(offer), [preview, offer])
  const contents = contentsLabel(offer.items)
  return (
    <article className={classNames(styles.card, isChosen && styles.chosen)}>
      <div className={styles.cardPrints}>
        <PackagePrints items={items} label={`Drawn to scale: ${contents}`} />
      </div>
      <div className={styles.details}>
        <div className={styles.cardRow}>
          <h3 className={styles.name}>
            <PackageName>{packageLabel(offer)}</PackageName>
          </h3>
          {hasPrices && (
            <p className={styles.price}>
              <Price cents={toCents(offer.retailCost)} />
            </p>
          )}
        </div>
        <div className={styles.cardRow}>
          <p className={styles.contents}>{offer.altDescription ?? contents}</p>
          <Button
            size="sm"
            variant={isChosen ? 'primary' : 'secondary'}
            icon={isChosen ? Check : undefined}
            aria-pressed={isChosen}
            aria-label={`${isChosen ? 'Chosen' : 'Choose'}: ${packageLabel(offer)}`}
            className={styles.choose}
            onClick={() => onToggle(offer)}
          >
            {isChosen ? 'Chosen' : 'Choose'}
          </Button>
        </div>
      </div>
    </article>
  )
})
