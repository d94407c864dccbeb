import Eye from 'lucide-react/icons/eye'
import ImagePlus from 'lucide-react/icons/image-plus'
import Redo from 'lucide-react/icons/redo-2'
import TextPlus from 'lucide-react/icons/type'
import Undo from 'lucide-react/icons/undo-2'
import Users from 'lucide-react/icons/users'
import { useMemo, useState } from 'react'
import type { PackageRow } from '../../../contract/studio/package-sets.ts'
import type { StaffProduct } from '../../../contract/studio/products.ts'
import type { PackageItem } from '../../../domain/catalogue.ts'
import { copiedItem, startItem } from '../../../domain/start-item.ts'
import { useKeys } from '../../staff/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { AddProduct } from './add-product.tsx'
import { Details } from './details.tsx'
import styles from './editor.module.css'
import { addImage, addText, changeItem, moveItem, nodesOf, placeNode, turnItem, withoutNode } from './editor-draft.ts'
import { ItemList } from './item-list.tsx'
import { NodeFields } from './node-fields.tsx'
import { Preview } from './preview.tsx'
import { Stage } from './stage.tsx'
import type { PackageEditor } from './use-package-editor.ts'

type EditorProps = {
  editor: PackageEditor
  products: readonly StaffProduct[]
  standards: readonly PackageRow[]
  allowConsumerCrop: boolean
  isNew: boolean
}

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  retailCost: 'Price',
  altName: 'Name customers see',
  altDescription: 'Description',
  items: 'What is in it',
  packageAddon: 'Sold as',
  offeredPrepay: 'Offered before the picture day',
  offeredGallery: 'Offered with the pictures',
  taxClass: 'Taxed as',
}

const isOfItems = (path: string): boolean => path === 'items' || path.startsWith('items.')

/** A package while it is made: what is in it, drawn as it prints, and what it costs. */
export const PackageEditorForm = (props: EditorProps) => {
  const { editor, standards, isNew } = props
  const { draft, fields } = editor
  const [tab, setTab] = useState(isNew ? 'details' : 'items')
  const [previews, setPreviews] = useState(false)
  const { undo, redo } = editor
  // biome-ignore lint/correctness/useExhaustiveDependencies: the steps of an editor are the same however often it is drawn
  const keys = useMemo(
    () => [
      { key: 'z', does: 'Take a step back', run: undo },
      { key: 'y', does: 'Take it forward again', run: redo },
    ],
    [],
  )
  useKeys(keys)
  const wrong = Object.keys(fields)
  const counts = { items: wrong.filter(isOfItems).length, details: wrong.filter((path) => !isOfItems(path)).length }
  const count = (of: keyof typeof counts) => (counts[of] > 0 ? { count: counts[of] } : {})
  const tabs = [
    { id: 'items', label: 'What is in it', ...count('items') },
    { id: 'details', label: 'Name and price', ...count('details') },
  ]
  return (
    <div className={styles.editor}>
      <div className={styles.steps}>
        <Button variant="quiet" icon={Undo} disabled={!editor.canUndo} onClick={undo}>
          Undo
        </Button>
        <Button variant="quiet" icon={Redo} disabled={!editor.canRedo} onClick={redo}>
          Redo
        </Button>
        <Button variant="secondary" icon={Eye} onClick={() => setPreviews(true)}>
          Preview as a parent sees it
        </Button>
      </div>
      {editor.wasKept && !editor.clashes && (
        <Notice>What you changed here before is still here; it is not saved yet.</Notice>
      )}
      {editor.clashes && <Clashes fields={editor.clashes.map(({ field }) => labels[field] ?? field)} />}
      <Tabs label="Package" tabs={tabs} selected={tab} onSelect={setTab}>
        {tab === 'items' ? (
          <Items {...props} />
        ) : (
          <Details
            draft={draft}
            standards={standards}
            errors={fields}
            onChange={(change, group) => editor.edit((before) => ({ ...before, ...change }), group)}
            onSettled={editor.endStep}
          />
        )}
      </Tabs>
      <SaveBar editor={editor} />
      <Preview draft={draft} open={previews} onClose={() => setPreviews(false)} />
    </div>
  )
}

