import { type ComponentProps, useState } from 'react'
import type { ImageNode, PackageItem } from '#domain/catalogue/catalogue.ts'
import { aspectOf } from '#domain/printing/crop-aspect.ts'
import { placeImage } from '#domain/printing/image-placement.ts'
import { type PlacedText, placeTexts, printUnitsPerInch } from '#domain/printing/print-text.ts'
import { classNames } from '../class-names.ts'
import type { ImageSource, PrintContent, PrintImage } from './print-content.ts'
import styles from './print-preview.module.css'
import { useGlyphs } from './use-glyphs.ts'

type PrintProps = {
  item: PackageItem
  content: PrintContent
  /** Accessible name; omitted if text next to it says the same. */
  label?: string | undefined
  /** The image shown for downloads, which have no node of their own. */
  cover?: string | null | undefined
}

const percent = (value: number): string => `${value}%`

/** One item exactly as it prints: position of each node, crop of each image, text. */
export const PrintPreview = ({ item, content, label, cover }: PrintProps) => {
  const spoken = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <div {...spoken} className={styles.print} style={{ aspectRatio: printAspect(item, content) }}>
      {item.imageNodes.length === 0 && <Cover cover={cover} />}
      {item.imageNodes.map((node) => content.images.has(node.id) || <Empty key={node.id} node={node} />)}
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

const Cover = ({ cover }: Pick<PrintProps, 'cover'>) =>
  cover ? (
    <img src={cover} alt="" className={styles.cover} />
  ) : (
    <div className={classNames(styles.cover, styles.empty)} />
  )

const Empty = ({ node: { positionCoords: box, static: isArtwork } }: { node: ImageNode }) => {
  const style = {
    insetInlineStart: percent(box.x),
    insetBlockStart: percent(box.y),
    inlineSize: percent(box.width),
    blockSize: percent(box.height),
  }
  return <div className={classNames(styles.node, isArtwork ? styles.artwork : styles.empty)} style={style} />
}

type DrawnProps = Pick<PrintProps, 'item' | 'content'>

// One drawing in the print's own unit: HTML boxes would each be rounded to whole pixels.
const Drawing = ({ item, content }: DrawnProps) => {
  const height = (item.heightInches ?? 1) * printUnitsPerInch
  const width = height * printAspect(item, content)
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {item.imageNodes.map((node) => (
        <Picture key={node.id} node={node} item={item} content={content} />
      ))}
      {content.texts.size > 0 && <Texts item={item} content={content} />}
    </svg>
  )
}

const Picture = ({ node, item, content }: DrawnProps & { node: ImageNode }) => {
  const image = content.images.get(node.id)
  if (!image) return null
  return <Cropped image={image} node={node} aspect={aspectOf(node, item)} />
}

type CroppedProps = { image: PrintImage; node: ImageNode; aspect: number | null }

/**
 * A clipped frame at the node's position, with its own unit. A cut-out is drawn on its background, otherwise on paper.
 */
const Cropped = ({ image, node, aspect }: CroppedProps) => {
  const { positionCoords: box } = node
  const { aspect: shape, width, height, left, top, rotation } = placeImage(image, aspect)
  const down = 1 / shape
  return (
    <svg
      x={percent(box.x)}
      y={percent(box.y)}
      width={percent(box.width)}
      height={percent(box.height)}
      viewBox={`0 0 100 ${100 * down}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {image.background ? (
        <Photo
          key={image.background.url}
          source={image.background}
          width="100%"
          height="100%"
          preserveAspectRatio="xMidYMid slice"
        />
      ) : (
        node.static || <rect width="100%" height="100%" className={styles.paper} />
      )}
      <Photo
        key={image.url}
        source={image}
        x={-width / 2}
        y={(-height / 2) * down}
        width={width}
        height={height * down}
        preserveAspectRatio="none"
        transform={`translate(${left} ${top * down}) rotate(${rotation})`}
      />
    </svg>
  )
}

type PreviewImageProps = ComponentProps<'image'> & { source: ImageSource }

/** The larger image over its placeholder, which is removed once it has loaded; if it fails, the placeholder stays. */
const Photo = ({ source: { url, standIn }, ...place }: PreviewImageProps) => {
  const [state, setState] = useState<'coming' | 'here' | 'missing'>('coming')
  const settle = standIn && { onLoad: () => setState('here'), onError: () => setState('missing') }
  return (
    <>
      {standIn && state !== 'here' && <image {...place} href={standIn} />}
      {state !== 'missing' && <image {...place} {...settle} href={url} />}
    </>
  )
}

const Texts = ({ item, content }: DrawnProps) => {
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
