import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ArrowUp from 'lucide-react/icons/arrow-up'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useCallback, useRef, useState } from 'react'
import type { CropDimensions, FrontendCropDimensions, ImageChoice } from '#domain/cart/cart.ts'
import type { Size } from '#domain/printing/crop.ts'
import { moveCropInside } from '#domain/printing/crop-changes.ts'
import { Button, IconButton } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Slider } from '../form/slider.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './crop.module.css'
import { CropStage } from './crop-stage.tsx'
import {
  type CropFrame,
  type CropState,
  type Direction,
  initialCrop,
  maxZoom,
  nudge,
  rotateTo,
  splitRotation,
  zoomOf,
  zoomTo,
} from './crop-state.ts'

/** A finished crop: its area, the editor's view, and the rotation. */
export type CropResult = {
  cropDimensions: CropDimensions
  frontendCropDimensions: FrontendCropDimensions
  rotation: number
}

type CropDialogProps = {
  open: boolean
  image: Size & { previewUrl: string }
  choice: Pick<ImageChoice, keyof CropResult>
  aspect: number
  /** Width / height of what is printed, the middle of the crop; null if nothing is printed. */
  printedAspect?: number | null
  /** Maximum size of the crop window's longer side in CSS pixels; by default all available space. */
  largest?: number
  onClose: () => void
  onDone: (cropped: CropResult) => void
}

/** A smaller difference between two aspects cannot be seen. */
const visibleDifference = 0.005

const arrows = [
  { to: 'left', icon: ArrowLeft },
  { to: 'up', icon: ArrowUp },
  { to: 'down', icon: ArrowDown },
  { to: 'right', icon: ArrowRight },
] as const satisfies readonly { to: Direction; icon: unknown }[]

const turns = [
  { to: 'left', icon: RotateCcw, degrees: -90 },
  { to: 'right', icon: RotateCw, degrees: 90 },
] as const

/** The existing crop, or a centred one. */
const initialState = ({ cropDimensions, rotation }: CropDialogProps['choice'], frame: CropFrame): CropState =>
  cropDimensions
    ? { crop: moveCropInside(cropDimensions, frame.image, rotation), rotation }
    : initialCrop(frame, rotation)

type ControlsProps = { cropState: CropState; frame: CropFrame; onCropping: (next: CropState) => void }

const CropSliders = ({ cropState, frame, onCropping }: ControlsProps) => {
  const { quarters, fine } = splitRotation(cropState.rotation)
  const zoom = zoomOf(cropState, frame)
  return (
    <>
      <Slider
        label="Zoom"
        min={1}
        max={maxZoom}
        step={0.02}
        value={zoom}
        displayedValue={`${zoom.toFixed(1)}×`}
        valueText={`${zoom.toFixed(1)} times`}
        onValue={(next) => onCropping(zoomTo(cropState, next, frame))}
      />
      <Slider
        label="Straighten"
        min={-45}
        max={45}
        step={1}
        value={fine}
        displayedValue={`${fine}°`}
        valueText={`${fine} degrees`}
        onValue={(next) => onCropping(rotateTo(cropState, quarters * 90 + next, frame))}
      />
    </>
  )
}

const MoveAndTurnButtons = ({ cropState, frame, onCropping }: ControlsProps) => (
  <div className={styles.buttons}>
    <fieldset className={styles.group}>
      <legend>
        <VisuallyHidden>Move</VisuallyHidden>
      </legend>
      {arrows.map(({ to, icon }) => (
        <IconButton
          key={to}
          icon={icon}
          variant="secondary"
          label={`Move ${to}`}
          onClick={() => onCropping(nudge(cropState, to, frame))}
        />
      ))}
    </fieldset>
    <fieldset className={styles.group}>
      <legend>
        <VisuallyHidden>Rotate</VisuallyHidden>
      </legend>
      {turns.map(({ to, icon, degrees }) => (
        <IconButton
          key={to}
          icon={icon}
          variant="secondary"
          label={`Rotate ${to}`}
          onClick={() => onCropping(rotateTo(cropState, cropState.rotation + degrees, frame))}
        />
      ))}
    </fieldset>
  </div>
)

export const CropDialog = (props: CropDialogProps) => (
  <Dialog open={props.open} onClose={props.onClose} title="Crop and rotate" size="large">
    <Editor {...props} />
  </Dialog>
)

const Editor = ({ image, choice, aspect, printedAspect = null, largest, onClose, onDone }: CropDialogProps) => {
  const frame: CropFrame = { image, aspect }
  const [cropState, setCropState] = useState(() => initialState(choice, frame))
  const view = useRef<FrontendCropDimensions>(choice.frontendCropDimensions)
  const storeView = useCallback((next: FrontendCropDimensions) => {
    view.current = next
  }, [])
  const submit = () =>
    onDone({
      cropDimensions: cropState.crop,
      rotation: cropState.rotation,
      frontendCropDimensions: view.current ?? { x: 0, y: 0, zoom: zoomOf(cropState, frame) },
    })
  const isPartPrinted = printedAspect !== null && Math.abs(printedAspect / aspect - 1) > visibleDifference
  const controls = { cropState, frame, onCropping: setCropState }
  return (
    <div className={styles.sheet}>
      <CropStage
        url={image.previewUrl}
        largest={largest}
        printedAspect={isPartPrinted ? printedAspect : null}
        onView={storeView}
        {...controls}
      />
      {isPartPrinted && <p className={styles.note}>Only what is inside the dashed line is printed.</p>}
      <div className={styles.controls}>
        <CropSliders {...controls} />
        <MoveAndTurnButtons {...controls} />
      </div>
      <div className={styles.actions}>
        <Button variant="quiet" onClick={() => setCropState(initialCrop(frame))}>
          Reset
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={submit}>Done</Button>
      </div>
    </div>
  )
}
