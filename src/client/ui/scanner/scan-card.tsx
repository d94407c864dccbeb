import Camera from 'lucide-react/icons/camera'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ignoring } from '#domain/shared/ignoring.ts'
import { unreachableMessage } from '#local/transport/failure-cause.ts'
import { Button } from '../button/button.tsx'
import { Loader } from '../feedback/loader.tsx'
import styles from './scan-card.module.css'

const ScannerNotLoaded = () => <p role="status">{unreachableMessage()}</p>

// The decoder is needed only after the tap.
const Scanner = lazy(() =>
  import('./scanner.tsx').then(
    (module) => ({ default: module.Scanner }),
    () => ({ default: ScannerNotLoaded }),
  ),
)

/** Whether the device has a camera, which browsers reveal without permission to use it. */
const useHasCamera = (): boolean => {
  const [hasCamera, setHasCamera] = useState(false)
  useEffect(() => {
    void ignoring('the code can be typed', async () => {
      const devices = await navigator.mediaDevices?.enumerateDevices()
      setHasCamera(devices?.some(({ kind }) => kind === 'videoinput') ?? false)
    })
  }, [])
  return hasCamera
}

/** What to say if the scanned code is not that of a card. */
export const notACardMessage = 'This code is not from a photo card. Try the square code on your card'

/** Opens what a scanned text leads to; resolves to what is wrong with it, if anything. */
type OpenCard = (text: string) => Promise<string | undefined> | string | undefined

/** The button that reads the QR code of a card with the camera; nothing on a device without one. */
export const ScanCard = ({ onRead }: { onRead: OpenCard }) => {
  const hasCamera = useHasCamera()
  const [isScanning, setScanning] = useState(false)
  const [message, setMessage] = useState<string | undefined>()
  if (!hasCamera) return null
  const open = async (text: string) => {
    setMessage('Opening…')
    try {
      setMessage(await onRead(text))
    } catch {
      setMessage(unreachableMessage())
    }
  }
  const toggle = () => {
    setMessage(undefined)
    setScanning(!isScanning)
  }
  return (
    <div className={styles.scan}>
      <Button variant="secondary" icon={Camera} onClick={toggle} wide>
        {isScanning ? 'Stop the camera' : 'Scan my card'}
      </Button>
      {isScanning && (
        <Suspense fallback={<Loader label="Starting the camera" size="2x" />}>
          <Scanner
            onRead={(text) => void open(text)}
            instead="You can type the code from your card."
            hint="Hold the square code on your card in front of the camera."
          />
        </Suspense>
      )}
      <p role="status">{message}</p>
    </div>
  )
}
