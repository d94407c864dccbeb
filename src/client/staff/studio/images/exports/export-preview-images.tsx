import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { formatCount, formatSubjectCount } from '#client/staff/kit/screen/format.ts'
import type { ExportPreview, PreviewImage } from '#contract/studio/portraits/image-exports.ts'
import type { ExportSettings } from '#domain/image-exports/export-settings.ts'
import { headCrop } from '#domain/image-exports/head-crop.ts'
import { renderBox } from '#domain/printing/crop.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './exports.module.css'

type CroppedImageProps = { image: PreviewImage; settings: ExportSettings }

/** An image as it will be cropped, by the rule that the server crops by. */
const CroppedImage = ({ image, settings: { width, height, template } }: CroppedImageProps) => {
  const { previewUrl, name, fileName, ordered } = image
  const { crop, rotation } = headCrop(image, width / height, { template, ordered })
  const box = renderBox(crop, image, rotation)
  const placement: CSSProperties = {
    width: `${box.width}%`,
    height: `${box.height}%`,
    left: `${box.left}%`,
    top: `${box.top}%`,
    transform: `translate(-50%, -50%) rotate(${box.rotation}deg)`,
  }
  return (
    <li className={styles.previewImage}>
      <span className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
        <img src={previewUrl} alt={name} style={placement} />
      </span>
      <span className={styles.fileName}>{fileName}</span>
      {ordered && <span className={styles.soft}>Crop of an order</span>}
    </li>
  )
}

const leftOutMessages = ({ withoutImage, withoutId }: ExportPreview): string[] => [
  ...(withoutImage > 0 ? [`Left out without an image: ${formatSubjectCount(withoutImage)}.`] : []),
  ...(withoutId > 0 ? [`Left out without a student id: ${formatSubjectCount(withoutId)}.`] : []),
]

type ExportPreviewImagesProps = {
  preview: ExportPreview
  settings: ExportSettings
  isStarting: boolean
  onStart: () => void
  /** The settings of the crop, which the images follow at once. */
  children: ReactNode
}

/** The first crops of an export, and the button that starts it. */
export const ExportPreviewImages = ({ preview, settings, isStarting, onStart, children }: ExportPreviewImagesProps) => {
  const { images, fileCount } = preview
  const messages = leftOutMessages(preview)
  const section = useRef<HTMLElement>(null)
  // It appears below the form, where it would not be seen.
  useEffect(() => {
    // Chromium returns a promise, which an effect must not.
    void section.current?.scrollIntoView()
  }, [])
  return (
    <section ref={section} aria-labelledby="preview" className={styles.section}>
      <h3 id="preview">Preview</h3>
      {messages.length > 0 && <Notice>{messages.join(' ')}</Notice>}
      {fileCount === 0 ? (
        <p>There is no image to export with these settings.</p>
      ) : (
        <>
          {children}
          <ul className={styles.preview} aria-label="The first images">
            {images.map((image) => (
              <CroppedImage key={image.subjectId} image={image} settings={settings} />
            ))}
          </ul>
          <div data-actions className={styles.exportBar}>
            <Button loading={isStarting} onClick={onStart}>
              Export {formatCount(fileCount)} {fileCount === 1 ? 'image' : 'images'}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
