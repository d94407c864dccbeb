import Download from 'lucide-react/icons/download'
import type { CSSProperties } from 'react'
import { isDigital, isFramed, ownFrameInches, type PackageItem } from '#domain/catalogue/catalogue.ts'
import { Icon } from '../icon.tsx'
import { useInView } from '../rendering/use-in-view.ts'
import styles from './package-prints.module.css'
import type { PrintContent } from './print-content.ts'
import { PrintPreview, printAspect } from './print-preview.tsx'

/** One item with its content. `cover` is shown for an item without image nodes: a download of all images. */
export type PrintedItem = { item: PackageItem; content: PrintContent; cover?: string | null | undefined }

/** Identical items form one pile with a number of pieces. */
type Pile = PrintedItem & { pieces: number }

/** The pieces of one item, which may be a sheet: "8 Billfolds". The number before a size ("8×10") does not count. */
const piecesOf = ({ name }: Pick<PackageItem, 'name'>): number => {
  const [, pieces] = /^(\d{1,2})\s+(?=\p{L}{2})/u.exec(name) ?? []
  return pieces === undefined ? 1 : Math.max(Number(pieces), 1)
}

const printSignature = ({ item, content }: PrintedItem): string => {
  const { productCode, widthInches, heightInches } = item
  return JSON.stringify([
    productCode,
    widthInches,
    heightInches,
    item.name,
    ...content.images.values(),
    ...content.texts.values(),
  ])
}

/** A package's items in order, identical ones as piles. */
export const pilesOf = (items: readonly PrintedItem[]): Pile[] => {
  const piles = new Map<string, Pile>()
  for (const printed of items) {
    const pile = piles.get(printSignature(printed))
    const pieces = piecesOf(printed.item)
    piles.set(printSignature(printed), { ...(pile ?? printed), pieces: (pile?.pieces ?? 0) + pieces })
  }
  return [...piles.values()]
}

// Inches: width of an item without a print size (a download), gap between piles, offset between the sheets of a pile.
const fileWidth = 3.2
const gap = 0.7
const step = 0.22

/** Maximum number of sheets drawn for a pile. */
const maxSheets = 3

/** Frames are not piled. */
const visibleSheets = ({ pieces, item }: Pile): number => (isFramed(item) ? 1 : Math.min(pieces, maxSheets))
const frameOf = (item: PackageItem): number => (isFramed(item) ? 2 * ownFrameInches : 0)
const sheetWidth = (item: PackageItem): number => (item.widthInches ?? fileWidth) + frameOf(item)
const widthOf = (pile: Pile): number => sheetWidth(pile.item) + (visibleSheets(pile) - 1) * step
const heightOf = (pile: Pile): number =>
  (pile.item.heightInches ?? fileWidth / printAspect(pile.item, pile.content)) +
  frameOf(pile.item) +
  (visibleSheets(pile) - 1) * step

type PackagePrintsProps = {
  items: readonly PrintedItem[]
  /** Accessible name. */
  label: string
}

/** A package's prints side by side, to one scale. Far from the viewport only their space is reserved. */
export const PackagePrints = ({ items, label }: PackagePrintsProps) => {
  const [ref, isNear] = useInView<HTMLDivElement>('page')
  const piles = pilesOf(items)
  const total = piles.reduce((sum, pile) => sum + widthOf(pile), 0) + gap * Math.max(piles.length - 1, 0)
  const tallest = Math.max(...piles.map(heightOf), 1)
  // React's style type has no custom properties.
  const scale = { '--total': total, '--tallest': tallest, '--gap': gap, '--step': step } as CSSProperties
  return (
    <div ref={ref} className={styles.set} role="img" aria-label={label}>
      <div className={styles.row} style={scale}>
        {isNear && piles.map((pile) => <PrintPile key={printSignature(pile)} {...pile} />)}
      </div>
    </div>
  )
}

const PrintPile = (pile: Pile) => {
  const { item, content, cover, pieces } = pile
  const sheetCount = visibleSheets(pile)
  const size = { '--width': sheetWidth(item), '--sheets': sheetCount, '--frame': ownFrameInches } as CSSProperties
  return (
    <div className={styles.pile} style={size}>
      {Array.from({ length: sheetCount - 1 }, (_, index) => sheetCount - 1 - index).map((depth) => (
        <div
          key={depth}
          className={styles.sheet}
          style={{ '--depth': depth, aspectRatio: printAspect(item, content) } as CSSProperties}
        />
      ))}
      <div className={styles.top} data-framed={isFramed(item) || undefined}>
        <PrintPreview item={item} content={content} cover={cover} />
        {isDigital(item.productCode) && (
          <span className={styles.file}>
            <Icon of={Download} />
          </span>
        )}
      </div>
      {pieces > 1 && <span className={styles.count}>×{pieces}</span>}
    </div>
  )
}
