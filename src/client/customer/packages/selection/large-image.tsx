import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { type Image, smallPreviewSuffix } from '#contract/shapes/image-structs.ts'
import styles from './select-package.module.css'

const placeholderStyle = ({ thumbnailUrl }: LargeImageProps['image']): CSSProperties => ({
  backgroundImage: `url("${thumbnailUrl}")`,
})

// React's style type has no custom properties.
const shapeOf = ({ width, height }: LargeImageProps['image']) => ({ '--shape': width / height }) as CSSProperties

type LargeImageProps = {
  image: Pick<Image, 'thumbnailUrl' | 'previewUrl' | 'width' | 'height'>
  alt: string
  /** Controls on the image. */
  children?: ReactNode
}

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
 * The small preview is enough for most phones. The widths are those of the longest side: 40 % of a phone's height, and
 * 54 % of larger screens' (`--tallest`).
 */
const sourcesOf = (previewUrl: string) => ({
  srcSet: `${previewUrl}${smallPreviewSuffix} 900w, ${previewUrl} 1280w`,
  sizes: '(min-width: 720px) 54vh, min(40vh, 115vw)',
})

/** An image as large as the screen allows. Its thumbnail is shown until it has loaded. */
export const LargeImage = ({ image, alt, children }: LargeImageProps) => {
  const [loadedImage] = useState(() => firstViewImage(image.previewUrl))
  return (
    <div className={styles.photo} style={shapeOf(image)}>
      {loadedImage?.getAttribute('src') === image.previewUrl ? (
        <LoadedImage loadedImage={loadedImage} alt={alt} />
      ) : (
        <img
          key={image.previewUrl}
          src={image.previewUrl}
          {...sourcesOf(image.previewUrl)}
          width={image.width}
          height={image.height}
          alt={alt}
          fetchPriority="high"
          // Parsing a prerendered page, browsers choose a file before they know the width of the screen, and then another one.
          loading={import.meta.env.SSR ? 'lazy' : undefined}
          style={placeholderStyle(image)}
        />
      )}
      {children}
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
  return <div ref={box} />
}
