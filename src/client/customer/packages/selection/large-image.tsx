import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react'
import { type Image, smallPreviewSuffix } from '#contract/shapes/image-structs.ts'
import styles from './select-package.module.css'

const placeholderStyle = ({ thumbnailUrl, width, height }: LargeImageProps['image']): CSSProperties => {
  const shape = { '--shape': width / height }
  return { backgroundImage: `url("${thumbnailUrl}")`, ...shape }
}

type LargeImageProps = { image: Pick<Image, 'thumbnailUrl' | 'previewUrl' | 'width' | 'height'>; alt: string }

/**
 * The element of an image that a code page shows before the app (`#first-view`), so that the image need not load twice;
 * null if there is none.
 */
const firstViewImage = (url: string): HTMLImageElement | null => {
  if (typeof document === 'undefined') return null
  const image = document.querySelector<HTMLImageElement>('#first-view main img')
  return image?.getAttribute('src') === url ? image : null
}

/**
 * The small preview is enough for most phones. The widths are those of the longest side: 58 % of the screen's height, or less where a
 * portrait is as wide as the screen.
 */
const sourcesOf = (previewUrl: string) => ({
  srcSet: `${previewUrl}${smallPreviewSuffix} 900w, ${previewUrl} 1280w`,
  sizes: 'min(58vh, 115vw)',
})

/** An image as large as the screen allows. Its thumbnail is shown until it has loaded. */
export const LargeImage = ({ image, alt }: LargeImageProps) => {
  const [loadedImage] = useState(() => firstViewImage(image.previewUrl))
  if (loadedImage?.getAttribute('src') === image.previewUrl) return <LoadedImage loadedImage={loadedImage} alt={alt} />
  return (
    <div className={styles.photo}>
      <img
        src={image.previewUrl}
        {...sourcesOf(image.previewUrl)}
        width={image.width}
        height={image.height}
        alt={alt}
        fetchPriority="high"
        style={placeholderStyle(image)}
      />
    </div>
  )
}

/** Moves the element of an image here, which looks the same: a new element would request the image once more. */
const LoadedImage = ({ loadedImage, alt }: { loadedImage: HTMLImageElement; alt: string }) => {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    loadedImage.alt = alt
    box.current?.append(loadedImage)
  }, [loadedImage, alt])
  return <div className={styles.photo} ref={box} />
}
