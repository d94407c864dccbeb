import Send from 'lucide-react/icons/send'
import { type ComponentType, useState } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { ignoring } from '#domain/shared/ignoring.ts'
import { Button } from '#ui/button/button.tsx'
import { toastError } from '#ui/toast/toast.ts'
import type { ShareDialogProps } from '../sharing/share-dialog.tsx'
import styles from './select-package.module.css'

type ShareButtonProps = Omit<ShareDialogProps, 'open' | 'onClose'>

/** Opens the dialog that shows photos to someone. It is loaded at the first tap. Images of groups can't be shown to others. */
export const ShareButton = ({ images, ...props }: ShareButtonProps) => {
  const { studio } = useJobContext()
  const [Dialog, setDialog] = useState<ComponentType<ShareDialogProps> | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const ownImages = images.filter(({ type }) => type === 'hosted-individual')
  if (studio.isSharingEnabled !== true || ownImages.length === 0) return null
  const open = async () => {
    const module = await ignoring('offline, and the dialog is not cached', () => import('../sharing/share-dialog.tsx'))
    if (!module) return toastError(['This needs a connection. Please try again in a moment.'])
    setDialog(() => module.ShareDialog)
    setIsOpen(true)
  }
  return (
    <>
      <Button
        variant="secondary"
        size="xs"
        icon={Send}
        aria-label="Show to someone"
        className={styles.corner}
        style={{ insetBlock: 'var(--space-2) auto' }}
        onClick={() => void open()}
      >
        Show to someone
      </Button>
      {Dialog && <Dialog {...props} images={ownImages} open={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  )
}
