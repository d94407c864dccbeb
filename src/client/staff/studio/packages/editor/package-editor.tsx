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

type PackageEditorFormProps = {
  editor: PackageEditor
  products: readonly StaffProduct[]
  standardPackages: readonly PackageRow[]
  /** Whether images of new items may be cropped. */
  allowConsumerCrop: boolean
  isNew: boolean
}

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  retailCost: 'Price',
  altName: 'Name customers see',
  altDescription: 'Description',
  items: 'Contents',
  packageAddon: 'Sold as',
  offeredPrepay: 'Offered before the picture day',
  offeredGallery: 'Offered in the gallery',
  isRecommended: '“Most popular” until orders show which one is',
  taxClass: 'Taxed as',
}

/** Edits a package: its items and their prints on one tab, its name and price on the other. */
export const PackageEditorForm = (props: PackageEditorFormProps) => {
  const { editor, standardPackages, isNew } = props
  const { draft, fieldErrors } = editor
  const [tab, setTab] = useState(isNew ? 'details' : 'items')
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const { features } = useStudio()
  const hasDownloads = draft.items.some((item) => isDigital(item.productCode))
  const { undo, redo } = editor
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor's actions do not depend on the render
  const shortcuts = useMemo(
    () => [
      { key: 'z', description: 'Undo the last change', run: undo },
      { key: 'y', description: 'Redo it', run: redo },
    ],
    [],
  )
  useShortcuts(shortcuts)
  const errorPaths = Object.keys(fieldErrors)
  const formRef = useFocusInvalidField(editor, setTab)
  const itemErrorCount = errorPaths.filter(isItemsPath).length
  const detailErrorCount = errorPaths.length - itemErrorCount
  const tabs = [
    { id: 'items', label: 'Contents', ...(itemErrorCount > 0 && { count: itemErrorCount }) },
    { id: 'details', label: 'Name and price', ...(detailErrorCount > 0 && { count: detailErrorCount }) },
  ]
  // In a text field, the browser's own undo applies.
  const handleKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    if (event.shiftKey) redo()
    else undo()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles key events that bubble from the controls inside, which have roles
    <div ref={formRef} className={styles.editor} onKeyDown={handleKey}>
      <div className={styles.toolbar}>
        <Button variant="quiet" icon={Undo} disabled={!editor.canUndo} onClick={undo}>
          Undo
        </Button>
        <Button variant="quiet" icon={Redo} disabled={!editor.canRedo} onClick={redo}>
          Redo
        </Button>
        <Button variant="secondary" icon={Eye} onClick={() => setPreviewOpen(true)}>
          Preview as a parent sees it
        </Button>
      </div>
      {editor.isRestored && !editor.conflicts && (
        <Notice>What you changed here before is still here; it is not saved yet.</Notice>
      )}
      {editor.conflicts && (
        <PackageConflictNotice fields={editor.conflicts.map(({ field }) => labels[field] ?? field)} />
      )}
      {hasDownloads && !features.has('digitalDownloads') && (
        <Notice tone="attention">Your studio doesn’t have downloads: packages with files are not offered.</Notice>
      )}
      <Tabs label="Package" tabs={tabs} selected={tab} onSelect={setTab}>
        {tab === 'items' ? (
          <PackageItemsTab {...props} />
        ) : (
          <PackageDetailsFields
            draft={draft}
            standardPackages={standardPackages}
            errors={fieldErrors}
            onChange={(change, group) => editor.edit((before) => ({ ...before, ...change }), group)}
            onSettled={editor.endStep}
          />
        )}
      </Tabs>
      <SaveBar editor={editor} />
      <PackagePreviewDialog draft={draft} open={isPreviewOpen} onClose={() => setPreviewOpen(false)} />
    </div>
  )
}
