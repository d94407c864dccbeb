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
  at: number
  one: Line
  part: CustomisedPackage
  showErrors: boolean
  onPart: (change: (before: CustomisedPackage) => CustomisedPackage) => void
}

// Access to an order includes only the images that were opened to the customer.
const isOutOfSight = ({ images, needsPoses, line }: Line): boolean =>
  images.length === 0 && !needsPoses && line.cartPackageItems.some((item) => item.imageNodes.length > 0)

/** One paid package with its images and texts, each print as it will be produced. */
export const ImageChoiceLine = ({ jobId, at, one, part, showErrors, onPart }: ImageChoiceLineProps) => {
  const [first] = useState([part])
  const steps = useMemo(() => imageChoiceSteps(one), [one])
  const person = subjectOfLine(one)
  const { images } = one
  const dispatch = (what: CustomiseAction) => onPart((before) => customiseReducer([before], what)[0] ?? before)
  const known = one.line.snapshot.images
  const shown = useDisplayedPackages({ jobId, first, parts: [part], steps, person, images, known, dispatch })
  const [line] = shown.lines
  const gaps = missingImageFields(one, part, at)
  const { groups, urls, rest } = shown
  return (
    <section aria-label={`${one.line.snapshot.package.name} for ${person.firstName}`}>
      <p className={styles.what}>
        {one.line.snapshot.package.name} for {person.firstName}
      </p>
      <ol className={styles.steps}>
        {line &&
          groups.map((group, index) => (
            <li key={group.first.item.id}>
              <StepCard
                {...{ group, part, at, line, images, urls, showErrors, dispatch }}
                backgrounds={shown.backgroundsFor(group)}
                onStand={(greenScreenId) => shown.stand(group, greenScreenId)}
                onApart={() => shown.makeDifferent(group)}
                gaps={gaps.filter((gap) => isFieldOfStep(group.first, gap))}
                position={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
                fitsElsewhere={(imageId) => isUsableElsewhere([part], group, imageId)}
              />
            </li>
          ))}
      </ol>
      {isOutOfSight(one) && (
        <p className={styles.rest}>
          Its pictures stay as they are. To change them too, open the event with its code and choose {person.firstName}.
        </p>
      )}
      {rest.length > 0 && <p className={styles.rest}>Also in it: {contentsLabel(rest)}.</p>}
    </section>
  )
}
