import { useEffect, useRef, useState } from 'react'
import { Notice } from '#ui/feedback/notice.tsx'
import { createQrReader } from './qr-reader.ts'
import styles from './shoot.module.css'

/** Milliseconds between two reads of the camera. */
const readIntervalMs = 150
/** Milliseconds for which a card is ignored after it was last in view. */
const repeatDelayMs = 2_500

const noCameraMessage = 'The camera cannot be used here. Type the code, or use a hand scanner'

const openCamera = () =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment', width: { ideal: 1280 } } })

const scanRepeatedly = (video: HTMLVideoElement, onRead: (scanned: string) => void): (() => void) => {
  let isStopped = false
  let lastRead = { text: '', at: 0 }
  const scan = async (readQr: Awaited<ReturnType<typeof createQrReader>>) => {
    while (!isStopped) {
      const text = await readQr(video).catch(() => null)
      const at = Date.now()
      if (text !== null && !isStopped && (text !== lastRead.text || at - lastRead.at > repeatDelayMs)) onRead(text)
      if (text !== null) lastRead = { text, at }
      await new Promise((resolve) => setTimeout(resolve, readIntervalMs))
    }
  }
  void createQrReader().then(scan)
  return () => {
    isStopped = true
  }
}

/** Shows the camera view of the tablet, and reads camera cards. */
export const Scanner = ({ onRead }: { onRead: (scanned: string) => void }) => {
  const videoRef = useRef<HTMLVideoElement>(null)
  const latestOnRead = useRef(onRead)
  latestOnRead.current = onRead
  const [isCameraUnavailable, setCameraUnavailable] = useState(false)
  useEffect(() => {
    const video = videoRef.current
    if (!video) return
    let stream: MediaStream | undefined
    let stopScanning = () => {}
    let isStopped = false
    const start = async () => {
      stream = await openCamera()
      if (isStopped) return stop()
      video.srcObject = stream
      await video.play()
      stopScanning = scanRepeatedly(video, (text) => latestOnRead.current(text))
    }
    const stop = () => {
      isStopped = true
      stopScanning()
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => isStopped || setCameraUnavailable(true))
    return stop
  }, [])
  if (isCameraUnavailable) return <Notice tone="attention">{noCameraMessage}</Notice>
  return (
    <div className={styles.camera}>
      <video ref={videoRef} muted playsInline aria-label="What the camera sees" />
      <span className={styles.viewfinder} aria-hidden="true" />
    </div>
  )
}
