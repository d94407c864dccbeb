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
import { packageLabel } from './package-selection.ts'
import type { PreviewPackage } from './preview-package.ts'
import styles from './select-package.module.css'

type PackageCardProps = {
  offer: Package
  preview: PreviewPackage
  priced: boolean
  chosen: boolean
  onToggle: (one: Package) => void
}

/** A package as a preview of its prints; the whole card is the button. */
export const PackageCard = memo(({ offer, preview, priced, chosen, onToggle }: PackageCardProps) => {
  const items = useMemo(() => preview(offer), [preview, offer])
  const contents = contentsLabel(offer.items)
  return (
    <article className={classNames(styles.card, chosen && styles.chosen)}>
      <div className={styles.stage}>
        <PackagePrints items={items} label={`Drawn to scale: ${contents}`} />
      </div>
      <div className={styles.about}>
        <div className={styles.face}>
          <h3 className={styles.name}>
            <PackageName>{packageLabel(offer)}</PackageName>
          </h3>
          {priced && (
            <p className={styles.price}>
              <Price cents={toCents(offer.retailCost)} />
            </p>
          )}
        </div>
        <div className={styles.face}>
          <p className={styles.contents}>{offer.altDescription ?? contents}</p>
          <Button
            size="sm"
            variant={chosen ? 'primary' : 'secondary'}
            icon={chosen ? Check : undefined}
            aria-pressed={chosen}
            aria-label={`${chosen ? 'Chosen' : 'Choose'}: ${packageLabel(offer)}`}
            className={styles.choose}
            onClick={() => onToggle(offer)}
          >
            {chosen ? 'Chosen' : 'Choose'}
          </Button>
        </div>
      </div>
    </article>
  )
})
