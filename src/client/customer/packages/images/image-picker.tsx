import Crop from 'lucide-react/icons/crop'
import { lazy, Suspense, useState } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { ImageChoice } from '#domain/cart/cart.ts'
import type { ImageNode, PackageItem } from '#domain/catalogue/catalogue.ts'
import { mayCrop } from '#domain/catalogue/nodes.ts'
import { aspectOf } from '#domain/printing/crop-aspect.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import type { CustomiseAction } from '../customiser/customise-reducer.ts'
import { fieldIdOf } from '../customiser/customise-steps.ts'
import styles from '../customiser/customiser.module.css'
import { useOrganizationType } from '../package-context.ts'
import { ImageStrip } from './image-strip.tsx'
import { chosenImageId, cropFrame, imageOptionLabel, imagesForNode } from './node-images.ts'

const LazyCropDialog = lazy(async () => ({ default: (await import('#ui/crop/crop-dialog.tsx')).CropDialog }))

type ImagePickerProps = {
  item: PackageItem
  node: ImageNode
  part: number
  images: readonly Image[]
  choice: ImageChoice | undefined
  label: string
  missing: boolean
  /** Whether other prints could use an image too. */
  fitsElsewhere: (imageId: number) => boolean
  dispatch: (action: CustomiseAction) => void
}

/** The image of one node: a strip to choose from, and its crop. */
export const ImagePicker = (props: ImagePickerProps) => {
  const { item, node, part, images, choice, label, missing, fitsElsewhere, dispatch } = props
  const organizationType = useOrganizationType()
  const [cropState, setCropState] = useState<'never' | 'open' | 'closed'>('never')
  const fittingImages = imagesForNode(node, images)
  const chosenImage = images.find((image) => image.id === chosenImageId(choice))
  const id = fieldIdOf(part, 'image', node.id)
  const choose = (image: Image, everywhere: boolean) =>
    dispatch({ do: 'choose', part, nodeId: node.id, image, images, organizationType, everywhere })
  const chooseEverywhere = (image: Image) => {
    choose(image, true)
    toast(`${label}: on every print now`)
    // The button disappears; the images remain.
    document.getElementById(id)?.focus({ preventScroll: true })
  }
  return (
    <fieldset className={styles.imageField} tabIndex={-1} id={id}>
      <legend className={styles.legend}>{label}</legend>
      <ImageStrip
        images={fittingImages}
        name={id}
        className={styles.strip}
        labelOf={imageOptionLabel}
        chosenId={chosenImage?.id ?? null}
        yearBookImageId={null}
        onChoose={(image) => choose(image, false)}
      />
      {fittingImages.length === 0 ? (
        <p className={styles.note}>Photos aren’t online yet.</p>
      ) : (
        missing && <p className={styles.missing}>Choose a photo</p>
      )}
      {chosenImage && (
        <div className={styles.tools}>
          {mayCrop(item, node) && (
            <Button variant="secondary" size="sm" icon={Crop} onClick={() => setCropState('open')}>
              Crop and rotate
            </Button>
          )}
          {fitsElsewhere(chosenImage.id) && (
            <Button variant="quiet" size="sm" onClick={() => chooseEverywhere(chosenImage)}>
              Use for every print
            </Button>
          )}
        </div>
      )}
      {chosenImage && choice && cropState !== 'never' && (
        <Suspense>
          <LazyCropDialog
            key={chosenImage.id}
            open={cropState === 'open'}
            image={chosenImage}
            choice={choice}
            printedAspect={aspectOf(node, item)}
            aspect={cropFrame({ item, node, image: chosenImage }, organizationType).aspect}
            onClose={() => setCropState('closed')}
            onDone={(cropped) => {
              dispatch({ do: 'crop', part, nodeId: node.id, ...cropped })
              setCropState('closed')
            }}
          />
        </Suspense>
      )}
    </fieldset>
  )
}
