import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ImageUp from 'lucide-react/icons/image-up'
import { useRef } from 'react'
import { FileInput } from '#client/staff/kit/form/file-input.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type ImageLookup, patchImageOrder, publishImages } from '#contract/studio/images/image-lookups.ts'
import { bulkReplaceImages, type ReplacedImage } from '#contract/studio/images/image-replacement.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { ImageOwnerSearch } from './image-owner-search.tsx'
import styles from './images.module.css'
import { moveInOrder, pairFilesByName, type ReplacementPair } from './replacement-pairs.ts'
import type { ImageParams } from './use-image-list.ts'
import { useMoveImages } from './use-move-images.ts'

/** The server's limit of files per request. */
const maxFilesPerRequest = 20

const formatImageCount = (count: number): string => `${count} ${count === 1 ? 'image' : 'images'}`

const replaceQuestion = (pairs: readonly ReplacementPair<File>[], unmatched: readonly string[]) => ({
  title: `Replace ${formatImageCount(pairs.length)}?`,
  message: [
    'Carts, and orders whose images are not placed yet, use the new ones. Placed orders keep the old.',
    ...(unmatched.length > 0 ? [`No selected image is named like ${unmatched.join(', ')}.`] : []),
  ].join(' '),
  confirmText: 'Replace',
})

const replacementForm = (pairs: readonly ReplacementPair<File>[]): FormData => {
  const form = new FormData()
  form.append('MigrateUnplacedReferences', 'true')
  for (const [index, { imageId }] of pairs.entries())
    form.append(`ImageMigrationSettings[${index}].ImageId`, String(imageId))
  for (const { file } of pairs) form.append('files', file)
  return form
}

type SelectedImagesProps = { job: ImageParams; images: readonly ImageLookup[]; onDone: () => void }

/** Replaces the selected images with files from this device, paired by name. */
const ReplaceButton = ({ job, images, onDone }: SelectedImagesProps) => {
  const input = useRef<HTMLInputElement>(null)
  const { mutate, busy } = useStaffMutation(bulkReplaceImages)
  const replace = async (files: readonly File[]) => {
    const { pairs, unmatched } = pairFilesByName(images, files)
    if (pairs.length === 0) return toast(`No selected image is named like ${unmatched.join(', ')}`, 'error')
    if (!(await confirm(replaceQuestion(pairs, unmatched)))) return
    const results: ReplacedImage[] = []
    let hasFailed = false
    for (let sentCount = 0; sentCount < pairs.length && !hasFailed; sentCount += maxFilesPerRequest) {
      const answer = await mutate({
        params: job,
        form: replacementForm(pairs.slice(sentCount, sentCount + maxFilesPerRequest)),
      })
      if (answer.ok) results.push(...answer.data)
      else hasFailed = true
    }
    const problems = results.flatMap(({ problem }) => problem ?? [])
    const replacedCount = results.length - problems.length
    if (problems.length > 0) toastError(problems)
    if (replacedCount > 0) toast(`${formatImageCount(replacedCount)} replaced`, 'success')
    if (!hasFailed) onDone()
  }
  return (
    <>
      <Button variant="secondary" icon={ImageUp} loading={busy} onClick={() => input.current?.click()}>
        Replace…
      </Button>
      <FileInput
        ref={input}
        label="Replacement images"
        accept="image/jpeg,image/png,image/webp"
        multiple
        onFiles={(files) => void replace(files)}
      />
    </>
  )
}

/** Moves an image earlier or later among those of its subject or group. Customers see the images in this order. */
const OrderButtons = ({ job, images, id }: Omit<SelectedImagesProps, 'onDone'> & { id: number }) => {
  const { mutate, busy } = useStaffMutation(patchImageOrder)
  const ids = images.map((image) => image.id)
  const [earlier, later] = [moveInOrder(ids, id, -1), moveInOrder(ids, id, 1)]
  const reorder = (imageIds: number[] | null) => imageIds && void mutate({ params: job, body: { imageIds } })
  return (
    <>
      <Button variant="secondary" icon={ArrowLeft} disabled={!earlier || busy} onClick={() => reorder(earlier)}>
        Earlier
      </Button>
      <Button variant="secondary" icon={ArrowRight} disabled={!later || busy} onClick={() => reorder(later)}>
        Later
      </Button>
    </>
  )
}

type ImageBulkActionsProps = {
  job: ImageParams
  /** Images of the current page, in order. */
  images: readonly ImageLookup[]
  selected: ReadonlySet<number>
  /** Whether the page lists all images of a subject or group, in the order that customers see. */
  canReorder: boolean
  onClear: () => void
}

/** Actions for the selected images, at the bottom of the screen. */
export const ImageBulkActions = ({ job, images, selected, canReorder, onClear }: ImageBulkActionsProps) => {
  const { move, busy } = useMoveImages(job)
  const publish = useStaffMutation(publishImages)
  const ids = [...selected]
  const [onlyId] = ids
  const selectedImages = images.filter(({ id }) => selected.has(id))
  const arePublished = selectedImages.length === ids.length && selectedImages.every(({ isPublished }) => isPublished)
  const togglePublished = async () => {
    const answer = await publish.mutate({ params: job, body: { imageIds: ids, published: !arePublished } })
    if (answer.ok) onClear()
  }
  return (
    <section className={styles.bulkActions} aria-label="Selection" data-actions>
      <strong className="tabular" role="status">
        {ids.length} selected
      </strong>
      <ImageOwnerSearch
        job={job}
        label="Move to"
        onChoose={async ({ kind, id }) => {
          if (await move(ids, kind === 'group' ? { groupId: id } : { subjectId: id })) onClear()
        }}
      />
      <div className={styles.actions}>
        {canReorder && ids.length === 1 && onlyId !== undefined && (
          <OrderButtons job={job} images={images} id={onlyId} />
        )}
        <ReplaceButton job={job} images={selectedImages} onDone={onClear} />
        <Button variant="secondary" loading={publish.busy} onClick={togglePublished}>
          {arePublished ? 'Withdraw' : 'Publish'}
        </Button>
        <Button variant="quiet" loading={busy} onClick={onClear}>
          Clear selection
        </Button>
      </div>
    </section>
  )
}
