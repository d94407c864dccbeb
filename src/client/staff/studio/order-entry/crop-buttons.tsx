import Check from 'lucide-react/icons/check'
import Crop from 'lucide-react/icons/crop'
import { lazy, Suspense, useEffect, useState } from 'react'
import { usePreferences } from '#client/staff/kit/query/use-preferences.ts'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import {
  type EntryForm,
  type EntryPackage,
  type EntrySubject,
  listEntrySubjects,
} from '#contract/studio/order-entry.ts'
import { cutPlaces } from '#domain/orders/paper-order.ts'
import { aspectOf, cropAspect } from '#domain/printing/crop-aspect.ts'
import { pageIn } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { type CutPlace, cutNames, imageAt, pictureOf, withCrop } from './entry-crops.ts'
import type { KeyedLine } from './entry-form-values.ts'
import styles from './order-entry.module.css'

const CropSheet = lazy(async () => ({ default: (await import('#ui/crop/crop-dialog.tsx')).CropSheet }))

type CropsProps = {
  line: KeyedLine
  made: EntryPackage
  organizationType: EntryForm['organizationType']
  onChange: (change: Partial<KeyedLine>) => void
}

type CuttingProps = Omit<CropsProps, 'made'> & { place: CutPlace; onClose: () => void }

const uncut = { cropDimensions: null, frontendCropDimensions: null, rotation: 0 }

const Cutting = ({ line, place: { item, node }, organizationType, onChange, onClose }: CuttingProps) => {
  const { id: studioId } = useStudio()
  const { id: jobId } = useJob()
  const { preferences, reading: liked } = usePreferences()
  const { firstName, lastName } = line.subject
  // A form may lie on the screen for longer than addresses of pictures are good.
  const reading = useAnswer(listEntrySubjects, {
    params: { studioId, jobId },
    query: { filter: `${firstName} ${lastName}`, currentPage: 1 },
  })
  const people = reading.data ? pageIn<EntrySubject>(reading.data).resultItems : []
  const picture = pictureOf(line, line[imageAt(node)], people)
  const { width = 0, height = 0, previewUrl, isGroup } = picture ?? {}
  const { aspect, warning } = cropAspect({
    nodeAspect: aspectOf(node, item),
    organizationType,
    imageType: isGroup ? 'hosted-group' : 'hosted-individual',
    imageWidth: width,
    imageHeight: height,
  })
  useEffect(() => {
    if (warning) console.warn(`${item.name}, ${node.name}: ${warning}`)
  }, [warning, item.name, node.name])
  // The editor does not change its size while somebody works in it.
  const [isReady, setReady] = useState(false)
  if (!isReady && !reading.isAsking && !liked.isAsking) setReady(true)
  if (!isReady) return null
  if (previewUrl === undefined) return <p className={styles.fault}>This picture cannot be shown right now.</p>
  return (
    <Suspense>
      <CropSheet
        open
        image={{ width, height, previewUrl }}
        choice={line.crops?.find(({ nodeId }) => nodeId === node.id) ?? uncut}
        aspect={aspect}
        largest={preferences.buildMaximumCropperSize}
        onClose={onClose}
        onDone={(cropped) => {
          onChange({ crops: withCrop(line.crops, { nodeId: node.id, ...cropped }) })
          onClose()
        }}
      />
    </Suspense>
  )
}

/** What may be cut of a line's pictures: a button for each print, and the sheet it opens. */
export const Crops = ({ line, made, ...more }: CropsProps) => {
  const [cutting, setCutting] = useState<CutPlace | undefined>()
  const places = cutPlaces(made.package).filter(({ node }) => (line[imageAt(node)] ?? null) !== null)
  if (places.length === 0) return null
  const names = cutNames(places)
  return (
    <div className={styles.tools}>
      {places.map((place, at) => {
        const isCut = line.crops?.some(({ nodeId }) => nodeId === place.node.id)
        return (
          <Button
            key={place.node.id}
            variant="secondary"
            size="sm"
            icon={isCut ? Check : Crop}
            onClick={() => setCutting(place)}
          >
            {isCut ? `${names[at]}: cropped` : `Crop ${names[at]}`}
          </Button>
        )
      })}
      {cutting && <Cutting {...more} line={line} place={cutting} onClose={() => setCutting(undefined)} />}
    </div>
  )
}
