import ImageDown from 'lucide-react/icons/image-down'
import { useRef, useState } from 'react'
import type { DownloadFile } from '#contract/customer/download-calls.ts'
import { Button } from '#ui/button/button.tsx'
import styles from './downloads.module.css'

const fileType = (name: string): string => (/\.png$/i.test(name) ? 'image/png' : 'image/jpeg')

/** Whether the device can share an image file. Only touch devices: on a computer, a download is what people expect. */
export const canShareFiles = (): boolean =>
  matchMedia('(pointer: coarse)').matches &&
  navigator.canShare?.({ files: [new File([], 'photo.jpg', { type: 'image/jpeg' })] }) === true

/** Whether the sheet did not open because loading took too long after the tap, or was closed by the customer. */
const isNotShared = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)

/**
 * Loads a photo and opens the phone's sharing sheet, with "Save Image". A browser opens the sheet only soon after a tap:
 * if loading took longer, the next tap opens it at once.
 */
export const ShareImageButton = ({ name, url }: Pick<DownloadFile, 'name' | 'url'>) => {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const loadedFile = useRef<File | null>(null)
  const load = async (): Promise<File> => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`status ${response.status}`)
    return new File([await response.blob()], name, { type: fileType(name) })
  }
  const save = async () => {
    if (!loadedFile.current) setState('loading')
    try {
      loadedFile.current ??= await load()
      await navigator.share({ files: [loadedFile.current] })
      setState('idle')
    } catch (error) {
      setState(isNotShared(error) ? 'idle' : 'failed')
    }
  }
  return (
    <>
      {state === 'failed' && (
        <p role="alert" className={styles.failure}>
          The photo did not load. Check your connection and try again, or use Download.
        </p>
      )}
      <Button
        icon={ImageDown}
        loading={state === 'loading'}
        aria-label={`Save to Photos: ${name}`}
        onClick={() => void save()}
      >
        Save to Photos
      </Button>
    </>
  )
}
