import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ImageUp from 'lucide-react/icons/image-up'
import { useRef } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { type ImageLookup, patchImageOrder, publishImages } from '#contract/studio/image-lookups.ts'
import { bulkReplaceImages } from '#contract/studio/image-replacement.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { ImageOwnerSearch } from './image-owner-search.tsx'
import type { ImageParams } from './image-params.ts'
import styles from './images.module.css'
import { moveInOrder, pairFilesByName, type ReplacementPair } from './replacement-pairs.ts'
import { useMoveImages } from './use-move-images.ts'

/** The server's limit of files per request. */
const maxFilesPerRequest = 20

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const question = (pairs: readonly ReplacementPair<File>[], unmatched: readonly string[]) => ({
  title: `Replace ${counted(pairs.length, 'picture')}?`,
  message: [
    'Carts, and orders whose pictures are not placed yet, move to the new ones. Placed orders keep the old.',
    ...(unmatched.length > 0 ? [`No selected picture is called like ${unmatched.join(', ')}.`] : []),
  ].join(' '),
  confirmText: 'Replace',
})

const formOf = (pairs: readonly ReplacementPair<File>[]): FormData => {
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
    if (pairs.length === 0) return toast(`No selected picture is called like ${unmatched.join(', ')}`, 'error')
    if (!(await confirm(question(pairs, unmatched)))) return
    const wrong: string[] = []
    for (let sent = 0; sent < pairs.length; sent += maxFilesPerRequest) {
      const answer = await mutate({ params: job, form: formOf(pairs.slice(sent, sent + maxFilesPerRequest)) })
      if (!answer.ok) return
      wrong.push(...answer.data.flatMap(({ problem }) => problem ?? []))
    }
    const done = pairs.length - wrong.length
    if (wrong.length > 0) toastError(wrong)
    if (done > 0) toast(`${counted(done, 'picture')} replaced`, 'success')
    onDone()
  }
  return (
    <>
      <Button variant="secondary" icon={ImageUp} loading={busy} onClick={() => input.current?.click()}>
        Replace…
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept="image/jpeg,image/png,image/webp"
        className={styles.input}
        aria-label="The pictures that take their place"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (files.length > 0) void replace(files)
        }}
      />
    </>
  )
}

/** Moves an image among those of its subject or group; customers see this order. */
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
  /** Whether the page shows all images of a subject or group in the customers' order. */
  canOrder: boolean
  onNone: () => void
}

/** Actions for the selected images, at the bottom of the screen. */
export const ImageBulkActions = ({ job, images, selected, canOrder, onNone }: ImageBulkActionsProps) => {
  const { move, busy } = useMoveImages(job)
  const publish = useStaffMutation(publishImages)
  const ids = [...selected]
  const [only] = ids
  const chosen = images.filter(({ id }) => selected.has(id))
  const areShown = chosen.length === ids.length && chosen.every(({ isPublished }) => isPublished)
  const show = async () => {
    const answer = await publish.mutate({ params: job, body: { imageIds: ids, published: !areShown } })
    if (answer.ok) onNone()
  }
  return (
    <section className={styles.bulk} aria-label="What is selected" data-actions>
      <strong className="tabular" role="status">
        {ids.length} selected
      </strong>
      <ImageOwnerSearch
        job={job}
        label="Give them to"
        onChoose={async ({ kind, id }) => {
          if (await move(ids, kind === 'group' ? { groupId: id } : { subjectId: id })) onNone()
        }}
      />
      <div className={styles.actions}>
        {canOrder && ids.length === 1 && only !== undefined && <OrderButtons job={job} images={images} id={only} />}
        <ReplaceButton job={job} images={chosen} onDone={onNone} />
        <Button variant="secondary" loading={publish.busy} onClick={show}>
          {areShown ? 'Withdraw' : 'Publish'}
        </Button>
        <Button variant="quiet" loading={busy} onClick={onNone}>
          Select none
        </Button>
      </div>
    </section>
  )
}
