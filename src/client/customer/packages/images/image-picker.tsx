import Crop from 'lucide-react/icons/crop'
import { lazy, Suspense, useState } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { ImageChoice } from '#domain/cart/cart.ts'
import type { ImageNode, PackageItem } from '#domain/catalogue/catalogue.ts'
import { mayCrop } from '#domain/catalogue/nodes.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import type { CustomiseAction } from '../customiser/customise-reducer.ts'
import { fieldIdOf } from '../customiser/customise-steps.ts'
import styles from '../customiser/customiser.module.css'
import { useOrganizationType } from '../organization-type.ts'
import { ImageStrip } from './image-strip.tsx'
import { chosenImageId, cropFrame, imagesForNode } from './node-images.ts'

const CropSheet = lazy(async () => ({ default: (await import('#ui/crop/crop-dialog.tsx')).CropDialog }))

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
  dispatch: (what: CustomiseAction) => void
}

const photoWords = ({ type, groupName }: Image, index: number): string => {
  const from = type === 'replacement' ? 'From the studio' : groupName
  return from ? `${from}, photo ${index + 1}` : `Photo ${index + 1}`
}

/** The image of one node: a strip to choose from, and its crop. */
export const ImagePicker = (props: ImagePickerProps) => {
  const { item, node, part, images, choice, label, missing, fitsElsewhere, dispatch } = props
  const organizationType = useOrganizationType()
  const [cropping, setCropping] = useState<'never' | 'open' | 'closed'>('never')
  const fitting = imagesForNode(node, images)
  const chosen = images.find((image) => image.id === chosenImageId(choice))
  const id = fieldIdOf(part, 'image', node.id)
  const choose = (image: Image, all: boolean) =>
    dispatch({ do: 'choose', part, nodeId: node.id, image, images, organizationType, everywhere: all })
  const everywhere = (image: Image) => {
    choose(image, true)
    toast(`${label}: on every print now`)
    // The button disappears; the images remain.
    document.getElementById(id)?.focus({ preventScroll: true })
  }
  return (
    <fieldset className={styles.photos} tabIndex={-1} id={id}>
      <legend className={styles.legend}>{label}</legend>
      <ImageStrip
        images={fitting}
        name={id}
        className={styles.strip}
        labelOf={photoWords}
        chosen={chosen?.id ?? null}
        yearBook={null}
        onChoose={(image) => choose(image, false)}
      />
      {fitting.length === 0 ? (
        <p className={styles.note}>Photos aren’t online yet.</p>
      ) : (
        missing && <p className={styles.missing}>Choose a photo</p>
      )}
      {chosen && (
        <div className={styles.tools}>
          {mayCrop(item, node) && (
            <Button variant="secondary" size="sm" icon={Crop} onClick={() => setCropping('open')}>
              Crop and turn
            </Button>
          )}
          {fitsElsewhere(chosen.id) && (
            <Button variant="quiet" size="sm" onClick={() => everywhere(chosen)}>
              Use for every print
            </Button>
          )}
        </div>
      )}
      {chosen && choice && cropping !== 'never' && (
        <Suspense>
          <CropSheet
            key={chosen.id}
            open={cropping === 'open'}
            image={chosen}
            choice={choice}
            aspect={cropFrame({ item, node, image: chosen }, organizationType).aspect}
            onClose={() => setCropping('closed')}
            onDone={(cropped) => {
              dispatch({ do: 'crop', part, nodeId: node.id, ...cropped })
              setCropping('closed')
            }}
          />
        </Suspense>
      )}
    </fieldset>
  )
}