const Clashes = ({ fields }: { fields: readonly string[] }) => (
  <Notice tone="attention" title="Somebody else saved this while you were at it">
    {fields.length === 0 ? (
      <p>Their changes are in here now, and so are yours. Look it over and save again.</p>
    ) : (
      <p>What you changed is still here. Saving again puts yours in the place of theirs: {fields.join(', ')}.</p>
    )}
  </Notice>
)

const SaveBar = ({ editor }: { editor: PackageEditor }) => {
  const { isDirty, justSaved, busy, errors } = editor
  return (
    <div className={styles.bar} data-dirty={isDirty || undefined}>
      {errors.length > 0 && (
        <p role="alert" className={styles.error}>
          {errors.join(' ')}
        </p>
      )}
      <span role="status" className={styles.word}>
        {isDirty ? 'Not saved yet' : justSaved ? 'Saved' : ''}
      </span>
      <Button variant="quiet" disabled={!isDirty || busy} onClick={editor.reset}>
        Undo changes
      </Button>
      <Button loading={busy} onClick={() => void editor.save()}>
        Save
      </Button>
    </div>
  )
}

/** The items, the print of the one that is open, and what there is to say of what is chosen on it. */
const Items = ({ editor, products, allowConsumerCrop }: EditorProps) => {
  const { draft, fields, edit } = editor
  // By place, since a new item's id changes as it is saved.
  const [open, setOpen] = useState(0)
  const [adds, setAdds] = useState(false)
  const place = Math.min(open, draft.items.length - 1)
  const item = draft.items[place]
  const wrong = new Set(
    Object.keys(fields)
      .flatMap((path) => /^items\.(\d+)/.exec(path)?.[1] ?? [])
      .map(Number),
  )

  const add = (product: StaffProduct) => {
    edit((before) => ({
      ...before,
      items: [...before.items, startItem(product, { items: before.items, allowConsumerCrop })],
    }))
    setOpen(draft.items.length)
  }
  const copy = (id: number) => {
    const original = draft.items.find((one) => one.id === id)
    if (!original) return
    edit((before) => ({ ...before, items: before.items.toSpliced(place + 1, 0, copiedItem(original, before.items)) }))
    setOpen(place + 1)
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
            setOpen(place + by)
          }}
          onCopy={copy}
          onRemove={(id) => edit((before) => ({ ...before, items: before.items.filter((one) => one.id !== id) }))}
          wrong={wrong}
        />
      )}
      {item ? (
        <OpenItem key={item.id} editor={editor} item={item} place={place} />
      ) : (
        <EmptyState title="Nothing in it yet" action={<Button onClick={() => setAdds(true)}>Add product</Button>}>
          <p>A package is made of products: prints, billfolds, downloads. {fields.items?.join(' ')}</p>
        </EmptyState>
      )}
      <AddProduct open={adds} onClose={() => setAdds(false)} products={products} onAdd={add} />
    </div>
  )
}

type OpenItemProps = { editor: PackageEditor; item: PackageItem; place: number }

