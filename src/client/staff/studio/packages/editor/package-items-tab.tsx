import { useState } from 'react'
import type { StaffProduct } from '#contract/studio/products.ts'
import { defaultPackageItem, duplicateItem } from '#domain/catalogue/default-package-item.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { AddProductDialog } from './add-product-dialog.tsx'
import { moveItem } from './editor-draft.ts'
import { ItemEditor } from './item-editor.tsx'
import { ItemList } from './item-list.tsx'
import styles from './package-editor.module.css'
import type { PackageEditor } from './use-package-editor.ts'

type PackageItemsTabProps = {
  editor: PackageEditor
  products: readonly StaffProduct[]
  /** Whether images of new items may be cropped, from the studio's package preferences. */
  allowConsumerCrop: boolean
}

/** The item list, the print of the open item, and the fields of its selected node. */
export const PackageItemsTab = ({ editor, products, allowConsumerCrop }: PackageItemsTabProps) => {
  const { draft, fieldErrors, edit } = editor
  // An index, because the id of a new item changes when it is saved.
  const [openIndex, setOpenIndex] = useState(0)
  const [isAdding, setAdding] = useState(false)
  const index = Math.min(openIndex, draft.items.length - 1)
  const item = draft.items[index]
  const invalidIndexes = new Set(
    Object.keys(fieldErrors)
      .flatMap((path) => /^items\.(\d+)/.exec(path)?.[1] ?? [])
      .map(Number),
  )

  const add = (product: StaffProduct) => {
    edit((before) => ({
      ...before,
      items: [
        ...before.items,
        defaultPackageItem(product, {
          items: before.items,
          allowConsumerCrop: allowConsumerCrop && product.allowCrop,
        }),
      ],
    }))
    setOpenIndex(draft.items.length)
  }
  const copy = (id: number) => {
    const original = draft.items.find((packageItem) => packageItem.id === id)
    if (!original) return
    edit((before) => ({
      ...before,
      items: before.items.toSpliced(index + 1, 0, duplicateItem(original, before.items)),
    }))
    setOpenIndex(index + 1)
  }
  return (
    <div className={styles.itemsTab}>
      {draft.items.length > 0 && (
        <ItemList
          items={draft.items}
          openId={item?.id ?? null}
          onOpen={(id) => setOpenIndex(draft.items.findIndex((packageItem) => packageItem.id === id))}
          onAdd={() => setAdding(true)}
          onMove={(id, by) => {
            edit((before) => moveItem(before, id, by))
            setOpenIndex(index + by)
          }}
          onCopy={copy}
          onRemove={(itemId) =>
            edit((before) => ({ ...before, items: before.items.filter(({ id }) => id !== itemId) }))
          }
          invalidIndexes={invalidIndexes}
        />
      )}
      {item ? (
        <ItemEditor key={item.id} editor={editor} item={item} index={index} />
      ) : (
        <EmptyState title="Nothing in it yet" action={<Button onClick={() => setAdding(true)}>Add product</Button>}>
          <p>A package is made of products: prints, billfolds, downloads.</p>
          {fieldErrors.items && (
            <p role="alert" tabIndex={-1} className={styles.error} data-missing>
              {fieldErrors.items.join(' ')}
            </p>
          )}
        </EmptyState>
      )}
      <AddProductDialog open={isAdding} onClose={() => setAdding(false)} products={products} onAdd={add} />
    </div>
  )
}
