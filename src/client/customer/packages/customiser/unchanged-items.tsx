import { contentsLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { isDigital, type PackageItem } from '#domain/catalogue/catalogue.ts'
import styles from './customiser.module.css'

type UnchangedItemsProps = {
  items: readonly PackageItem[]
  /** Whether the package has nothing else. */
  alone: boolean
  images: readonly Image[]
}

const maxShown = 12

/**
 * Items that need no input. Downloads without a choice include all of the subject's images: they are shown, so that the
 * customer sees what is bought.
 */
export const UnchangedItems = ({ items, alone, images }: UnchangedItemsProps) => {
  const files = alone && items.some(({ productCode }) => isDigital(productCode))
  const own = files ? images.filter(({ type }) => type === 'hosted-individual') : []
  return (
    <>
      <p className={styles.rest}>
        {alone ? 'Nothing to choose here: it comes ready made' : 'Also in it'}: {contentsLabel(items)}.
      </p>
      {own.length > 0 && (
        <ul className={styles.files} aria-label={`${own.length} pictures`}>
          {own.slice(0, maxShown).map(({ id, thumbnailUrl, width, height }) => (
            <li key={id}>
              <img src={thumbnailUrl} alt="" width={width} height={height} />
            </li>
          ))}
          {own.length > maxShown && <li>and {own.length - maxShown} more</li>}
        </ul>
      )}
    </>
  )
}