const OpenItem = ({ editor, item, place }: OpenItemProps) => {
  const { draft, fields, edit, endStep } = editor
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const [snaps, setSnaps] = useState(true)
  const [keepsShape, setKeepsShape] = useState(false)
  const nodes = nodesOf(item)
  const selected = nodes.find(({ node }) => node.id === selectedId)
  const onItem = (change: (item: PackageItem) => PackageItem, group?: string) =>
    edit((before) => changeItem(before, item.id, change), group)

  const pathOf = (nodeId: number): string => {
    const image = item.imageNodes.findIndex(({ id }) => id === nodeId)
    const list = image >= 0 ? 'imageNodes' : 'textNodes'
    const at = image >= 0 ? image : item.textNodes.findIndex(({ id }) => id === nodeId)
    return `items.${place}.${list}.${at}`
  }
  const isWrong = (nodeId: number) => Object.keys(fields).some((path) => path.startsWith(`${pathOf(nodeId)}.`))
  const wrong = new Set(nodes.map(({ node }) => node.id).filter(isWrong))
  const remove = (nodeId: number) => {
    onItem((before) => withoutNode(before, nodeId))
    setSelectedId(null)
  }
  const put = ({ draft: next, id }: ReturnType<typeof addImage>) => {
    edit(() => next)
    setSelectedId(id)
  }
  const isPrinted = item.widthInches !== null
  return (
    <>
      <div className={styles.middle}>
        {isPrinted && (
          <div className={styles.tools}>
            <Button variant="secondary" icon={ImagePlus} onClick={() => put(addImage(draft, item, 'Image'))}>
              Picture
            </Button>
            <Button variant="secondary" icon={Users} onClick={() => put(addImage(draft, item, 'Group'))}>
              Group picture
            </Button>
            <Button variant="secondary" icon={TextPlus} onClick={() => put(addText(draft, item))}>
              Text
            </Button>
            <Checkbox label="Snap to edges" checked={snaps} onValue={setSnaps} />
            <Checkbox label="Keep the shape" checked={keepsShape} onValue={setKeepsShape} />
          </div>
        )}
        <ItemErrors fields={fields} at={`items.${place}`} />
        {isPrinted ? (
          <Stage
            item={item}
            selectedId={selected?.node.id ?? null}
            onSelect={setSelectedId}
            onPlace={(nodeId, box, group) => onItem((before) => placeNode(before, nodeId, box), group)}
            onSettled={endStep}
            onRemove={remove}
            snaps={snaps}
            keepsShape={keepsShape}
            wrong={wrong}
          />
        ) : (
          <Notice>This comes as a file: nothing of it is printed, so there is nothing to place.</Notice>
        )}
      </div>
      <div className={styles.side}>
        {selected ? (
          <NodeFields
            key={selected.node.id}
            item={item}
            one={selected}
            onItem={onItem}
            onSettled={endStep}
            onRemove={() => remove(selected.node.id)}
            errors={(field) => fields[`${pathOf(selected.node.id)}.${field}`] ?? []}
          />
        ) : (
          <ItemFields item={item} onItem={onItem} onSettled={endStep} errors={fields[`items.${place}.name`] ?? []} />
        )}
      </div>
    </>
  )
}

/** What is wrong with an item as a whole, or with what it has too many or too few of. */
const ItemErrors = ({ fields, at }: { fields: Readonly<Record<string, readonly string[]>>; at: string }) => {
  const own = [at, `${at}.imageNodes`, `${at}.textNodes`, `${at}.productCode`, `${at}.widthInches`]
  const said = own.flatMap((path) => fields[path] ?? [])
  return said.length > 0 && <p className={styles.error}>{said.join(' ')}</p>
}

type ItemFieldsProps = {
  item: PackageItem
  onItem: (change: (item: PackageItem) => PackageItem, group?: string) => void
  onSettled: () => void
  errors: readonly string[]
}

const ItemFields = ({ item, onItem, onSettled, errors }: ItemFieldsProps) => {
  const { widthInches, heightInches } = item
  const canTurn = widthInches !== null && heightInches !== null && widthInches !== heightInches
  return (
    <section className={styles.fields} aria-label="Item">
      <h3>Item</h3>
      <Field label="Name" hint="What customers read: “8×10 Print”" errors={errors}>
        <TextInput
          value={item.name}
          onValue={(name) => onItem((before) => ({ ...before, name }), `item ${item.id}`)}
          onBlur={onSettled}
        />
      </Field>
      {canTurn && (
        <Button variant="secondary" onClick={() => onItem(turnItem)}>
          {heightInches > widthInches ? 'Lay it on its side' : 'Stand it upright'}
        </Button>
      )}
      {widthInches !== null && <p>Tap a picture or a text on the print to change it.</p>}
    </section>
  )
}
