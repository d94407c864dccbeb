import { useEffect, useRef, useState } from 'react'
import { Notice } from '#ui/feedback/notice.tsx'
import { createQrReader } from './qr-reader.ts'
import styles from './scanner.module.css'

/** Milliseconds between two reads of the camera. */
const readIntervalMs = 150
/** Milliseconds for which a card is ignored after it was last in view. */
const repeatDelayMs = 2_500

/** Why there is no picture; `NotAllowedError` is the refusal of the user, or of the device for this site. */
const cameraError = (problem: unknown): string =>
  problem instanceof DOMException && problem.name === 'NotAllowedError'
    ? 'The camera is blocked. You can allow it for this site in your browser’s settings.'
    : 'The camera cannot be used here.'

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

type ScannerProps = {
  onRead: (scanned: string) => void
  /** What to do without a camera, as a sentence. */
  instead: string
  /** How to hold the card. */
  hint?: string
}

/** Shows what the camera sees, and reads the QR codes of cards. */
export const Scanner = ({ onRead, instead, hint }: ScannerProps) => {
  const videoRef = useRef<HTMLVideoElement>(null)
  const latestOnRead = useRef(onRead)
  latestOnRead.current = onRead
  const [error, setError] = useState<string | null>(null)
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
    start().catch((problem: unknown) => isStopped || setError(cameraError(problem)))
    return stop
  }, [])
  if (error !== null) {
    return (
      <Notice tone="attention">
        {error} {instead}
      </Notice>
    )
  }
  return (
    <>
      <div className={styles.camera}>
        <video ref={videoRef} muted playsInline aria-label="What the camera sees" />
        <span className={styles.viewfinder} aria-hidden="true" />
      </div>
      {hint && <p>{hint}</p>}
    </>
  )
}
