import { useState } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { deleteShare, listShares, postShare, type Share } from '#contract/customer/share-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { callApi } from '#platform/api/api.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { useConnected } from '#platform/use-connected.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast, toastError } from '#ui/toast/toast.ts'
import { OwnShares } from './own-shares.tsx'
import { ShareForm } from './share-form.tsx'
import { ShareLink } from './share-link.tsx'
import styles from './sharing.css?inline'

// An imported style sheet would be one more file for the service worker. The content security policy allows constructed ones.
const styleSheet = new CSSStyleSheet()
styleSheet.replaceSync(styles)
document.adoptedStyleSheets.push(styleSheet)

type SharingProps = {
  subjectId: number
  /** Images of the subject alone. */
  images: readonly Image[]
  /** The images that are chosen at first. */
  initialIds: readonly number[]
}

export type ShareDialogProps = SharingProps & { open: boolean; onClose: () => void }

/** The shares of a subject, and the requests that create and stop one. */
const useShares = (subjectId: number) => {
  const { jobId, studioSlug } = useJobContext()
  const params = { jobId, subjectId }
  const query = useQuery(listShares, { params })
  const [stoppedIds, setStoppedIds] = useState<readonly number[]>([])
  const [created, setCreated] = useState<{ address: string; share: Share }>()
  const shares = query.data?.shares.filter(({ id }) => !stoppedIds.includes(id))
  const create = async (imageIds: readonly number[]): Promise<readonly string[]> => {
    const response = await callApi(postShare, { params, body: { imageIds: [...imageIds] } })
    // Also after a failure: the request may have arrived, and its link can then be stopped.
    query.refetch()
    if (!response.ok) return response.errors
    const { token, share } = response.data
    setCreated({ share, address: `${window.location.origin}/${studioSlug}/shared/${token}` })
    return []
  }
  const stop = async (shareId: number): Promise<void> => {
    const response = await callApi(deleteShare, { params: { ...params, shareId } })
    if (!response.ok) return toastError(response.errors)
    setStoppedIds((before) => [...before, shareId])
    toast('The link no longer works')
    if (created?.share.id === shareId) setCreated(undefined)
  }
  return { query, shares, created, create, stop, createAnother: () => setCreated(undefined) }
}

const Sharing = ({ subjectId, ...props }: SharingProps) => {
  const { query, shares, created, create, stop, createAnother } = useShares(subjectId)
  const isConnected = useConnected()
  return (
    <div className="sharing">
      {created ? (
        <ShareLink {...created} onCreateAnother={createAnother} />
      ) : (
        <ShareForm {...props} isConnected={isConnected} onCreate={create} />
      )}
      <OwnShares {...{ query, shares, isConnected }} onStop={stop} />
    </div>
  )
}

/** Creates links to a subject's images for others, and lists those of this customer. */
export const ShareDialog = ({ open, onClose, ...props }: ShareDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Show to someone"
    description="Make a link to photos for family and friends. They only look: they can’t order or download."
    size="small"
  >
    <Sharing {...props} />
  </Dialog>
)
