import Check from 'lucide-react/icons/check'
import type { CSSProperties } from 'react'
import type { ImageLookup } from '#contract/studio/images/image-lookups.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import styles from './images.module.css'

type ImageGridProps = {
  images: readonly ImageLookup[]
  /** Images per row from the user's preferences. The grid shows fewer on a narrow screen. */
  imagesPerRow: number
  selected: ReadonlySet<number>
  onSelectionChange: (ids: ReadonlySet<number>) => void
  onOpen: (id: number) => void
}

const imageStateLabel = (image: ImageLookup): string | null => {
  if (image.state === 'processing') return 'Processing'
  if (image.state === 'refused') return 'Rejected'
  if (image.cutOut === 'proposed') return 'Cut-out to review'
  if (image.ownerName === null) return 'Not matched'
  if (image.isPublished) return null
  return image.isWithdrawn ? 'Withdrawn' : 'Not published'
}

/** Accessible label of an image: file name, owner and state. */
const imageLabel = (image: ImageLookup): string =>
  [image.fileName, image.ownerName, imageStateLabel(image)].filter(Boolean).join(', ')

type ImageTileProps = { image: ImageLookup; isSelected: boolean; onToggle: () => void; onOpen: () => void }

const ImageTile = ({ image, isSelected, onToggle, onOpen }: ImageTileProps) => (
  <li className={classNames(styles.tile, isSelected && styles.selected)}>
    <button type="button" className={styles.open} aria-label={`Open ${imageLabel(image)}`} onClick={onOpen}>
      {image.thumbnailUrl ? (
        <img src={image.thumbnailUrl} alt="" loading="lazy" decoding="async" />
      ) : (
        <span className={styles.pending}>{image.state === 'refused' ? 'Rejected' : 'Processing'}</span>
      )}
    </button>
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={`Select ${image.fileName}`}
      className={styles.check}
      onClick={onToggle}
    >
      {isSelected && <Icon of={Check} />}
    </button>
    <span className={styles.caption}>
      <strong>{image.ownerName ?? image.fileName}</strong>
      <span>
        {imageStateLabel(image) ?? (image.isPrimary && image.subjectId !== null ? 'Main image' : image.fileName)}
      </span>
    </span>
  </li>
)

/** A grid of images. A tap on an image opens it; the button in its corner selects or deselects it. */
export const ImageGrid = ({ images, imagesPerRow, selected, onSelectionChange, onOpen }: ImageGridProps) => {
  const toggleSelection = (id: number) => {
    const nextSelection = new Set(selected)
    if (!nextSelection.delete(id)) nextSelection.add(id)
    onSelectionChange(nextSelection)
  }
  return (
    <ul className={styles.grid} style={{ '--images-per-row': imagesPerRow } as CSSProperties} aria-label="Images">
      {images.map((image) => (
        <ImageTile
          key={image.id}
          image={image}
          isSelected={selected.has(image.id)}
          onToggle={() => toggleSelection(image.id)}
          onOpen={() => onOpen(image.id)}
        />
      ))}
    </ul>
  )
}
