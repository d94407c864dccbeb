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
  const { draft, fieldErrors, edit, endStep } = editor
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const [isSnapEnabled, setSnapEnabled] = useState(true)
  const [isRatioLocked, setRatioLocked] = useState(false)
  const nodes = nodesOf(item)
  const selectedNode = nodes.find(({ node }) => node.id === selectedId)
  const changeThisItem = (change: (item: PackageItem) => PackageItem, group?: string) =>
    edit((before) => changeItem(before, item.id, change), group)

  const pathOf = (nodeId: number): string => {
    const imageIndex = item.imageNodes.findIndex(({ id }) => id === nodeId)
    if (imageIndex >= 0) return `items.${index}.imageNodes.${imageIndex}`
    return `items.${index}.textNodes.${item.textNodes.findIndex(({ id }) => id === nodeId)}`
  }
  const hasErrors = (nodeId: number) => Object.keys(fieldErrors).some((path) => path.startsWith(`${pathOf(nodeId)}.`))
  const invalidIds = new Set(nodes.map(({ node }) => node.id).filter(hasErrors))
  const remove = (nodeId: number) => {
    changeThisItem((before) => withoutNode(before, nodeId))
    setSelectedId(null)
  }
  const addNode = ({ draft: changedDraft, id }: ReturnType<typeof addImage>) => {
    edit(() => changedDraft)
    setSelectedId(id)
  }
  const isPrinted = item.widthInches !== null
  return (
    <>
      <div className={styles.canvasColumn}>
        {isPrinted && <ItemToolbar draft={draft} item={item} onAdd={addNode} />}
        <ItemErrors fieldErrors={fieldErrors} itemPath={`items.${index}`} />
        {isPrinted ? (
          <ItemCanvas
            item={item}
            selectedId={selectedNode?.node.id ?? null}
            onSelect={setSelectedId}
            onPlace={(nodeId, box, group) => changeThisItem((before) => placeNode(before, nodeId, box), group)}
            onSettled={endStep}
            onRemove={remove}
            isSnapEnabled={isSnapEnabled}
            isRatioLocked={isRatioLocked}
            invalidIds={invalidIds}
          />
        ) : (
          <Notice>This is a file: nothing is printed, so there is nothing to place.</Notice>
        )}
        {isPrinted && (
          <div className={styles.tools}>
            <Checkbox label="Snap to edges" checked={isSnapEnabled} onValue={setSnapEnabled} />
            <Checkbox label="Lock ratio" checked={isRatioLocked} onValue={setRatioLocked} />
          </div>
        )}
      </div>
      <div className={styles.fieldsColumn}>
        {selectedNode ? (
          <NodeFields
            key={selectedNode.node.id}
            item={item}
            editorNode={selectedNode}
            onItem={changeThisItem}
            onSettled={endStep}
            onRemove={() => remove(selectedNode.node.id)}
            errors={(field) => fieldErrors[`${pathOf(selectedNode.node.id)}.${field}`] ?? []}
          />
        ) : (
          <ItemFields
            item={item}
            onItem={changeThisItem}
            onSettled={endStep}
            errors={fieldErrors[`items.${index}.name`] ?? []}
          />
        )}
      </div>
    </>
  )
}

type ItemErrorsProps = { fieldErrors: Readonly<Record<string, readonly string[]>>; itemPath: string }

/** Errors of the item itself, for example about the number of its nodes. */
const ItemErrors = ({ fieldErrors, itemPath }: ItemErrorsProps) => {
  const tails = ['', '.imageNodes', '.textNodes', '.productCode', '.widthInches']
  const messages = tails.flatMap((tail) => fieldErrors[`${itemPath}${tail}`] ?? [])
  return messages.length > 0 && <p className={styles.error}>{messages.join(' ')}</p>
}
