import { useMemo, useState } from 'react'
import { contentsWords } from '#client/customer/shared/catalogue/item-labels.ts'
import { customise, type Doing } from '../customiser/customise-reducer.ts'
import type { Part } from '../customiser/customised-package.ts'
import styles from '../customiser/customiser.module.css'
import { StepCard } from '../customiser/step-card.tsx'
import { isOn, takesElsewhere } from '../customiser/use-customiser.ts'
import { useShownParts } from '../customiser/use-displayed-packages.ts'
import { gapsToPose, type LineToPose as Line, personOn, stepsToPose } from './image-choice.ts'

type LineToPoseProps = {
  jobId: number
  /** Its place in the order. */
  at: number
  one: Line
  part: Part
  asked: boolean
  onPart: (change: (before: Part) => Part) => void
}

// Who holds an order may see only the pictures that were opened to them.
const isOutOfSight = ({ images, needsPoses, line }: Line): boolean =>
  images.length === 0 && !needsPoses && line.cartPackageItems.some((item) => item.imageNodes.length > 0)

/** One paid package, its pictures and texts, each print as it will be made. */
export const LineToPose = ({ jobId, at, one, part, asked, onPart }: LineToPoseProps) => {
  const [first] = useState([part])
  const steps = useMemo(() => stepsToPose(one), [one])
  const person = personOn(one)
  const { images } = one
  const doing = (what: Doing) => onPart((before) => customise([before], what)[0] ?? before)
  const known = one.line.snapshot.images
  const shown = useShownParts({ jobId, first, parts: [part], steps, person, images, known, doing })
  const [line] = shown.lines
  const gaps = gapsToPose(one, part, at)
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
                {...{ group, part, at, line, images, urls, asked, doing }}
                backgrounds={shown.backgroundsFor(group)}
                onStand={(greenScreenId) => shown.stand(group, greenScreenId)}
                onApart={() => shown.makeDifferent(group)}
                gaps={gaps.filter((gap) => isOn(group.first, gap))}
                place={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
                elsewhere={(imageId) => takesElsewhere([part], group, imageId)}
              />
            </li>
          ))}
      </ol>
      {isOutOfSight(one) && (
        <p className={styles.rest}>
          Its pictures stay as they are. To change them too, open the event with its code and choose {person.firstName}.
        </p>
      )}
      {rest.length > 0 && <p className={styles.rest}>Also in it: {contentsWords(rest)}.</p>}
    </section>
  )
}
