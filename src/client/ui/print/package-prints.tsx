import Download from 'lucide-react/icons/download'
import type { CSSProperties } from 'react'
import { isDigital, type PackageItem } from '#domain/catalogue/catalogue.ts'
import { Icon } from '../icon.tsx'
import { useInView } from '../rendering/use-in-view.ts'
import styles from './package-prints.module.css'
import type { PrintContent } from './print-content.ts'
import { PrintPreview, printAspect } from './print-preview.tsx'

/** One item with what is on it; `cover` stands for all of a person's pictures, where they come as files. */
export type PrintedItem = { item: PackageItem; content: PrintContent; cover?: string | null | undefined }

/** Alike items lie on one pile: how many pieces of paper it has. */
type Pile = PrintedItem & { pieces: number }

/** An item may be a sheet of several: "8 Billfolds". The number before a size ("8×10") is none of pieces. */
const piecesOf = ({ name }: Pick<PackageItem, 'name'>): number => {
  const [, number] = /^(\d{1,2})\s+(?=\p{L}{2})/u.exec(name) ?? []
  return number === undefined ? 1 : Math.max(Number(number), 1)
}

const likeness = ({ item, content }: PrintedItem): string => {
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

/** What comes in a package, alike items on piles, in the order of the package. */
const pilesOf = (items: readonly PrintedItem[]): Pile[] => {
  const piles = new Map<string, Pile>()
  for (const one of items) {
    const pile = piles.get(likeness(one))
    const pieces = piecesOf(one.item)
    piles.set(likeness(one), { ...(pile ?? one), pieces: (pile?.pieces ?? 0) + pieces })
  }
  return [...piles.values()]
}

// Inches: what a download's sign takes beside prints, the gap between piles, and how far a pile's sheets stick out.
const fileWidth = 3.2
const gap = 0.7
const step = 0.22
const sheetsShown = 3

const sheets = ({ pieces }: Pile): number => Math.min(pieces, sheetsShown)
const widthOf = (pile: Pile): number => (pile.item.widthInches ?? fileWidth) + (sheets(pile) - 1) * step
const heightOf = (pile: Pile): number =>
  (pile.item.heightInches ?? fileWidth / printAspect(pile.item, pile.content)) + (sheets(pile) - 1) * step

type PrintSetProps = {
  items: readonly PrintedItem[]
  /** What is shown, for those who can't see it. */
  label: string
}

/** A package as it arrives: its prints beside each other, drawn to one scale; far from the screen only their place is kept. */
export const PackagePrints = ({ items, label }: PrintSetProps) => {
  const [ref, near] = useInView<HTMLDivElement>('page')
  const piles = pilesOf(items)
  const total = piles.reduce((sum, pile) => sum + widthOf(pile), 0) + gap * Math.max(piles.length - 1, 0)
  const tallest = Math.max(...piles.map(heightOf), 1)
  // Custom properties are no part of React's own list of styles.
  const scale = { '--total': total, '--tallest': tallest, '--gap': gap, '--step': step } as CSSProperties
  return (
    <div ref={ref} className={styles.set} role="img" aria-label={label}>
      <div className={styles.row} style={scale}>
        {near && piles.map((pile) => <PrintPile key={likeness(pile)} {...pile} />)}
      </div>
    </div>
  )
}

const PrintPile = (pile: Pile) => {
  const { item, content, cover, pieces } = pile
  const shown = sheets(pile)
  const size = { '--width': item.widthInches ?? fileWidth, '--sheets': shown } as CSSProperties
  return (
    <div className={styles.pile} style={size}>
      {Array.from({ length: shown - 1 }, (_, below) => shown - 1 - below).map((depth) => (
        <div
          key={depth}
          className={styles.sheet}
          style={{ '--depth': depth, aspectRatio: printAspect(item, content) } as CSSProperties}
        />
      ))}
      <div className={styles.top}>
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
