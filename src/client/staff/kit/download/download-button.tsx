import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Button, type ButtonProps } from '#ui/button/button.tsx'
import { toastError } from '#ui/toast/toast.ts'

type DownloadButtonProps = Omit<ButtonProps, 'variant' | 'icon' | 'loading' | 'onClick'> & {
  /** Starts the download. Returns the messages if that failed. */
  onDownload: () => Promise<readonly string[] | undefined>
}

/** A button that downloads a file. It is busy until the download starts; a failure shows a toast. */
export const DownloadButton = ({ onDownload, ...buttonProps }: DownloadButtonProps) => {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    const errors = await onDownload().finally(() => setBusy(false))
    if (errors) toastError(errors)
  }
  return <Button {...buttonProps} variant="secondary" icon={Download} loading={busy} onClick={() => void download()} />
}
