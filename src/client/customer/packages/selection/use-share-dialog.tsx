import Send from 'lucide-react/icons/send'
import { type ComponentType, useState } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { ignoring } from '#domain/shared/ignoring.ts'
import { Button } from '#ui/button/button.tsx'
import { toastError } from '#ui/toast/toast.ts'
import type { ShareDialogProps } from '../sharing/share-dialog.tsx'
import styles from './select-package.module.css'

type ShareDialogOptions = { subjectId: number; images: readonly Image[]; favouriteIds: readonly number[] }

/**
 * The dialog that shows photos to someone. It is loaded when it is opened first: with one image chosen, or with the favorites, or with all
 * images if there are none. `shareableIds` is empty if the studio does not offer it. Images of groups can't be shown to others.
 */
export const useShareDialog = ({ subjectId, images, favouriteIds }: ShareDialogOptions) => {
  const { studio } = useJobContext()
  const [Dialog, setDialog] = useState<ComponentType<ShareDialogProps> | null>(null)
  /** Undefined while the dialog is closed. */
  const [initialIds, setInitialIds] = useState<readonly number[]>()
  const ownImages = studio.isSharingEnabled ? images.filter(({ type }) => type === 'hosted-individual') : []
  const shareableIds = ownImages.map(({ id }) => id)
  const open = async (imageId?: number) => {
    const module = await ignoring('offline, and the dialog is not cached', () => import('../sharing/share-dialog.tsx'))
    if (!module) return toastError(['This needs a connection. Please try again in a moment.'])
    const preferredIds = shareableIds.filter((id) => (imageId ? id === imageId : favouriteIds.includes(id)))
    setDialog(() => module.ShareDialog)
    setInitialIds(preferredIds.length > 0 ? preferredIds : shareableIds)
  }
  const props = { subjectId, images: ownImages, initialIds: initialIds ?? [], onClose: () => setInitialIds(undefined) }
  return { shareableIds, open, dialog: Dialog && <Dialog {...props} open={initialIds !== undefined} /> }
}

/** Opens the dialog with the favorites or all images. */
export const ShareButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    variant="secondary"
    size="xs"
    icon={Send}
    aria-label="Show to someone"
    className={styles.corner}
    style={{ insetBlock: 'var(--space-2) auto' }}
    onClick={onClick}
  >
    Show to someone
  </Button>
)
