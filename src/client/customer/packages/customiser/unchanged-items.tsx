import { contentsLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { isDigital, type PackageItem } from '#domain/catalogue/catalogue.ts'
import styles from './customiser.module.css'

type UnchangedItemsProps = {
  items: readonly PackageItem[]
  /** Whether the package has only these items. */
  isWholePackage: boolean
  images: readonly Image[]
}

const maxImages = 12

/**
 * Items that need no input. Downloads without a choice include all of the subject's images: they are shown, so that the
 * customer sees what is bought.
 */
export const UnchangedItems = ({ items, isWholePackage, images }: UnchangedItemsProps) => {
  const showsFiles = isWholePackage && items.some(({ productCode }) => isDigital(productCode))
  const ownImages = showsFiles ? images.filter(({ type }) => type === 'hosted-individual') : []
  return (
    <>
      <p className={styles.unchanged}>
        {isWholePackage ? 'Nothing to choose' : 'Also included'}: {contentsLabel(items)}.
      </p>
      {ownImages.length > 0 && (
        <ul className={styles.files} aria-label={`${ownImages.length} photos`}>
          {ownImages.slice(0, maxImages).map(({ id, thumbnailUrl, width, height }) => (
            <li key={id}>
              <img src={thumbnailUrl} alt="" width={width} height={height} />
            </li>
          ))}
          {ownImages.length > maxImages && <li>and {ownImages.length - maxImages} more</li>}
        </ul>
      )}
    </>
  )
}
