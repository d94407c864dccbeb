import { useMemo, useState } from 'react'
import { contentsLabel } from '#client/customer/shared/catalogue/item-labels.ts'
import { type CustomiseAction, customiseReducer } from '../customiser/customise-reducer.ts'
import type { CustomisedPackage } from '../customiser/customised-package.ts'
import styles from '../customiser/customiser.module.css'
import { StepCard } from '../customiser/step-card.tsx'
import { isFieldOfStep, isUsableElsewhere } from '../customiser/use-customiser.ts'
import { useDisplayedPackages } from '../customiser/use-displayed-packages.ts'
import { imageChoiceSteps, type OrderImageLine as Line, missingImageFields, subjectOfLine } from './image-choice.ts'

type ImageChoiceLineProps = {
  jobId: number
  /** Its position in the order. */
  position: number
  orderLine: Line
  part: CustomisedPackage
  showErrors: boolean
  onPart: (change: (before: CustomisedPackage) => CustomisedPackage) => void
}

// Access to an order includes only the images that were opened to the customer.
const hasHiddenImages = ({ images, needsImages, line }: Line): boolean =>
  images.length === 0 && !needsImages && line.cartPackageItems.some((item) => item.imageNodes.length > 0)

/** One paid package with its images and texts, each print as it will be produced. */
export const ImageChoiceLine = ({ jobId, position, orderLine, part, showErrors, onPart }: ImageChoiceLineProps) => {
  const [initialParts] = useState([part])
  const steps = useMemo(() => imageChoiceSteps(orderLine), [orderLine])
  const subject = subjectOfLine(orderLine)
  const { images } = orderLine
  const dispatch = (action: CustomiseAction) => onPart((before) => customiseReducer([before], action)[0] ?? before)
  const lineImages = orderLine.line.snapshot.images
  const displayed = useDisplayedPackages({
    jobId,
    initialParts,
    parts: [part],
    steps,
    subject,
    images,
    lineImages,
    dispatch,
  })
  const [line] = displayed.lines
  const problems = missingImageFields(orderLine, part, position)
  const { groups, urls, unchanged } = displayed
  return (
    <section aria-label={`${orderLine.line.snapshot.package.name} for ${subject.firstName}`}>
      <p className={styles.packageNames}>
        {orderLine.line.snapshot.package.name} for {subject.firstName}
      </p>
      <ol className={styles.steps}>
        {line &&
          groups.map((group, index) => (
            <li key={group.first.item.id}>
              <StepCard
                {...{ group, part, partIndex: position, line, images, urls, showErrors, dispatch }}
                backgrounds={displayed.backgroundsFor(group)}
                onBackground={(greenScreenId) => displayed.setBackground(group, greenScreenId)}
                onSeparate={() => displayed.makeDifferent(group)}
                problems={problems.filter((problem) => isFieldOfStep(group.first, problem))}
                position={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
                fitsElsewhere={(imageId) => isUsableElsewhere([part], group, imageId)}
              />
            </li>
          ))}
      </ol>
      {hasHiddenImages(orderLine) && (
        <p className={styles.unchanged}>
          Its photos stay the same. To change them too, open the event with its code and choose {subject.firstName}.
        </p>
      )}
      {unchanged.length > 0 && <p className={styles.unchanged}>Also included: {contentsLabel(unchanged)}.</p>}
    </section>
  )
}
