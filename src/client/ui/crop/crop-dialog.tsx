import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import ArrowUp from 'lucide-react/icons/arrow-up'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useCallback, useRef, useState } from 'react'
import type { CropDimensions, FrontendCropDimensions, ImageChoice } from '#domain/cart/cart.ts'
import { moveCropInside, type Size } from '#domain/printing/crop.ts'
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

/** A crop as made: its area, the editor's view, and the rotation. */
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
  /** Maximum size of the crop window's longer side in CSS pixels; by default all available space. */
  largest?: number
  onClose: () => void
  onDone: (cropped: CropResult) => void
}

const arrows = [
  { to: 'left', icon: ArrowLeft },
  { to: 'up', icon: ArrowUp },
  { to: 'down', icon: ArrowDown },
  { to: 'right', icon: ArrowRight },
] as const satisfies readonly { to: Direction; icon: unknown }[]

/** The existing crop, or a centred one. */
const begin = ({ cropDimensions, rotation }: CropDialogProps['choice'], frame: CropFrame): CropState =>
  cropDimensions
    ? { crop: moveCropInside(cropDimensions, frame.image, rotation), rotation }
    : initialCrop(frame, rotation)

export const CropDialog = (props: CropDialogProps) => (
  <Dialog open={props.open} onClose={props.onClose} title="Crop and turn" size="large">
    <Editor {...props} />
  </Dialog>
)

const Editor = ({ image, choice, aspect, largest, onClose, onDone }: CropDialogProps) => {
  const frame: CropFrame = { image, aspect }
  const [cropping, setCropping] = useState(() => begin(choice, frame))
  const view = useRef<FrontendCropDimensions>(choice.frontendCropDimensions)
  const keepView = useCallback((next: FrontendCropDimensions) => {
    view.current = next
  }, [])
  const { quarters, fine } = splitRotation(cropping.rotation)
  const zoom = zoomOf(cropping, frame)
  const done = () =>
    onDone({
      cropDimensions: cropping.crop,
      rotation: cropping.rotation,
      frontendCropDimensions: view.current ?? { x: 0, y: 0, zoom },
    })
  return (
    <div className={styles.sheet}>
      <CropStage
        url={image.previewUrl}
        frame={frame}
        cropping={cropping}
        largest={largest}
        onCropping={setCropping}
        onView={keepView}
      />
      <div className={styles.controls}>
        <Slider
          label="Zoom"
          min={1}
          max={maxZoom}
          step={0.02}
          value={zoom}
          shown={`${zoom.toFixed(1)}×`}
          valueText={`${zoom.toFixed(1)} times`}
          onValue={(next) => setCropping(zoomTo(cropping, next, frame))}
        />
        <Slider
          label="Straighten"
          min={-45}
          max={45}
          step={1}
          value={fine}
          shown={`${fine}°`}
          valueText={`${fine} degrees`}
          onValue={(next) => setCropping(rotateTo(cropping, quarters * 90 + next, frame))}
        />
        <div className={styles.buttons}>
          <fieldset className={styles.group}>
            <legend>
              <VisuallyHidden>Move the picture</VisuallyHidden>
            </legend>
            {arrows.map(({ to, icon }) => (
              <IconButton
                key={to}
                icon={icon}
                variant="secondary"
                label={`Move ${to}`}
                onClick={() => setCropping(nudge(cropping, to, frame))}
              />
            ))}
          </fieldset>
          <fieldset className={styles.group}>
            <legend>
              <VisuallyHidden>Turn the picture</VisuallyHidden>
            </legend>
            <IconButton
              icon={RotateCcw}
              variant="secondary"
              label="Turn left"
              onClick={() => setCropping(rotateTo(cropping, cropping.rotation - 90, frame))}
            />
            <IconButton
              icon={RotateCw}
              variant="secondary"
              label="Turn right"
              onClick={() => setCropping(rotateTo(cropping, cropping.rotation + 90, frame))}
            />
          </fieldset>
        </div>
      </div>
      <div className={styles.actions}>
        <Button variant="quiet" onClick={() => setCropping(initialCrop(frame))}>
          Reset
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={done}>Done</Button>
      </div>
    </div>
  )
}
