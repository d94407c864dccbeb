import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useEffect, useMemo, useReducer, useState } from 'react'
import type { Image } from '../../../contract/customer-find.ts'
import { emptyCart } from '../../../domain/cart.ts'
import { sumCents, timesCents, toCents } from '../../../domain/money.ts'
import { mayCrop } from '../../../domain/nodes.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useEvent } from '../event.tsx'
import { BottomBar } from '../layout-bottom-bar.tsx'
import { contentsWords } from '../print-set.tsx'
import { useCart } from '../use-cart.ts'
import { BarLabel } from './bar-label.tsx'
import { nameOf } from './choosing.ts'
import { customise, placesOf } from './customising.ts'
import { draftOf } from './draft.ts'
import { GapList, jumpTo } from './gap-list.tsx'
import styles from './options.module.css'
import { type Part, type Person, previewOf } from './part.ts'
import { cropFrame, factsOf, imageOf, isForGroup } from './pictures.ts'
import { StepCard } from './step-card.tsx'
import {
  type Gap,
  gapsOf,
  groupSteps,
  likenessOf,
  type Step,
  type StepGroup,
  stepsOf,
  untouchedItems,
} from './steps.ts'
import type { useDraft } from './use-draft.ts'

type CustomiserProps = {
  first: Part[]
  person: Person
  images: readonly Image[]
  /** Where the way back leads. */
  back: string
  submitWords: string
  busy: boolean
  draft: ReturnType<typeof useDraft>
  onSubmit: (parts: Part[]) => void
  quantity?: number
}

/** "Make it yours": the items that need something, one after the other, each as it will print; what is missing; the price. */
export const Customiser = (props: CustomiserProps) => {
  const { first, person, images, back, submitWords, busy, draft, onSubmit, quantity = 1 } = props
  const { job, jobId, orderMethod } = useEvent()
  const cart = useCart(jobId, orderMethod)?.cart ?? emptyCart(jobId, orderMethod)
  const [parts, doing] = useReducer(customise, first)
  const [asked, setAsked] = useState(false)
  useLoggedAspects(first, images)
  useEffect(() => {
    if (parts !== first) draft.save(draftOf(parts))
  }, [parts, first, draft])

  const importedData = orderMethod === 'prepay' ? job.prepaySettings.importedData : job.importedData
  const steps = useMemo(
    () => stepsOf(first, { orderMethod, importedData, subject: person }),
    [first, orderMethod, importedData, person],
  )
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  // Grouped by how it began: cards must not run together under somebody's finger.
  const groups = useMemo(() => groupSteps(steps, { parts: first, apart }), [steps, first, apart])
  const facts = useMemo(() => factsOf(images), [images])
  const lines = parts.map((part) => previewOf(part, person, facts))
  const gaps = gapsOf(parts, person, orderMethod).filter((gap) => groups.some((group) => isOn(group.first, gap)))
  const rest = untouchedItems(first, steps)
  const cents = timesCents(sumCents(parts.map((part) => toCents(part.package.retailCost))), quantity)

  const submit = () => {
    setAsked(true)
    const [gap] = gaps
    if (gap) jumpTo(gap.fieldId)
    else onSubmit(parts)
  }
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <ButtonLink href={back} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
          Back
        </ButtonLink>
        <h1 className={styles.title}>Make it yours</h1>
        <p className={styles.what}>
          {parts.map((part) => nameOf(part.package)).join(' + ')} for {person.firstName}
        </p>
      </header>
      <ol className={styles.steps}>
        {groups.map((group, index) => {
          const step = group.first
          const part = parts[step.part]
          const line = lines[step.part]
          if (!part || !line) return null
          return (
            <li key={`${step.part}-${step.item.id}`}>
              <StepCard
                {...{ group, part, line, images, doing, asked }}
                gaps={gaps.filter((gap) => isOn(step, gap))}
                place={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
                elsewhere={(imageId) => takesElsewhere(parts, group, imageId)}
                onApart={() => setApart(new Set([...apart, likenessOf(step)]))}
              />
            </li>
          )
        })}
      </ol>
      {rest.length > 0 && (
        <p className={styles.rest}>
          {steps.length > 0 ? 'Also in it' : 'Nothing to choose here: it comes ready made'}: {contentsWords(rest)}.
        </p>
      )}
      <GapList gaps={gaps} />
      <BottomBar label={<BarLabel what={parts.length > 1 ? 'Together' : 'This package'} cart={cart} />} cents={cents}>
        <Button loading={busy} onClick={submit} aria-describedby={gaps.length > 0 ? 'gaps' : undefined}>
          {submitWords}
        </Button>
      </BottomBar>
    </div>
  )
}

const isOn = (step: Step, gap: Gap): boolean => gap.part === step.part && gap.itemId === step.item.id

/** Whether another print than these could take this picture and holds a different one. */
const takesElsewhere = (parts: readonly Part[], { first, twins }: StepGroup, imageId: number): boolean =>
  parts.some((part, index) =>
    placesOf(part).some(({ item, node }) => {
      const own = [first, ...twins].some((step) => step.part === index && step.item.id === item.id)
      const held = imageOf(part.images.find((one) => one.packageItemImageNodeId === node.id))
      return !own && held !== null && held !== imageId && isForGroup(node) === first.imageNodes.some(isForGroup)
    }),
  )

/** What the crop rules want logged (section 4: an aspect nobody knows), once for each thing it says. */
const useLoggedAspects = (parts: readonly Part[], images: readonly Image[]): void => {
  const { organizationType } = useEvent().job
  useEffect(() => {
    const warnings = parts.flatMap((part) =>
      placesOf(part).flatMap(({ item, node }) => {
        const choice = part.images.find((one) => one.packageItemImageNodeId === node.id)
        const image = images.find((one) => one.id === imageOf(choice))
        if (!image || !mayCrop(item, node)) return []
        const { warning } = cropFrame({ item, node, image }, organizationType)
        return warning ? [`${item.name}, ${node.name}: ${warning}`] : []
      }),
    )
    for (const warning of new Set(warnings)) console.warn(warning)
  }, [parts, images, organizationType])
}
