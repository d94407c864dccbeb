import ImageOff from 'lucide-react/icons/image-off'
import type { CSSProperties, ReactNode } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { ImageStrip } from '../images/image-strip.tsx'
import type { PackageSubject } from '../package-subject.ts'
import { NotifyMeOfImages } from './notify-me-of-images.tsx'
import styles from './select-package.module.css'

type PoseStripProps = {
  person: PackageSubject
  images: readonly Image[]
  /** The chosen pose; the displayed one may just be the first. */
  chosen: number | null
  shown: Image | null
  /** The chosen yearbook image, if any. */
  yearBook: number | null
  onChoose: (imageId: number) => void
  /** Controls for the displayed image. */
  children?: ReactNode
}

const poseWords = (image: Image, index: number): string =>
  image.type === 'hosted-group' ? `${image.groupName ?? 'Group'} photo` : `Pose ${index + 1}`

const standIn = ({ thumbnailUrl, width, height }: Image): CSSProperties => {
  const shape = { '--shape': width / height }
  return { backgroundImage: `url("${thumbnailUrl}")`, ...shape }
}

/** One large image, with all images below to choose from. */
export const PoseStrip = ({ person, images, chosen, shown, yearBook, onChoose, children }: PoseStripProps) => {
  if (!shown) {
    return (
      <EmptyState icon={ImageOff} title="No pictures here yet" action={<NotifyMeOfImages person={person} />}>
        The studio has not published {person.firstName}’s pictures. What you choose now is kept.
      </EmptyState>
    )
  }
  return (
    <>
      <div className={styles.photo}>
        <img
          key={shown.id}
          src={shown.previewUrl}
          width={shown.width}
          height={shown.height}
          alt={`${person.firstName}, ${poseWords(shown, images.indexOf(shown))}`}
          style={standIn(shown)}
        />
      </div>
      {images.every(({ type }) => type === 'hosted-group') && (
        <>
          <p className={styles.hint}>{person.firstName}’s own photos aren’t online yet.</p>
          <NotifyMeOfImages person={person} />
        </>
      )}
      {children}
      {images.length > 1 && (
        <fieldset>
          <legend>
            <VisuallyHidden>Choose a pose</VisuallyHidden>
          </legend>
          <ImageStrip
            {...{ images, chosen, yearBook }}
            name="pose"
            className={styles.poses}
            labelOf={poseWords}
            onChoose={({ id }) => onChoose(id)}
          />
        </fieldset>
      )}
    </>
  )
}
