import BookOpen from 'lucide-react/icons/book-open'
import Heart from 'lucide-react/icons/heart'
import { type CSSProperties, memo, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { useInView } from '#ui/rendering/use-in-view.ts'
import styles from './image-option.module.css'
import { ImageOption } from './image-option.tsx'

type ImageOptionsProps = {
  /** Name of the radio group. */
  name: string
  /** Accessible name of an image; must be a stable function. */
  labelOf: (image: Image, index: number) => string
  chosenId: number | null
  /** The yearbook image, which is marked with an icon. */
  yearBookImageId: number | null
  /** Images that are marked as favorites. */
  favouriteIds?: readonly number[] | undefined
  onChoose: (image: Image) => void
}

type ImageStripProps = ImageOptionsProps & {
  images: readonly Image[]
  /** A scrolling row, which sets the height of its images (`--option-height`). */
  className: string | undefined
}

const sheetSize = 10

const shapeOf = ({ width, height }: Image): number => width / height

/** Scrolls the chosen image into view, within its own row only. */
const scrollToChosen = (strip: HTMLElement): void => {
  const chosen = strip.querySelector(':checked')?.getBoundingClientRect()
  if (!chosen) return
  const { left, right } = strip.getBoundingClientRect()
  if (chosen.left < left || chosen.right > right) strip.scrollLeft += (chosen.left + chosen.right - left - right) / 2
}

/**
 * A row of selectable images, grouped into sheets of known size. Only sheets near the viewport are rendered: hundreds
 * of images cost no more than a few, and none moves under a finger when another loads.
 */
export const ImageStrip = ({ images, className, chosenId, yearBookImageId, onChoose, ...common }: ImageStripProps) => {
  const choose = useEventCallback(onChoose)
  const strip = useRef<HTMLDivElement>(null)
  const sheets = useMemo(() => {
    const starts = Array.from({ length: Math.ceil(images.length / sheetSize) }, (_, index) => index * sheetSize)
    return starts.map((start) => ({ start, images: images.slice(start, start + sheetSize) }))
  }, [images])
  useLayoutEffect(() => {
    if (strip.current) scrollToChosen(strip.current)
  }, [])
  return (
    <div ref={strip} className={className}>
      {sheets.map((sheet) => {
        const idInSheet = (id: number | null) => (sheet.images.some((image) => image.id === id) ? id : null)
        return (
          <Sheet
            key={sheet.start}
            {...{ ...sheet, ...common }}
            total={images.length}
            chosenId={idInSheet(chosenId)}
            yearBookImageId={idInSheet(yearBookImageId)}
            onChoose={choose}
          />
        )
      })}
    </div>
  )
}

type SheetProps = ImageOptionsProps & { images: readonly Image[]; start: number; total: number }

/** Rendered if near the viewport or if it holds the chosen image, where keyboard navigation starts. */
const Sheet = memo((props: SheetProps) => {
  const { images, start, total, name, labelOf, chosenId, yearBookImageId, favouriteIds, onChoose } = props
  const [ref, isNear] = useInView<HTMLDivElement>('parent')
  // A sheet that is no longer near is emptied at low priority.
  const wasFilled = useDeferredValue(isNear || chosenId !== null)
  const shapes = images.reduce((sum, image) => sum + shapeOf(image), 0)
  const isYearBookImage = ({ id }: Image) => id === yearBookImageId
  const isFavourite = ({ id }: Image) => favouriteIds?.includes(id) === true
  const marksOf = (image: Image) =>
    (isYearBookImage(image) ? ', in the yearbook' : '') + (isFavourite(image) ? ', favorite' : '')
  const iconOf = (image: Image) => {
    if (isYearBookImage(image)) return BookOpen
    return isFavourite(image) ? Heart : undefined
  }
  // React's style type has no custom properties.
  const size = { '--shapes': shapes, '--gaps': images.length - 1 } as CSSProperties
  return (
    <div ref={ref} className={styles.sheet} style={size}>
      {(isNear || chosenId !== null || wasFilled) &&
        images.map((image, index) => (
          <ImageOption
            key={image.id}
            {...{ image, name, total, onChoose }}
            position={start + index + 1}
            shape={shapeOf(image)}
            label={labelOf(image, start + index) + marksOf(image)}
            icon={iconOf(image)}
            checked={image.id === chosenId}
          />
        ))}
    </div>
  )
})
