import { type CSSProperties, type Dispatch, lazy, Suspense } from 'react'
import { itemLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { ImageNode, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { classNames } from '#ui/class-names.ts'
import { type ImageUrls, printContentOf } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { ImagePicker } from '../images/image-picker.tsx'
import { imageNodeLabel } from '../images/node-images.ts'
import type { Background } from '../images/package-backgrounds.ts'
import type { CustomiseAction } from './customise-reducer.ts'
import { type FieldProblem, matchingNodes, type StepGroup } from './customise-steps.ts'
import type { CustomisedPackage } from './customised-package.ts'
import styles from './customiser.module.css'
import { TextChoiceField } from './text-choice-field.tsx'

const BackgroundChoice = lazy(async () => ({
  default: (await import('../images/background-choice.tsx')).BackgroundChoice,
}))

type StepCardProps = {
  group: StepGroup
  part: CustomisedPackage
  /** Distinguishes its fields from those of other packages on the screen. */
  at: number
  line: CartPackage
  images: readonly Image[]
  /** Image and background URLs for this size. */
  urls: ImageUrls
  /** The selectable backgrounds, if the background is chosen in this step. */
  backgrounds: readonly Background[] | undefined
  onStand: (greenScreenId: number | null) => void
  gaps: readonly FieldProblem[]
  /** "1 of 3"; null if there is only one. */
  position: string | null
  /** Whether other prints could use this image too. */
  fitsElsewhere: (imageId: number) => boolean
  /** The customer wants to edit identical items separately. */
  onApart: () => void
  /** The customer tried to continue: missing fields show their error. */
  showErrors: boolean
  dispatch: Dispatch<CustomiseAction>
}

// Large prints appear larger than small ones, but not to scale: a billfold must stay readable.
const largestInches = 10
const shareOf = ({ widthInches, heightInches }: PackageItem) => {
  const inches = Math.min(Math.max(widthInches ?? 0, heightInches ?? 0) || largestInches, largestInches)
  return { '--share': Math.sqrt(inches / largestInches) } as CSSProperties // React's style type has no custom properties
}

// Numbered per kind: "Group photo" next to "Photo" needs no number.
const numberOf = (node: ImageNode, nodes: readonly ImageNode[]): number | null => {
  const alike = nodes.filter((one) => isGroupNode(one) === isGroupNode(node))
  return alike.length > 1 ? alike.indexOf(node) + 1 : null
}

/** One item with its print preview and controls. */
export const StepCard = (props: StepCardProps) => {
  const {
    group,
    part,
    at,
    line,
    images,
    urls,
    backgrounds,
    onStand,
    gaps,
    position,
    fitsElsewhere,
    showErrors,
    dispatch,
    onApart,
  } = props
  const { first: step, twins } = group
  const { item, imageNodes, textNodes } = step
  const onAll = (kind: FieldProblem['kind'], nodeId: number) => (what: CustomiseAction) => {
    for (const nodeRef of matchingNodes(group, kind, nodeId)) dispatch({ ...what, ...nodeRef })
  }
  const content = printContentOf(line, item, urls)
  const upright = (item.widthInches ?? 4) <= (item.heightInches ?? 5)
  const id = `item-${at}-${item.id}`
  const parted = () => {
    onApart()
    // The button disappears; what it refers to remains.
    document.getElementById(id)?.focus({ preventScroll: true })
  }
  const isMissing = (nodeId: number) => gaps.some((gap) => gap.nodeId === nodeId)
  return (
    <section className={styles.step} aria-labelledby={id}>
      <div className={styles.easel}>
        <div className={classNames(styles.print, upright && styles.upright)} style={shareOf(item)}>
          <PrintPreview item={item} content={content} label={`${itemLabel(item)} as it will print`} />
        </div>
      </div>
      <div className={styles.work}>
        <header className={styles.stepHead}>
          <h2 id={id} className={styles.name} tabIndex={-1}>
            {twins.length > 0 && `${twins.length + 1} × `}
            {itemLabel(item)}
          </h2>
          {position && <span className={styles.place}>{position}</span>}
        </header>
        {twins.length > 0 && (
          <p className={styles.note}>
            {twins.length === 1 ? 'Both' : `All ${twins.length + 1}`} alike.{' '}
            <button type="button" className={styles.inline} onClick={parted}>
              Make them different
            </button>
          </p>
        )}
        {imageNodes.map((node) => (
          <ImagePicker
            key={node.id}
            {...{ item, node, images, fitsElsewhere }}
            part={at}
            dispatch={onAll('image', node.id)}
            choice={part.images.find((one) => one.packageItemImageNodeId === node.id)}
            label={imageNodeLabel(node, numberOf(node, imageNodes))}
            missing={showErrors && isMissing(node.id)}
          />
        ))}
        {backgrounds && (
          <Suspense>
            <BackgroundChoice
              part={at}
              backgrounds={backgrounds}
              chosen={part.passthrough.greenScreenBackgroundId}
              several={part.package.items.length > 1}
              onChoose={onStand}
            />
          </Suspense>
        )}
        {textNodes.map((node) => {
          const field = part.texts.find((one) => one.nodeId === node.id)
          return (
            field && (
              <TextChoiceField
                key={node.id}
                node={node}
                field={field}
                part={at}
                missing={showErrors && isMissing(node.id)}
                dispatch={onAll('text', node.id)}
              />
            )
          )
        })}
      </div>
    </section>
  )
}
