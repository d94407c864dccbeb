import { useEffect, useRef, useState } from 'react'
import { Notice } from '#ui/feedback/notice.tsx'
import { createQrReader } from './qr-reader.ts'
import styles from './shoot.module.css'

/** Milliseconds between two reads of the camera, and for which the same card is ignored after a read. */
const [lookMs, sameMs] = [150, 2_500]

const noCamera = 'The camera cannot be used here. Type the code, or use a hand scanner'

const openCamera = () =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment', width: { ideal: 1280 } } })

const watch = (video: HTMLVideoElement, onRead: (scanned: string) => void): (() => void) => {
  let isOver = false
  let last = { text: '', at: 0 }
  const scan = async (read: Awaited<ReturnType<typeof createQrReader>>) => {
    while (!isOver) {
      const text = await read(video).catch(() => null)
      const at = Date.now()
      if (text !== null && !isOver && (text !== last.text || at - last.at > sameMs)) onRead(text)
      if (text !== null) last = { text, at }
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }
  void createQrReader().then(scan)
  return () => {
    isOver = true
  }
}

/** The tablet's camera view. Reads each card once. */
export const Scanner = ({ onRead }: { onRead: (scanned: string) => void }) => {
  const video = useRef<HTMLVideoElement>(null)
  const read = useRef(onRead)
  read.current = onRead
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const screen = video.current
    if (!screen) return
    let stream: MediaStream | undefined
    let stop = () => {}
    let isOver = false
    const begin = async () => {
      stream = await openCamera()
      if (isOver) return end()
      screen.srcObject = stream
      await screen.play()
      stop = watch(screen, (text) => read.current(text))
    }
    const end = () => {
      isOver = true
      stop()
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    begin().catch(() => isOver || setFailed(true))
    return end
  }, [])
  if (failed) return <Notice tone="attention">{noCamera}</Notice>
  return (
    <div className={styles.camera}>
      <video ref={video} muted playsInline aria-label="What the camera sees" />
      <span className={styles.aim} aria-hidden="true" />
    </div>
  )
}
