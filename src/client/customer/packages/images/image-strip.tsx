import BookOpen from 'lucide-react/icons/book-open'
import { type CSSProperties, memo, useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react'
import type { Image } from '#contract/customer/discovery-calls.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { useInView } from '#ui/rendering/use-in-view.ts'
import styles from './image-option.module.css'
import { ImageOption } from './image-option.tsx'

type Common = {
  /** Of the pictures among which one is chosen. */
  name: string
  /** What a picture is, for those who can't see it: the same function from render to render. */
  words: (image: Image, index: number) => string
  chosen: number | null
  /** The picture for the yearbook, which wears a sign. */
  yearBook: number | null
  onChoose: (image: Image) => void
}

type PhotoStripProps = Common & {
  images: readonly Image[]
  /** The row scrolls, and says how tall its pictures are (`--option-height`). */
  className: string | undefined
}

const sheetSize = 10

const shapeOf = ({ width, height }: Image): number => width / height

/** Brings what was chosen before into sight, in its own row only. */
const showChosen = (strip: HTMLElement): void => {
  const chosen = strip.querySelector(':checked')?.getBoundingClientRect()
  if (!chosen) return
  const { left, right } = strip.getBoundingClientRect()
  if (chosen.left < left || chosen.right > right) strip.scrollLeft += (chosen.left + chosen.right - left - right) / 2
}

/**
 * Pictures in a row of which one is chosen. They lie in sheets whose size is known beforehand, and only those near are filled:
 * hundreds cost no more than a few, and none moves away from under a finger because another came into sight.
 */
export const ImageStrip = ({ images, className, chosen, yearBook, onChoose, ...common }: PhotoStripProps) => {
  const choose = useEventCallback(onChoose)
  const strip = useRef<HTMLDivElement>(null)
  const sheets = useMemo(() => {
    const starts = Array.from({ length: Math.ceil(images.length / sheetSize) }, (_, at) => at * sheetSize)
    return starts.map((start) => ({ start, images: images.slice(start, start + sheetSize) }))
  }, [images])
  useLayoutEffect(() => {
    if (strip.current) showChosen(strip.current)
  }, [])
  return (
    <div ref={strip} className={className}>
      {sheets.map((sheet) => {
        const own = (id: number | null) => (sheet.images.some((image) => image.id === id) ? id : null)
        return (
          <Sheet
            key={sheet.start}
            {...{ ...sheet, ...common }}
            total={images.length}
            chosen={own(chosen)}
            yearBook={own(yearBook)}
            onChoose={choose}
          />
        )
      })}
    </div>
  )
}

type SheetProps = Common & { images: readonly Image[]; start: number; total: number }

/** Filled where it is near, and where the chosen picture is: keys begin from it. */
const Sheet = memo(({ images, start, total, name, words, chosen, yearBook, onChoose }: SheetProps) => {
  const [ref, near] = useInView<HTMLDivElement>('parent')
  // One that need not be filled any more is emptied when there is time.
  const wasFilled = useDeferredValue(near || chosen !== null)
  const shapes = images.reduce((sum, image) => sum + shapeOf(image), 0)
  // Custom properties are no part of React's own list of styles.
  const size = { '--shapes': shapes, '--gaps': images.length - 1 } as CSSProperties
  return (
    <div ref={ref} className={styles.sheet} style={size}>
      {(near || chosen !== null || wasFilled) &&
        images.map((image, index) => (
          <ImageOption
            key={image.id}
            {...{ image, name, total, onChoose }}
            place={start + index + 1}
            shape={shapeOf(image)}
            words={words(image, start + index) + (image.id === yearBook ? ', in the yearbook' : '')}
            sign={image.id === yearBook ? BookOpen : undefined}
            checked={image.id === chosen}
          />
        ))}
    </div>
  )
})
