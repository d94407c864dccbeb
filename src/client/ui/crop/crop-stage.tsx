import { useEffect, useRef, useState } from 'react'
import Cropper, { type MediaSize } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import type { FrontendCropDimensions } from '#domain/cart/cart.ts'
import type { Size } from '#domain/printing/crop.ts'
import styles from './crop.module.css'
import { type CropFrame, type CropState, clampCrop } from './crop-state.ts'
import {
  type CropMeasurements,
  type CropView,
  cropMargin,
  cropToView,
  cropWindow,
  relativeView,
  viewToCrop,
} from './crop-view.ts'

type CropStageProps = {
  url: string
  frame: CropFrame
  cropState: CropState
  largest?: number | undefined
  /** Width / height of the middle of the crop that is printed; null if all of it is. */
  printedAspect: number | null
  onCropping: (next: CropState) => void
  /** Called when the editor's view changes. */
  onView: (view: FrontendCropDimensions) => void
}

/** The image behind its frame, moved by touch, mouse, wheel or arrow keys. Never shows an empty corner. */
export const CropStage = (props: CropStageProps) => {
  const { printedAspect, frame } = props
  const { aspect } = frame
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    const { current } = box
    if (!current) return
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={styles.stage}>
      {size && size.height > cropMargin * 3 && (
        // A new size needs a new editor: the existing one would shift its image.
        <>
          <Stage key={`${size.width} ${size.height}`} {...props} window={cropWindow(size, aspect, props.largest)} />
          {printedAspect !== null && (
            <PrintedArea aspect={printedAspect} window={cropWindow(size, aspect, props.largest)} />
          )}
        </>
      )}
    </div>
  )
}

/** The largest centred part of the crop window with this aspect. */
const PrintedArea = ({ aspect, window }: { aspect: number; window: Size }) => {
  const width = Math.min(window.width, window.height * aspect)
  return <div className={styles.printedArea} style={{ width, height: width / aspect }} />
}

const Stage = ({ url, frame, cropState, onCropping, onView, window }: CropStageProps & { window: Size }) => {
  const [media, setMedia] = useState<MediaSize | null>(null)
  const measured: CropMeasurements | null = media && { media, frame: window }
  const view: CropView = measured ? cropToView(cropState, measured) : { x: 0, y: 0, zoom: 1 }
  // A pinch reports position and zoom separately: the second builds on the first.
  const latestView = useRef<CropView>(view)
  latestView.current = view
  const move = (change: Partial<CropView>) => {
    if (!measured) return
    const next = { ...latestView.current, ...change }
    const { x, y, zoom } = latestView.current
    if (next.x === x && next.y === y && next.zoom === zoom) return
    latestView.current = next
    onCropping(clampCrop(viewToCrop(next, cropState.rotation, measured), frame))
  }
  const { x, y, zoom } = view
  const { width, height } = window
  useEffect(() => {
    if (media) onView(relativeView({ x, y, zoom }, { media, frame: { width, height } }))
  }, [media, x, y, zoom, width, height, onView])
  return (
    <Cropper
      image={url}
      crop={{ x, y }}
      zoom={zoom}
      rotation={cropState.rotation}
      minZoom={0.01}
      maxZoom={100}
      cropSize={window}
      restrictPosition={false}
      disableAutomaticStylesInjection
      keyboardStep={12}
      setMediaSize={setMedia}
      onCropChange={move}
      onZoomChange={(next) => move({ zoom: next })}
      classes={{ cropAreaClassName: styles.area ?? '' }}
      cropperProps={{ role: 'group', 'aria-label': 'Crop. The arrow keys move the photo.' }}
      mediaProps={{ alt: '' }}
    />
  )
}
