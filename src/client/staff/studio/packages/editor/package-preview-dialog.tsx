import { useState } from 'react'
import { isDigital, type OrderMethod, type PackageItem } from '#domain/catalogue/catalogue.ts'
import { digitalLabelOf } from '#domain/catalogue/downloads.ts'
import { asksForText, isEditableImageNode } from '#domain/catalogue/nodes.ts'
import { toCents } from '#domain/pricing/money.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Tabs } from '#ui/navigation/tabs.tsx'
import { Price } from '#ui/price.tsx'
import { PackageName } from '#ui/print/package-name.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import type { EditorDraft } from './editor-draft.ts'
import styles from './package-editor.module.css'
import { samplePrintContent, sampleSubject } from './sample-subject.ts'

type PackagePreviewDialogProps = { draft: EditorDraft; open: boolean; onClose: () => void }

const methods = [
  { id: 'gallery', label: 'In the gallery' },
  { id: 'prepay', label: 'Before the picture day' },
] as const

/** Previews the package with the components that customers see. */
export const PackagePreviewDialog = ({ draft, open, onClose }: PackagePreviewDialogProps) => {
  const [method, setMethod] = useState<OrderMethod>('gallery')
  const isOffered = method === 'gallery' ? draft.offeredGallery : draft.offeredPrepay
  return (
    <Dialog open={open} onClose={onClose} title="As a parent sees it" size="large">
      <Tabs
        label="When"
        tabs={methods}
        selected={method}
        onSelect={(id) => setMethod(id === 'prepay' ? 'prepay' : 'gallery')}
      >
        {isOffered ? <PackagePreview draft={draft} method={method} /> : <p>It is not offered then.</p>}
      </Tabs>
    </Dialog>
  )
}

const PackagePreview = ({ draft, method }: { draft: EditorDraft; method: OrderMethod }) => {
  const name = draft.altName ?? (draft.name || 'Without a name')
  const items = draft.items.map((item) => ({ item, content: samplePrintContent(item) }))
  return (
    <article className={styles.preview}>
      <PackagePrints items={items} label={draft.items.map((item) => item.name).join(', ')} />
      <header>
        <h3>
          <PackageName>{name}</PackageName>
        </h3>
        {Number.isFinite(draft.retailCost) && <Price cents={toCents(draft.retailCost)} size="large" />}
      </header>
      {draft.altDescription?.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      <ul>
        {draft.items.map((item) => (
          <li key={item.id}>
            <strong>{digitalLabelOf(item.productCode) ?? item.name}</strong>
            <span>{customerTasksOf(item, method)}</span>
          </li>
        ))}
      </ul>
    </article>
  )
}

const listFormat = new Intl.ListFormat('en-US')

/** Describes what the customer has to do for an item of a job with imported subjects. */
const customerTasksOf = (item: PackageItem, method: OrderMethod): string => {
  const imageCount = method === 'prepay' ? 0 : item.imageNodes.filter(isEditableImageNode).length
  const orderContext = { orderMethod: method, importedData: true, subject: sampleSubject }
  const texts = isDigital(item.productCode) ? [] : item.textNodes.filter((node) => asksForText(node, orderContext))
  const [emptyTexts, filledTexts] = [
    texts.filter(({ value }) => value === ''),
    texts.filter(({ value }) => value !== ''),
  ]
  const tasks = [
    ...(imageCount > 0 ? [imageCount === 1 ? 'chooses a photo' : `chooses ${imageCount} photos`] : []),
    ...(emptyTexts.length > 0 ? [`writes ${listFormat.format(emptyTexts.map(({ name }) => name))}`] : []),
    ...(filledTexts.length > 0 ? [`may change ${listFormat.format(filledTexts.map(({ name }) => name))}`] : []),
  ]
  return tasks.length > 0 ? `The parent ${listFormat.format(tasks)}` : 'Nothing to do'
}
