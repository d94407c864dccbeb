import Undo from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { maxImagesPerRequest, publishImages } from '#contract/studio/images/image-lookups.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './images.module.css'
import type { ImageParams } from './use-image-list.ts'

const formatImageCount = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'image' : 'images'}`

export type PublishAllState = {
  busy: boolean
  /** Ids of the images that the last run published, for the undo; null if there are none. */
  published: readonly number[] | null
  publishAll: (count: number) => Promise<void>
  undo: () => Promise<void>
  dismiss: () => void
}

/** Publishes all unpublished images after a confirmation that shows their number. The undo withdraws exactly these images. */
export const usePublishAll = (job: ImageParams): PublishAllState => {
  const { mutate, busy } = useStaffMutation(publishImages)
  const [published, setPublished] = useState<readonly number[] | null>(null)
  const publishAll = async (count: number) => {
    const question = {
      title: `Publish ${formatImageCount(count)}?`,
      message: 'Customers see them at once. Images that were withdrawn stay withdrawn.',
      confirmText: `Publish ${count.toLocaleString('en-US')}`,
    }
    if (!(await confirm(question))) return
    const answer = await mutate({ params: job, body: { imageIds: null, published: true } })
    if (!answer.ok) return
    const { imageIds = [] } = answer.data
    setPublished(imageIds.length > 0 ? imageIds : null)
    if (imageIds.length === 0) toast('There was nothing left to publish')
  }
  const undo = async () => {
    let remaining = published ?? []
    while (remaining.length > 0) {
      const imageIds = remaining.slice(0, maxImagesPerRequest)
      const answer = await mutate({ params: job, body: { imageIds, published: false, undo: true } })
      if (!answer.ok) return
      remaining = remaining.slice(maxImagesPerRequest)
      setPublished(remaining.length > 0 ? remaining : null)
    }
    toast(`Undone: ${formatImageCount(published?.length ?? 0)} no longer published`, 'success')
  }
  return { busy, published, publishAll, undo, dismiss: () => setPublished(null) }
}

export const PublishAllButton = ({ publishing, count }: { publishing: PublishAllState; count: number }) => (
  <div className={styles.tray}>
    <Button loading={publishing.busy} onClick={() => void publishing.publishAll(count)}>
      Publish all {count.toLocaleString('en-US')}
    </Button>
  </div>
)

/** Shows how many images were published, with an undo button. */
export const PublishedNotice = ({ publishing }: { publishing: PublishAllState }) => {
  const { published, undo, busy, dismiss } = publishing
  if (!published) return null
  return (
    <Notice
      tone="success"
      onDismiss={dismiss}
      action={
        <Button variant="secondary" size="sm" icon={Undo} loading={busy} onClick={() => void undo()}>
          Undo
        </Button>
      }
    >
      {formatImageCount(published.length)} published
    </Notice>
  )
}
