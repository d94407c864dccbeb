import type { CSSProperties } from 'react'
import type { ImageNode, PackageItem, PositionCoords, TextNode } from '../../domain/catalogue.ts'
import { centredCrop, fitCropToNode, renderBox } from '../../domain/crop.ts'
import { aspectOf } from '../../domain/crop-aspect.ts'
import { classNames } from '../ui/class-names.ts'
import styles from './print.module.css'
import type { PrintContent, PrintPicture } from './print-content.ts'

type PrintProps = {
  item: PackageItem
  content: PrintContent
  /** What it is, for those who can't see it; left out where words beside it say so. */
  label?: string | undefined
  /** Where a picture stands for files that have no node of their own. */
  cover?: string | null | undefined
}

const percent = (value: number): string => `${value}%`

/** One item exactly as it prints: each node at its place, each crop as it will be cut, each text as it stands. */
export const Print = ({ item, content, label, cover }: PrintProps) => {
  const spoken = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <div {...spoken} className={styles.print} style={{ aspectRatio: printAspect(item, content) }}>
      {item.imageNodes.length === 0 && <Cover cover={cover} />}
      {item.imageNodes.map((node) => (
        <Picture key={node.id} node={node} item={item} picture={content.pictures.get(node.id)} />
      ))}
      <Texts item={item} content={content} />
    </div>
  )
}

/** Width / height of an item as it is drawn; a file that nothing is printed of has the shape of its picture. */
export const printAspect = ({ widthInches, heightInches }: PackageItem, { pictures }: PrintContent): number => {
  if (widthInches && heightInches) return widthInches / heightInches
  const [first] = pictures.values()
  return first ? first.width / first.height : 4 / 5
}

const Cover = ({ cover }: Pick<PrintProps, 'cover'>) =>
  cover ? (
    <img src={cover} alt="" className={styles.cover} />
  ) : (
    <div className={classNames(styles.cover, styles.empty)} />
  )

type PictureProps = { node: ImageNode; item: PackageItem; picture: PrintPicture | undefined }

const placeOf = ({ x, y, width, height }: PositionCoords): CSSProperties => ({
  insetInlineStart: percent(x),
  insetBlockStart: percent(y),
  inlineSize: percent(width),
  blockSize: percent(height),
})

const Picture = ({ node, item, picture }: PictureProps) => (
  <div
    className={classNames(styles.node, node.static && styles.artwork, !picture && !node.static && styles.empty)}
    style={placeOf(node.positionCoords)}
  >
    {picture?.background && <img src={picture.background} alt="" className={styles.background} draggable={false} />}
    {picture && <Cropped picture={picture} aspect={aspectOf(node, item)} />}
  </div>
)

const Cropped = ({ picture, aspect }: { picture: PrintPicture; aspect: number | null }) => {
  const { url, crop, rotation } = picture
  const shape = aspect ?? picture.width / picture.height
  const asked = crop ?? centredCrop(picture, shape, rotation)
  // A file is delivered as it was cropped; a print shows what fills its node.
  const shown = aspect === null ? asked : fitCropToNode({ crop: asked, image: picture, rotation, aspect })
  const box = renderBox(shown, picture, rotation)
  const style = {
    inlineSize: percent(box.width),
    blockSize: percent(box.height),
    insetInlineStart: percent(box.left),
    insetBlockStart: percent(box.top),
    transform: `translate(-50%, -50%) rotate(${box.rotation}deg)`,
  }
  return <img src={url} alt="" className={styles.picture} style={style} draggable={false} />
}

// Hundredths of an inch (or of nothing, for a file): only the proportion to the print counts.
const unit = 100
const middleOf = ({ x, y, width, height }: PositionCoords) => ({ x: x + width / 2, y: y + height / 2 })

const liesOn = (text: TextNode, { positionCoords: box }: ImageNode): boolean => {
  const { x, y } = middleOf(text.positionCoords)
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height
}

const Texts = ({ item, content: { texts, pictures } }: Pick<PrintProps, 'item' | 'content'>) => {
  const photos = item.imageNodes.filter((node) => pictures.has(node.id))
  const width = (item.widthInches ?? 4) * unit
  const height = (item.heightInches ?? 5) * unit
  const filled = item.textNodes.filter((node) => texts.get(node.id)?.trim())
  if (filled.length === 0) return null
  return (
    <svg className={styles.texts} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {filled.map((node) => {
        const { x, y } = middleOf(node.positionCoords)
        const words = texts.get(node.id) ?? ''
        const room = (node.positionCoords.width / 100) * width
        const high = (node.positionCoords.height / 100) * height
        return (
          <text
            key={node.id}
            x={(x / 100) * width}
            y={(y / 100) * height}
            fontSize={letterHeight(words, room, high)}
            className={classNames(styles.text, photos.some((photo) => liesOn(node, photo)) && styles.onPhoto)}
          >
            {words}
          </text>
        )
      })}
    </svg>
  )
}

// A letter of the face is about half as wide as it is high; a long text is set smaller, never cut.
const letterHeight = (words: string, room: number, high: number): number =>
  Math.min(high * 0.72, room / (Math.max([...words].length, 1) * 0.54))
