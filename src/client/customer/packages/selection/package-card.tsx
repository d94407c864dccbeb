import Check from 'lucide-react/icons/check'
import { memo, useMemo } from 'react'
import { contentsLabel, contentsLines } from '#client/customer/shared/catalogue/item-labels.ts'
import { isDigital, type Package } from '#domain/catalogue/catalogue.ts'
import { type Cents, formatShortMoney, toCents } from '#domain/pricing/money.ts'
import { Button } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import type { PreviewPackage } from '../customiser/customised-package.ts'
import { packageLabel } from '../offers/package-selection.ts'
import styles from './select-package.module.css'

type PackageCardProps = {
  offer: Package
  preview: PreviewPackage
  hasPrices: boolean
  isChosen: boolean
  /** What its items cost more if bought one by one; 0 if they can't be. */
  savedCents: Cents
  onChoose: (chosen: Package) => void
}

/** A package as a preview of its prints; the whole card is the button. */
export const PackageCard = memo(({ offer, preview, hasPrices, isChosen, savedCents, onChoose }: PackageCardProps) => {
  const items = useMemo(() => preview(offer), [preview, offer])
  const isDownload = offer.items.every(({ productCode }) => isDigital(productCode))
  return (
    <article className={classNames(styles.card, isChosen && styles.chosen, isDownload && styles.download)}>
      <div className={styles.cardPrints}>
        {offer.mostPopular && <p className={styles.popular}>Most popular</p>}
        <PackagePrints items={items} label={`Drawn to scale: ${contentsLabel(offer.items)}`} />
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
        <ul className={styles.contents}>
          {contentsLines(offer).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div className={classNames(styles.cardRow, styles.chooseRow)}>
          <p className={styles.saved}>{hasPrices && savedCents > 0 && `Saves ${formatShortMoney(savedCents)}`}</p>
          <Button
            size="sm"
            variant={isChosen ? 'primary' : 'secondary'}
            icon={isChosen ? Check : undefined}
            aria-label={`${isChosen ? 'Chosen' : 'Choose'}: ${packageLabel(offer)}`}
            className={styles.choose}
            value={offer.id}
            onClick={() => onChoose(offer)}
          >
            {isChosen ? 'Chosen' : 'Choose'}
          </Button>
        </div>
      </div>
    </article>
  )
})
