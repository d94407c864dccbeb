import ImageOff from 'lucide-react/icons/image-off'
import type { ReactNode } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { ImageStrip } from '../images/image-strip.tsx'
import { poseLabel } from '../images/node-images.ts'
import type { PackageSubject } from '../package-context.ts'
import { LargeImage } from './large-image.tsx'
import { NotifyMeOfImages } from './notify-me-of-images.tsx'
import styles from './select-package.module.css'

type PoseStripProps = {
  subject: PackageSubject
  images: readonly Image[]
  /** The chosen pose. If none is chosen, the first image is displayed. */
  chosenId: number | null
  displayedImage: Image | null
  /** The chosen yearbook image, if any. */
  yearBookImageId: number | null
  favouriteIds: readonly number[]
  onChoose: (imageId: number) => void
  /** Controls on the displayed image. */
  children?: ReactNode
}

/** One large image, with all images below to choose from. */
export const PoseStrip = ({
  subject,
  images,
  chosenId,
  displayedImage,
  yearBookImageId,
  favouriteIds,
  onChoose,
  children,
}: PoseStripProps) => {
  if (!displayedImage) {
    return (
      <EmptyState icon={ImageOff} title="No photos here yet" action={<NotifyMeOfImages subject={subject} />}>
        {subject.firstName}’s photos aren’t online yet. What you choose now is saved.
      </EmptyState>
    )
  }
  return (
    <>
      <LargeImage
        image={displayedImage}
        alt={`${subject.firstName}, ${poseLabel(displayedImage, images.indexOf(displayedImage))}`}
      >
        {children}
      </LargeImage>
      {images.length > 1 && (
        <fieldset>
          <legend>
            <VisuallyHidden>Choose a photo</VisuallyHidden>
          </legend>
          <ImageStrip
            images={images}
            chosenId={chosenId}
            yearBookImageId={yearBookImageId}
            favouriteIds={favouriteIds}
            name="pose"
            className={styles.poses}
            labelOf={poseLabel}
            onChoose={({ id }) => onChoose(id)}
          />
        </fieldset>
      )}
      {images.every(({ type }) => type === 'hosted-group') && (
        <>
          <p className={styles.hint}>{subject.firstName}’s own photos aren’t online yet.</p>
          <NotifyMeOfImages subject={subject} />
        </>
      )}
    </>
  )
}
