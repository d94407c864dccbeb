import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Copy from 'lucide-react/icons/copy'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import styles from './package-editor.module.css'
import { samplePrintContent } from './sample-subject.ts'

type ItemListProps = {
  items: readonly PackageItem[]
  openId: number | null
  onOpen: (itemId: number) => void
  onAdd: () => void
  onMove: (itemId: number, by: -1 | 1) => void
  onCopy: (itemId: number) => void
  onRemove: (itemId: number) => void
  /** Indexes of items with errors. */
  invalidIndexes: ReadonlySet<number>
}

const sizeOf = ({ widthInches, heightInches }: PackageItem): string =>
  widthInches && heightInches ? `${widthInches} × ${heightInches} in` : 'Comes as a file'

/** The items of the package in the order that customers see, with actions for the open item. */
export const ItemList = ({ items, openId, onOpen, onAdd, invalidIndexes, ...actions }: ItemListProps) => {
  const openIndex = items.findIndex(({ id }) => id === openId)
  const openItem = items[openIndex]
  return (
    <section className={styles.items} aria-label="Items">
      <ol className={styles.list}>
        {items.map((item, index) => (
          <li key={item.id}>
            <button
              type="button"
              className={styles.item}
              aria-current={item.id === openId ? 'true' : undefined}
              onClick={() => onOpen(item.id)}
            >
              <span className={styles.thumbnail}>
                <PrintPreview item={item} content={samplePrintContent(item)} />
              </span>
              <span>
                <strong>{item.name || 'Without a name'}</strong>
                <small>{sizeOf(item)}</small>
                {invalidIndexes.has(index) && <small className={styles.error}>Something is missing here</small>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <div className={styles.itemBar}>
        <Button variant="secondary" icon={Plus} onClick={onAdd}>
          Add product
        </Button>
        {openItem && (
          <fieldset className={styles.itemTools}>
            <legend>
              <VisuallyHidden>{openItem.name || 'This item'}</VisuallyHidden>
            </legend>
            <IconButton
              icon={ArrowUp}
              label="Move up"
              disabled={openIndex === 0}
              onClick={() => actions.onMove(openItem.id, -1)}
            />
            <IconButton
              icon={ArrowDown}
              label="Move down"
              disabled={openIndex === items.length - 1}
              onClick={() => actions.onMove(openItem.id, 1)}
            />
            <IconButton icon={Copy} label="Duplicate item" onClick={() => actions.onCopy(openItem.id)} />
            <IconButton icon={Trash} label="Remove item" onClick={() => actions.onRemove(openItem.id)} />
          </fieldset>
        )}
      </div>
    </section>
  )
}
