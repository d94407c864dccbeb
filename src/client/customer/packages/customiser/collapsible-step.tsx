import Check from 'lucide-react/icons/check'
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { itemLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import { Button } from '#ui/button/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { printContentOf } from '#ui/print/print-content.ts'
import { chosenImageId, imageOptionLabel, imagesForNode } from '../images/node-images.ts'
import type { Background } from '../images/package-backgrounds.ts'
import styles from './collapsible-step.module.css'
import type { CustomisedPackage } from './customised-package.ts'
import { StepCard, stepHeadingId } from './step-card.tsx'

type CollapsibleStepProps = ComponentProps<typeof StepCard> & {
  /** Whether the card is open at the start even though nothing is missing. */
  startsOpen: boolean
}

/** Without a background, a cut-out prints on white; one that is no longer offered must be replaced. */
const isBackgroundMissing = ({ passthrough }: CustomisedPackage, backgrounds: readonly Background[]): boolean => {
  const chosenId = passthrough.greenScreenBackgroundId
  return chosenId === null ? backgrounds.length > 0 : !backgrounds.some(({ id }) => id === chosenId)
}

/**
 * A step of the guided flow. Nothing is missing: a row with what was filled in, which opens as a card. Something is
 * missing: the card, which stays open until the customer closes it.
 */
export const CollapsibleStep = ({ startsOpen, ...props }: CollapsibleStepProps) => {
  const { group, part, partIndex, problems, backgrounds } = props
  const hasProblems = problems.length > 0
  const lacksBackground = backgrounds !== undefined && isBackgroundMissing(part, backgrounds)
  const [choice, setChoice] = useState<boolean | null>(startsOpen ? true : null)
  const isOpen = hasProblems || (choice ?? lacksBackground)
  if (isOpen && !choice) setChoice(true)
  const change = useRef<HTMLButtonElement>(null)
  const wasToggled = useRef(false)
  useEffect(() => {
    if (!wasToggled.current) return
    wasToggled.current = false
    const target = isOpen ? document.getElementById(stepHeadingId(partIndex, group)) : change.current
    target?.focus({ preventScroll: true })
    target?.scrollIntoView?.({ block: 'nearest' })
  }, [isOpen, partIndex, group])
  const toggle = (opens: boolean) => () => {
    wasToggled.current = true
    setChoice(opens)
  }
  if (!isOpen) return <FinishedStep {...props} buttonRef={change} onOpen={toggle(true)} />
  return <StepCard {...props} onClose={startsOpen || hasProblems ? undefined : toggle(false)} />
}

type FinishedStepProps = ComponentProps<typeof StepCard> & {
  buttonRef: RefObject<HTMLButtonElement | null>
  onOpen: () => void
}

/** What was filled in, as text: the photo if there are several to choose from, then the texts. */
const filledIn = ({ group, part, images }: ComponentProps<typeof StepCard>): string => {
  const { imageNodes, item } = group.first
  const photos = imageNodes.map((node) => {
    const fittingImages = imagesForNode(node, images)
    const choice = part.images.find(({ packageItemImageNodeId }) => packageItemImageNodeId === node.id)
    const index = fittingImages.findIndex(({ id }) => id === chosenImageId(choice))
    const image = fittingImages[index]
    return image && fittingImages.length > 1 ? imageOptionLabel(image, index) : ''
  })
  const texts = item.textNodes.map((node) => part.texts.find(({ nodeId }) => nodeId === node.id)?.shown ?? '')
  return [...new Set([...photos, ...texts])].filter((text) => text !== '').join(' · ')
}

/** A finished step as one row; the whole row opens it. */
const FinishedStep = (props: FinishedStepProps) => {
  const { group, line, urls, buttonRef, onOpen } = props
  const { item } = group.first
  const count = group.duplicates.length + 1
  return (
    <div className={styles.row}>
      <div className={styles.preview} aria-hidden="true">
        <PackagePrints items={[{ item, content: printContentOf(line, item, urls) }]} label={itemLabel(item)} />
      </div>
      <div className={styles.text}>
        <h2 className={styles.name}>
          {count > 1 && `${count} × `}
          {itemLabel(item)}
          <span className={styles.mark}>
            <Icon of={Check} />
          </span>
        </h2>
        <p className={styles.filledIn}>{filledIn(props)}</p>
      </div>
      <Button
        ref={buttonRef}
        size="sm"
        variant="quiet"
        className={styles.change}
        aria-label={`Change: ${itemLabel(item)}`}
        onClick={onOpen}
      >
        Change
      </Button>
    </div>
  )
}
