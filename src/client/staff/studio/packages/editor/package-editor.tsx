import Eye from 'lucide-react/icons/eye'
import Redo from 'lucide-react/icons/redo-2'
import Undo from 'lucide-react/icons/undo-2'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import type { PackageRow } from '#contract/studio/package-sets.ts'
import type { StaffProduct } from '#contract/studio/products.ts'
import { isDigital } from '#domain/catalogue/catalogue.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Tabs } from '#ui/navigation/tabs.tsx'
import { PackageDetailsFields } from './package-details-fields.tsx'
import styles from './package-editor.module.css'
import { PackageItemsTab } from './package-items-tab.tsx'
import { PackagePreviewDialog } from './package-preview-dialog.tsx'
import { PackageConflictNotice, SaveBar } from './save-bar.tsx'
import { isItemsPath, useFocusInvalidField } from './use-focus-invalid-field.ts'
import type { PackageEditor } from './use-package-editor.ts'

type EditorProps = {
  editor: PackageEditor
  products: readonly StaffProduct[]
  standards: readonly PackageRow[]
  /** Whether images of new items may be cropped. */
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

/** Editor of a package: items, prints and prices. */
export const PackageEditorForm = (props: EditorProps) => {
  const { editor, standards, isNew } = props
  const { draft, fields } = editor
  const [tab, setTab] = useState(isNew ? 'details' : 'items')
  const [previews, setPreviews] = useState(false)
  const { features } = useStudio()
  const holdsFiles = draft.items.some((item) => isDigital(item.productCode))
  const { undo, redo } = editor
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor's actions do not depend on the render
  const keys = useMemo(
    () => [
      { key: 'z', description: 'Take a step back', run: undo },
      { key: 'y', description: 'Take it forward again', run: redo },
    ],
    [],
  )
  useShortcuts(keys)
  const wrong = Object.keys(fields)
  const form = useFocusInvalidField(editor, setTab)
  const counts = { items: wrong.filter(isItemsPath).length, details: wrong.filter((path) => !isItemsPath(path)).length }
  const count = (of: keyof typeof counts) => (counts[of] > 0 ? { count: counts[of] } : {})
  const tabs = [
    { id: 'items', label: 'What is in it', ...count('items') },
    { id: 'details', label: 'Name and price', ...count('details') },
  ]
  // Inside of a text field the browser's own undo applies.
  const press = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    if (event.shiftKey) redo()
    else undo()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles key events that bubble from the controls inside, which have roles
    <div ref={form} className={styles.editor} onKeyDown={press}>
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
      {editor.wasKept && !editor.conflicts && (
        <Notice>What you changed here before is still here; it is not saved yet.</Notice>
      )}
      {editor.conflicts && (
        <PackageConflictNotice fields={editor.conflicts.map(({ field }) => labels[field] ?? field)} />
      )}
      {holdsFiles && !features.has('digitalDownloads') && (
        <Notice tone="attention">
          Your studio was not given downloads: nobody is offered a package with files in it.
        </Notice>
      )}
      <Tabs label="Package" tabs={tabs} selected={tab} onSelect={setTab}>
        {tab === 'items' ? (
          <PackageItemsTab {...props} />
        ) : (
          <PackageDetailsFields
            draft={draft}
            standards={standards}
            errors={fields}
            onChange={(change, group) => editor.edit((before) => ({ ...before, ...change }), group)}
            onSettled={editor.endStep}
          />
        )}
      </Tabs>
      <SaveBar editor={editor} />
      <PackagePreviewDialog draft={draft} open={previews} onClose={() => setPreviews(false)} />
    </div>
  )
}
