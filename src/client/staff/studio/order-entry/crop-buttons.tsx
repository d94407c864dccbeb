import Check from 'lucide-react/icons/check'
import Crop from 'lucide-react/icons/crop'
import { lazy, Suspense, useEffect, useState } from 'react'
import { usePreferences, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import {
  type EntryForm,
  type EntryPackage,
  type EntrySubject,
  listEntrySubjects,
} from '#contract/studio/order-entry.ts'
import { croppableNodes } from '#domain/orders/paper-order.ts'
import { aspectOf, cropAspect } from '#domain/printing/crop-aspect.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { type CroppableNode, cropLabels, findEntryImage, imageFieldOf, withCrop } from './entry-crops.ts'
import type { EntryFormLine } from './entry-form-values.ts'
import styles from './order-entry.module.css'

const CropDialog = lazy(async () => ({ default: (await import('#ui/crop/crop-dialog.tsx')).CropDialog }))

type CropButtonsProps = {
  line: EntryFormLine
  entryPackage: EntryPackage
  organizationType: EntryForm['organizationType']
  onChange: (change: Partial<EntryFormLine>) => void
}

type CropEditorProps = Omit<CropButtonsProps, 'entryPackage'> & { croppable: CroppableNode; onClose: () => void }

const defaultCrop = { cropDimensions: null, frontendCropDimensions: null, rotation: 0 }

const CropEditor = ({ line, croppable: { item, node }, organizationType, onChange, onClose }: CropEditorProps) => {
  const { id: studioId } = useStudio()
  const { id: jobId } = useJob()
  const { preferences, query: preferencesQuery } = usePreferences()
  const { firstName, lastName } = line.subject
  // Loads the images again, because the signed URLs in the form may have expired.
  const query = useStaffQuery(listEntrySubjects, {
    params: { studioId, jobId },
    query: { filter: `${firstName} ${lastName}`, currentPage: 1 },
  })
  const subjects = query.data ? toPage<EntrySubject>(query.data).resultItems : []
  const image = findEntryImage(line, line[imageFieldOf(node)], subjects)
  const { width = 0, height = 0, previewUrl, isGroup } = image ?? {}
  const nodeAspect = aspectOf(node, item)
  const { aspect, warning } = cropAspect({
    nodeAspect,
    organizationType,
    imageType: isGroup ? 'hosted-group' : 'hosted-individual',
    imageWidth: width,
    imageHeight: height,
  })
  useEffect(() => {
    if (warning) console.warn(`${item.name}, ${node.name}: ${warning}`)
  }, [warning, item.name, node.name])
  // Waits for fresh data once, so that the open editor does not change its size.
  const [isReady, setReady] = useState(false)
  if (!isReady && !query.isFetching && !preferencesQuery.isFetching) setReady(true)
  if (!isReady) return null
  if (previewUrl === undefined) return <p className={styles.error}>This image cannot be shown right now.</p>
  return (
    <Suspense>
      <CropDialog
        open
        image={{ width, height, previewUrl }}
        choice={line.crops?.find(({ nodeId }) => nodeId === node.id) ?? defaultCrop}
        aspect={aspect}
        printedAspect={nodeAspect}
        largest={preferences.buildMaximumCropperSize}
        onClose={onClose}
        onDone={(crop) => {
          onChange({ crops: withCrop(line.crops, { nodeId: node.id, ...crop }) })
          onClose()
        }}
      />
    </Suspense>
  )
}

/** A button for each print that can be cropped; it opens the crop dialog. */
export const CropButtons = ({ line, entryPackage, ...editorProps }: CropButtonsProps) => {
  const [openNode, setOpenNode] = useState<CroppableNode | undefined>()
  const croppables = croppableNodes(entryPackage.package).filter(
    ({ node }) => (line[imageFieldOf(node)] ?? null) !== null,
  )
  if (croppables.length === 0) return null
  const labels = cropLabels(croppables)
  return (
    <div className={styles.tools}>
      {croppables.map((croppable, index) => {
        const isCropped = line.crops?.some(({ nodeId }) => nodeId === croppable.node.id)
        return (
          <Button
            key={croppable.node.id}
            variant="secondary"
            size="sm"
            icon={isCropped ? Check : Crop}
            onClick={() => setOpenNode(croppable)}
          >
            {isCropped ? `${labels[index]}: cropped` : `Crop ${labels[index]}`}
          </Button>
        )
      })}
      {openNode && (
        <CropEditor {...editorProps} line={line} croppable={openNode} onClose={() => setOpenNode(undefined)} />
      )}
    </div>
  )
}
