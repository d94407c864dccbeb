import { type ComponentProps, useState } from 'react'
import type { ImageNode, PackageItem } from '#domain/catalogue/catalogue.ts'
import { aspectOf } from '#domain/printing/crop-aspect.ts'
import { placeImage } from '#domain/printing/image-placement.ts'
import { type PlacedText, placeTexts, printUnitsPerInch } from '#domain/printing/print-text.ts'
import { classNames } from '../class-names.ts'
import type { ImageSource, PrintContent, PrintImage } from './print-content.ts'
import styles from './print-preview.module.css'
import { useGlyphs } from './use-glyphs.ts'

type PrintPreviewProps = {
  item: PackageItem
  content: PrintContent
  /** Accessible name; omitted if text next to it says the same. */
  label?: string | undefined
  /** The image shown for an item without image nodes: a download of all images. */
  cover?: string | null | undefined
}

const percent = (value: number): string => `${value}%`

/** One item exactly as it prints: position of each node, crop of each image, text. */
export const PrintPreview = ({ item, content, label, cover }: PrintPreviewProps) => {
  const accessibility = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <div {...accessibility} className={styles.print} style={{ aspectRatio: printAspect(item, content) }}>
      {item.imageNodes.length === 0 && <Cover cover={cover} />}
      {item.imageNodes.map((node) => content.images.has(node.id) || <EmptyNode key={node.id} node={node} />)}
      {content.images.size + content.texts.size > 0 && <Drawing item={item} content={content} />}
    </div>
  )
}

/** Aspect (width / height) of a drawn item; a download has the aspect of its image. */
export const printAspect = ({ widthInches, heightInches }: PackageItem, { images }: PrintContent): number => {
  if (widthInches && heightInches) return widthInches / heightInches
  const [first] = images.values()
  return first ? first.width / first.height : 4 / 5
}

const Cover = ({ cover }: Pick<PrintPreviewProps, 'cover'>) =>
  cover ? (
    <img src={cover} alt="" className={styles.cover} />
  ) : (
    <div className={classNames(styles.cover, styles.empty)} />
  )

const EmptyNode = ({ node: { positionCoords: box, static: isArtwork } }: { node: ImageNode }) => {
  const style = {
    insetInlineStart: percent(box.x),
    insetBlockStart: percent(box.y),
    inlineSize: percent(box.width),
    blockSize: percent(box.height),
  }
  return <div className={classNames(styles.node, isArtwork ? styles.artwork : styles.empty)} style={style} />
}

type DrawingProps = Pick<PrintPreviewProps, 'item' | 'content'>

// One drawing in the print's own unit: HTML boxes would each be rounded to whole pixels.
const Drawing = ({ item, content }: DrawingProps) => {
  const height = (item.heightInches ?? 1) * printUnitsPerInch
  const width = height * printAspect(item, content)
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {item.imageNodes.map((node) => (
        <NodeImage key={node.id} node={node} item={item} content={content} />
      ))}
      {content.texts.size > 0 && <Texts item={item} content={content} />}
    </svg>
  )
}

const NodeImage = ({ node, item, content }: DrawingProps & { node: ImageNode }) => {
  const image = content.images.get(node.id)
  if (!image) return null
  return <CroppedImage image={image} node={node} aspect={aspectOf(node, item)} />
}

type CroppedImageProps = { image: PrintImage; node: ImageNode; aspect: number | null }

/**
 * A clipped frame at the node's position, with its own unit. A cut-out is drawn on its background, or on white.
 */
const CroppedImage = ({ image, node, aspect }: CroppedImageProps) => {
  const { positionCoords: box } = node
  const { aspect: nodeAspect, width, height, left, top, rotation } = placeImage(image, aspect)
  const unitHeight = 1 / nodeAspect
  return (
    <svg
      x={percent(box.x)}
      y={percent(box.y)}
      width={percent(box.width)}
      height={percent(box.height)}
      viewBox={`0 0 100 ${100 * unitHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {image.background ? (
        <ImageWithPlaceholder
          key={image.background.url}
          source={image.background}
          width="100%"
          height="100%"
          preserveAspectRatio="xMidYMid slice"
        />
      ) : (
        node.static || <rect width="100%" height="100%" className={styles.paper} />
      )}
      <ImageWithPlaceholder
        key={image.url}
        source={image}
        x={-width / 2}
        y={(-height / 2) * unitHeight}
        width={width}
        height={height * unitHeight}
        preserveAspectRatio="none"
        transform={`translate(${left} ${top * unitHeight}) rotate(${rotation})`}
      />
    </svg>
  )
}

type ImageWithPlaceholderProps = ComponentProps<'image'> & { source: ImageSource }

/** The larger image over its placeholder, which is removed once it has loaded; if it fails, the placeholder stays. */
const ImageWithPlaceholder = ({ source: { url, placeholderUrl }, ...position }: ImageWithPlaceholderProps) => {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const loadHandlers = placeholderUrl && { onLoad: () => setState('loaded'), onError: () => setState('failed') }
  return (
    <>
      {placeholderUrl && state !== 'loaded' && <image {...position} href={placeholderUrl} />}
      {state !== 'failed' && <image {...position} {...loadHandlers} href={url} />}
    </>
  )
}

const Texts = ({ item, content }: DrawingProps) => {
  const glyphs = useGlyphs()
  return glyphs && placeTexts(item, content, glyphs).map((text) => <Text key={text.nodeId} {...text} />)
}

const Text = ({ path, x, y, scale, ink: { fill, edge } }: PlacedText) => (
  <path
    d={path}
    transform={`translate(${x} ${y}) scale(${scale})`}
    fill={fill}
    {...(edge && { stroke: edge.colour, strokeOpacity: edge.opacity, strokeWidth: edge.width })}
    strokeLinejoin="round"
    paintOrder="stroke"
  />
)
