import { useState } from 'react'
import { contentsWords } from '../item-words.ts'
import { customise, type Doing } from './customising.ts'
import styles from './options.module.css'
import { type Part, previewOf } from './part.ts'
import { factsOf } from './pictures.ts'
import { gapsToPose, type LineToPose as Line, personOn, stepsToPose } from './posing.ts'
import { StepCard } from './step-card.tsx'
import { groupSteps, likenessOf, untouchedItems } from './steps.ts'
import { isOn, takesElsewhere } from './use-customising.ts'

type LineToPoseProps = {
  one: Line
  first: Part
  part: Part
  asked: boolean
  onPart: (change: (before: Part) => Part) => void
}

const nothing = () => undefined

/** One paid package and its pictures, each print as it will be made. */
export const LineToPose = ({ one, first, part, asked, onPart }: LineToPoseProps) => {
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  const person = personOn(one)
  const steps = stepsToPose(part)
  const groups = groupSteps(steps, { parts: [first], apart })
  const gaps = gapsToPose(part, person)
  const rest = untouchedItems([part], steps)
  const line = previewOf(part, person, factsOf(one.images))
  const urls = new Map(one.images.map((image) => [image.id, image.previewUrl]))
  const doing = (what: Doing) => onPart((before) => customise([before], what)[0] ?? before)
  return (
    <section aria-label={`${one.line.snapshot.package.name} for ${person.firstName}`}>
      <p className={styles.what}>
        {one.line.snapshot.package.name} for {person.firstName}
      </p>
      <ol className={styles.steps}>
        {groups.map((group, index) => (
          <li key={group.first.item.id}>
            <StepCard
              {...{ group, part, line, urls, asked, doing }}
              images={one.images}
              backgrounds={undefined}
              onStand={nothing}
              onApart={() => setApart(new Set([...apart, likenessOf(group.first)]))}
              gaps={gaps.filter((gap) => isOn(group.first, gap))}
              place={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
              elsewhere={(imageId) => takesElsewhere([part], group, imageId)}
            />
          </li>
        ))}
      </ol>
      {rest.length > 0 && <p className={styles.rest}>Also in it: {contentsWords(rest)}.</p>}
    </section>
  )
}
