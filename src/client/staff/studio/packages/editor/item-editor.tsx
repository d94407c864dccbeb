import { useState } from 'react'
import type { PackageItem } from '#domain/catalogue/catalogue.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { type addImage, changeItem, nodesOf, placeNode, withoutNode } from './editor-draft.ts'
import { ItemCanvas } from './item-canvas.tsx'
import { ItemFields } from './item-fields.tsx'
import { ItemToolbar } from './item-toolbar.tsx'
import { NodeFields } from './node-fields.tsx'
import styles from './package-editor.module.css'
import type { PackageEditor } from './use-package-editor.ts'

type ItemEditorProps = { editor: PackageEditor; item: PackageItem; index: number }

/** Edits one item: its print with all nodes, and the fields of the selected node. */
export const ItemEditor = ({ editor, item, index }: ItemEditorProps) => {
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
    return `items.${index}.${list}.${at}`
  }
  const isWrong = (nodeId: number) => Object.keys(fields).some((path) => path.startsWith(`${pathOf(nodeId)}.`))
  const wrong = new Set(nodes.map(({ node }) => node.id).filter(isWrong))
  const remove = (nodeId: number) => {
    onItem((before) => withoutNode(before, nodeId))
    setSelectedId(null)
  }
  const addNode = ({ draft: next, id }: ReturnType<typeof addImage>) => {
    edit(() => next)
    setSelectedId(id)
  }
  const isPrinted = item.widthInches !== null
  return (
    <>
      <div className={styles.middle}>
        {isPrinted && <ItemToolbar draft={draft} item={item} onAdd={addNode} />}
        <ItemErrors fields={fields} at={`items.${index}`} />
        {isPrinted ? (
          <ItemCanvas
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
        {isPrinted && (
          <div className={styles.tools}>
            <Checkbox label="Snap to edges" checked={snaps} onValue={setSnaps} />
            <Checkbox label="Keep the shape" checked={keepsShape} onValue={setKeepsShape} />
          </div>
        )}
      </div>
      <div className={styles.side}>
        {selected ? (
          <NodeFields
            key={selected.node.id}
            item={item}
            editorNode={selected}
            onItem={onItem}
            onSettled={endStep}
            onRemove={() => remove(selected.node.id)}
            errors={(field) => fields[`${pathOf(selected.node.id)}.${field}`] ?? []}
          />
        ) : (
          <ItemFields item={item} onItem={onItem} onSettled={endStep} errors={fields[`items.${index}.name`] ?? []} />
        )}
      </div>
    </>
  )
}

/** Errors of the item itself, and of the number of its nodes. */
const ItemErrors = ({ fields, at }: { fields: Readonly<Record<string, readonly string[]>>; at: string }) => {
  const paths = [at, `${at}.imageNodes`, `${at}.textNodes`, `${at}.productCode`, `${at}.widthInches`]
  const messages = paths.flatMap((path) => fields[path] ?? [])
  return messages.length > 0 && <p className={styles.error}>{messages.join(' ')}</p>
}
