import { type CSSProperties, type Dispatch, lazy, Suspense } from 'react'
import { itemLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import type { ImageNode, PackageItem } from '#domain/catalogue/catalogue.ts'
import { isGroupNode } from '#domain/catalogue/nodes.ts'
import { isTooLongToRead } from '#domain/printing/print-text.ts'
import { Button } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { type ImageUrls, printContentOf } from '#ui/print/print-content.ts'
import { PrintPreview } from '#ui/print/print-preview.tsx'
import { useGlyphs } from '#ui/print/use-glyphs.ts'
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
  partIndex: number
  line: CartPackage
  images: readonly Image[]
  /** Image and background URLs for this size. */
  urls: ImageUrls
  /** The selectable backgrounds, if the background is chosen in this step. */
  backgrounds: readonly Background[] | undefined
  onBackground: (greenScreenId: number | null) => void
  problems: readonly FieldProblem[]
  /** "1 of 3"; null if there is only one. */
  position: string | null
  /** Whether other prints could use this image too. */
  fitsElsewhere: (imageId: number) => boolean
  /** The customer wants to edit identical items separately. */
  onSeparate: () => void
  /** The customer tried to continue: missing fields show their error. */
  showErrors: boolean
  dispatch: Dispatch<CustomiseAction>
  /** Closes the card; without it, the card is always open. */
  onClose?: (() => void) | undefined
}

/** The DOM id of a step's heading. `partIndex`: the position of its package on the screen. */
export const stepHeadingId = (partIndex: number, { first }: StepGroup): string => `item-${partIndex}-${first.item.id}`

// Large prints appear larger than small ones, but not to scale: a billfold must stay readable.
const largestInches = 10
const printScale = ({ widthInches, heightInches }: PackageItem) => {
  const inches = Math.min(Math.max(widthInches ?? 0, heightInches ?? 0) || largestInches, largestInches)
  return { '--share': Math.sqrt(inches / largestInches) } as CSSProperties // React's style type has no custom properties
}

// Numbered per kind: "Group photo" next to "Photo" needs no number.
const nodeNumber = (node: ImageNode, nodes: readonly ImageNode[]): number | null => {
  const sameKind = nodes.filter((other) => isGroupNode(other) === isGroupNode(node))
  return sameKind.length > 1 ? sameKind.indexOf(node) + 1 : null
}

/** One item with its print preview and controls. */
export const StepCard = (props: StepCardProps) => {
  const { group, part, partIndex, line, urls, backgrounds, onBackground, onClose } = props
  const { item } = group.first
  const isUpright = (item.widthInches ?? 4) <= (item.heightInches ?? 5)
  const id = stepHeadingId(partIndex, group)
  return (
    <section className={styles.step} aria-labelledby={id}>
      <div className={styles.preview}>
        <div className={classNames(styles.print, isUpright && styles.upright)} style={printScale(item)}>
          <PrintPreview
            item={item}
            content={printContentOf(line, item, urls)}
            label={`${itemLabel(item)} as it will print`}
          />
        </div>
      </div>
      <div className={styles.controls}>
        <StepHeading {...props} id={id} />
        <ImageFields {...props} />
        {backgrounds && (
          <Suspense>
            <BackgroundChoice
              part={partIndex}
              backgrounds={backgrounds}
              chosenId={part.passthrough.greenScreenBackgroundId}
              onSeveralPrints={part.package.items.length > 1}
              onChoose={onBackground}
            />
          </Suspense>
        )}
        <TextFields {...props} />
        {onClose && (
          <Button size="sm" variant="secondary" className={styles.close} onClick={onClose}>
            Done with {itemLabel(item)}
          </Button>
        )}
      </div>
    </section>
  )
}

/** The item's name and position, and whether it shares its content with identical items. */
const StepHeading = ({ group, position, onSeparate, id }: StepCardProps & { id: string }) => {
  const { first, duplicates } = group
  const separate = () => {
    onSeparate()
    // The button disappears; the heading remains.
    document.getElementById(id)?.focus({ preventScroll: true })
  }
  return (
    <>
      <header className={styles.stepHead}>
        <h2 id={id} className={styles.name} tabIndex={-1}>
          {duplicates.length > 0 && `${duplicates.length + 1} × `}
          {itemLabel(first.item)}
        </h2>
        {position && <span className={styles.position}>{position}</span>}
      </header>
      {duplicates.length > 0 && (
        <p className={styles.note}>
          {duplicates.length === 1 ? 'Both' : `All ${duplicates.length + 1}`} the same.{' '}
          <button type="button" className={styles.inline} onClick={separate}>
            Make them different
          </button>
        </p>
      )}
    </>
  )
}

/** Applies an action to a node and to the matching nodes of identical items. */
const dispatchToMatching =
  ({ group, dispatch }: StepCardProps, kind: FieldProblem['kind'], nodeId: number) =>
  (action: CustomiseAction): void => {
    for (const nodeRef of matchingNodes(group, kind, nodeId)) dispatch({ ...action, ...nodeRef })
  }

const isMissing = ({ showErrors, problems }: StepCardProps, nodeId: number): boolean =>
  showErrors && problems.some((problem) => problem.nodeId === nodeId)

const ImageFields = (props: StepCardProps) => {
  const { group, part, partIndex, images, fitsElsewhere } = props
  const { item, imageNodes } = group.first
  return imageNodes.map((node) => (
    <ImagePicker
      key={node.id}
      {...{ item, node, images, fitsElsewhere }}
      part={partIndex}
      dispatch={dispatchToMatching(props, 'image', node.id)}
      choice={part.images.find((choice) => choice.packageItemImageNodeId === node.id)}
      label={imageNodeLabel(node, nodeNumber(node, imageNodes))}
      missing={isMissing(props, node.id)}
    />
  ))
}

const TextFields = (props: StepCardProps) => {
  const { item, textNodes } = props.group.first
  const glyphs = useGlyphs()
  return textNodes.map((node) => {
    const field = props.part.texts.find((text) => text.nodeId === node.id)
    return (
      field && (
        <TextChoiceField
          key={node.id}
          node={node}
          field={field}
          isTooLong={glyphs !== null && isTooLongToRead(item, node, field.shown, glyphs)}
          part={props.partIndex}
          missing={isMissing(props, node.id)}
          dispatch={dispatchToMatching(props, 'text', node.id)}
        />
      )
    )
  })
}
