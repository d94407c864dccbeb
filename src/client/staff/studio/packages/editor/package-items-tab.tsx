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
  const { draft, fields, edit } = editor
  // By index, because a new item gets another id when it is saved.
  const [open, setOpen] = useState(0)
  const [adds, setAdds] = useState(false)
  const index = Math.min(open, draft.items.length - 1)
  const item = draft.items[index]
  const wrong = new Set(
    Object.keys(fields)
      .flatMap((path) => /^items\.(\d+)/.exec(path)?.[1] ?? [])
      .map(Number),
  )

  const add = (product: StaffProduct) => {
    edit((before) => ({
      ...before,
      items: [...before.items, defaultPackageItem(product, { items: before.items, allowConsumerCrop })],
    }))
    setOpen(draft.items.length)
  }
  const copy = (id: number) => {
    const original = draft.items.find((one) => one.id === id)
    if (!original) return
    edit((before) => ({
      ...before,
      items: before.items.toSpliced(index + 1, 0, duplicateItem(original, before.items)),
    }))
    setOpen(index + 1)
  }
  return (
    <div className={styles.work}>
      {draft.items.length > 0 && (
        <ItemList
          items={draft.items}
          openId={item?.id ?? null}
          onOpen={(id) => setOpen(draft.items.findIndex((one) => one.id === id))}
          onAdd={() => setAdds(true)}
          onMove={(id, by) => {
            edit((before) => moveItem(before, id, by))
            setOpen(index + by)
          }}
          onCopy={copy}
          onRemove={(id) => edit((before) => ({ ...before, items: before.items.filter((one) => one.id !== id) }))}
          wrong={wrong}
        />
      )}
      {item ? (
        <ItemEditor key={item.id} editor={editor} item={item} index={index} />
      ) : (
        <EmptyState title="Nothing in it yet" action={<Button onClick={() => setAdds(true)}>Add product</Button>}>
          <p>A package is made of products: prints, billfolds, downloads.</p>
          {fields.items && (
            <p role="alert" tabIndex={-1} className={styles.error} data-missing>
              {fields.items.join(' ')}
            </p>
          )}
        </EmptyState>
      )}
      <AddProductDialog open={adds} onClose={() => setAdds(false)} products={products} onAdd={add} />
    </div>
  )
}
