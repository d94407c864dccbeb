import ImageUp from 'lucide-react/icons/image-up'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Star from 'lucide-react/icons/star'
import Trash from 'lucide-react/icons/trash-2'
import { useRef, useState } from 'react'
import { FileInput } from '#client/staff/kit/form/file-input.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import {
  convertImageType,
  deleteImage,
  generateThumbnail,
  getImageLookup,
  type ImageLookup,
  type ImageUsage,
  publishImages,
  setPrimaryImage,
} from '#contract/studio/images/image-lookups.ts'
import type { ImageOwner } from '#contract/studio/images/image-matching.ts'
import { checkImageUsage, decideCutOut, replaceImage } from '#contract/studio/images/image-replacement.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { ImageOwnerSearch } from './image-owner-search.tsx'
import styles from './images.module.css'
import type { ImageParams } from './use-image-list.ts'
import { useMoveImages } from './use-move-images.ts'

type ImageDialogProps = { job: ImageParams; imageId: number; onClose: () => void }
type ImagePanelProps = { job: ImageParams; image: ImageLookup }

const formatMegabytes = (size: number): string => `${(size / 1e6).toFixed(1)} MB`

const ImageDetails = ({ image }: { image: ImageLookup }) => {
  const { timeZone } = useStudio()
  const details: [string, string][] = [
    ['Whose', image.ownerName ?? 'Not matched'],
    ['Taken', image.takenAt ? new Date(image.takenAt).toLocaleString('en-US', { timeZone }) : 'Unknown'],
    ['Size', `${image.width ?? '–'} × ${image.height ?? '–'}, ${formatMegabytes(image.byteSize)}`],
    ['Shown to customers', image.isPublished ? 'Yes' : image.isWithdrawn ? 'Withdrawn' : 'Not yet'],
    ['Cut-out', image.hasAlpha ? 'Yes' : image.cutOut === 'proposed' ? 'Needs your approval' : 'No'],
  ]
  return (
    <dl className={styles.facts}>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const usageLabels = ({ orders, carts, yearBookPoses, downloads }: ImageUsage): string[] => [
  ...orders.map(({ orderNumber, customerName, state }) => `Order ${orderNumber} of ${customerName} (${state})`),
  ...(carts > 0 ? [`${carts} ${carts === 1 ? 'cart' : 'carts'} not ordered yet`] : []),
  ...(yearBookPoses > 0 ? ['Chosen for the yearbook'] : []),
  ...(downloads > 0 ? [`Given as a file ${downloads === 1 ? 'once' : `${downloads} times`}`] : []),
]

const Usage = ({ job, image }: ImagePanelProps) => {
  const [usage, setUsage] = useState<ImageUsage | null>(null)
  const check = useStaffMutation(checkImageUsage)
  const checkUsage = async () => {
    const answer = await check.mutate({ params: job, body: { ImageIds: [image.id] } })
    if (answer.ok) setUsage(answer.data[0] ?? null)
  }
  const usageLabelList = usage && usageLabels(usage)
  return (
    <div className={styles.usage}>
      <Button size="sm" variant="secondary" loading={check.busy} onClick={checkUsage}>
        Check usage
      </Button>
      {usageLabelList && (
        <ul aria-live="polite">
          {usageLabelList.length === 0 ? (
            <li>Not used in any cart or order.</li>
          ) : (
            usageLabelList.map((label) => <li key={label}>{label}</li>)
          )}
        </ul>
      )}
    </div>
  )
}

/** Shows a cut-out next to its original. The cut-out is used only after staff approve it. */
export const CutOutReview = ({ job, image }: ImagePanelProps) => {
  const { mutate, busy } = useStaffMutation(decideCutOut)
  const decide = (decision: 'accept' | 'reject') =>
    mutate({ params: { ...job, imageId: image.id }, body: { version: image.version, decision } })
  if (!image.cutOutUrl) return null
  return (
    <section className={styles.cutOut} aria-label={`Cut-out of ${image.fileName}`}>
      <div className={styles.pair}>
        <figure>
          {image.previewUrl && <img src={image.previewUrl} alt={`${image.fileName} as it was taken`} />}
          <figcaption>Original</figcaption>
        </figure>
        <figure>
          <img className={styles.checked} src={image.cutOutUrl} alt={`${image.fileName}, cut out`} />
          <figcaption>Cut out</figcaption>
        </figure>
      </div>
      <div className={styles.actions}>
        <Button variant="secondary" loading={busy} onClick={() => decide('reject')}>
          Keep the original
        </Button>
        <Button loading={busy} onClick={() => decide('accept')}>
          Use the cut-out
        </Button>
      </div>
    </section>
  )
}

const ReplaceButton = ({ job, image }: ImagePanelProps) => {
  const input = useRef<HTMLInputElement>(null)
  const { mutate, busy } = useStaffMutation(replaceImage)
  const replace = async (file: File) => {
    const form = new FormData()
    form.append('file', file)
    const answer = await mutate({ params: { ...job, imageId: image.id }, form })
    if (answer.ok) toast('The image was replaced', 'success')
  }
  return (
    <>
      <Button variant="secondary" icon={ImageUp} loading={busy} onClick={() => input.current?.click()}>
        Replace
      </Button>
      <FileInput
        ref={input}
        label="Replacement image"
        accept="image/jpeg,image/png,image/webp"
        onFiles={([file]) => void replace(file)}
      />
    </>
  )
}

const ImageActions = ({ job, image, onClose }: ImagePanelProps & { onClose: () => void }) => {
  const params = { ...job, imageId: image.id }
  const publish = useStaffMutation(publishImages)
  const primary = useStaffMutation(setPrimaryImage)
  const thumbnail = useStaffMutation(generateThumbnail)
  const remove = useStaffMutation(deleteImage)
  const confirmDelete = (message: string) =>
    confirm({ title: 'Delete this image?', message, confirmText: 'Delete', danger: true })
  const deleteAfterConfirmation = async () => {
    if (!(await confirmDelete('You can’t undo this, but you can upload it again.'))) return
    const answer = await remove.mutate({ params, query: {} }, { onError: 'silent' })
    if (answer.ok) return onClose()
    if (answer.problem !== 'image-chosen') return toastError(answer.errors)
    if (!(await confirmDelete(`${answer.errors.join('. ')}. Customers who chose it must choose again.`))) return
    if ((await remove.mutate({ params, query: { evenIfChosen: '1' } })).ok) onClose()
  }
  return (
    <div className={styles.actions}>
      {image.ownerName !== null && image.state !== 'refused' && (
        <Button
          loading={publish.busy}
          onClick={() => publish.mutate({ params: job, body: { imageIds: [image.id], published: !image.isPublished } })}
        >
          {image.isPublished ? 'Withdraw' : 'Publish'}
        </Button>
      )}
      {image.subjectId !== null && !image.isPrimary && (
        <Button variant="secondary" icon={Star} loading={primary.busy} onClick={() => primary.mutate({ params })}>
          Set as main image
        </Button>
      )}
      <ReplaceButton job={job} image={image} />
      <Button
        variant="secondary"
        icon={RefreshCw}
        loading={thumbnail.busy}
        onClick={() => thumbnail.mutate({ params })}
      >
        New thumbnail
      </Button>
      <Button variant="danger" icon={Trash} loading={remove.busy} onClick={deleteAfterConfirmation}>
        Delete
      </Button>
    </div>
  )
}

const OwnerControls = ({ job, image }: ImagePanelProps) => {
  const { move, busy } = useMoveImages(job)
  const convert = useStaffMutation(convertImageType)
  const isGroup = image.kind === 'hosted-group'
  const assignTo = (owner: ImageOwner) => {
    const isOtherKind = (owner.kind === 'group') !== isGroup
    const target = owner.kind === 'group' ? { groupId: owner.id } : { subjectId: owner.id }
    if (!isOtherKind || image.ownerName === null) return void move([image.id], target)
    void convert.mutate({ params: { ...job, imageId: image.id }, body: { version: image.version, ...target } })
  }
  return (
    <div className={styles.ownerControls}>
      <ImageOwnerSearch
        job={job}
        label={image.ownerName === null ? 'Whose image is it?' : 'Move to'}
        onChoose={assignTo}
      />
      {image.ownerName !== null && (
        <Button
          size="sm"
          variant="quiet"
          loading={busy || convert.busy}
          onClick={() => move([image.id], { nobody: true })}
        >
          Unmatch
        </Button>
      )}
    </div>
  )
}

/** Shows the preview of one image, or the review of its proposed cut-out, with its details and actions. */
export const ImageDialog = ({ job, imageId, onClose }: ImageDialogProps) => {
  const params = { ...job, imageId }
  const query = useStaffQuery(getImageLookup, { params, refetchIntervalMs: undefined })
  const isProcessing = query.data?.state === 'processing'
  useStaffQuery(getImageLookup, { params, enabled: isProcessing, refetchIntervalMs: isProcessing ? 2000 : undefined })
  return (
    <Dialog open onClose={onClose} title={query.data?.fileName ?? 'Image'} size="xl">
      <QueryBoundary query={query}>
        {(image) => (
          <div className={styles.detail}>
            <div className={styles.large}>
              {image.cutOut === 'proposed' ? (
                <CutOutReview job={job} image={image} />
              ) : image.previewUrl ? (
                <img
                  className={image.hasAlpha ? styles.checked : undefined}
                  src={image.previewUrl}
                  alt={`${image.fileName}, ${image.ownerName ?? 'not matched'}`}
                />
              ) : (
                <p>{image.refusal ?? 'This image is processing.'}</p>
              )}
            </div>
            <div className={styles.aside}>
              <ImageDetails image={image} />
              <OwnerControls job={job} image={image} />
              <Usage job={job} image={image} />
              <ImageActions job={job} image={image} onClose={onClose} />
            </div>
          </div>
        )}
      </QueryBoundary>
    </Dialog>
  )
}
