import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { emptyCart, type SnapshotImage } from '#domain/cart/cart.ts'
import { sumCents, timesCents, toCents } from '#domain/pricing/money.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { BottomBarLabel } from '../bottom-bar-label.tsx'
import type { PackageSubject } from '../package-subject.ts'
import { packageLabel } from '../selection/package-selection.ts'
import { toCustomiseDraft } from './customise-draft.ts'
import type { CustomisedPackage } from './customised-package.ts'
import styles from './customiser.module.css'
import { focusField, MissingFields } from './missing-fields.tsx'
import { StepCard } from './step-card.tsx'
import { UnchangedItems } from './unchanged-items.tsx'
import { isFieldOfStep, isUsableElsewhere, useCustomiser } from './use-customiser.ts'

type CustomiserProps = {
  first: CustomisedPackage[]
  person: PackageSubject
  images: readonly Image[]
  /** Target of the back link. */
  back: string
  submitWords: string
  draftKey: string
  /** The pose chosen for these packages, if any, and the existing draft, which may hold other packages. */
  pose?: number | null
  draft?: unknown
  /**
   * Receives the finished packages with their images. Returns whether they are in the cart; on failure it has shown
   * why.
   */
  onSubmit: (parts: CustomisedPackage[], images: readonly SnapshotImage[]) => Promise<boolean>
  /** A notice shown first. */
  note?: string | undefined
  /** Images that a cart line already has. */
  known?: readonly SnapshotImage[]
}

const partWords = ({ package: of, quantity }: CustomisedPackage): string =>
  quantity === 1 ? packageLabel(of) : `${quantity} × ${packageLabel(of)}`

const none: readonly SnapshotImage[] = []

/** Milliseconds before the button says that the packages are being saved: rendering in between would delay them. */
const timeoutMs = 200

/** "Make it yours": items that need input, each with its print preview; missing fields; the price. */
export const Customiser = (props: CustomiserProps) => {
  const { first, person, images, back, submitWords, draftKey, pose, draft: kept, onSubmit, note, known = none } = props
  const event = useJobContext()
  const { jobId, orderMethod } = event
  const draft = useDraft(draftKey)
  const [, navigate] = useLocation()
  const cart = useCart(jobId, orderMethod)?.cart ?? emptyCart(jobId, orderMethod)
  const save = useEventCallback((now: readonly CustomisedPackage[]) => draft.save(toCustomiseDraft(now, pose, kept)))
  const customising = useCustomiser({ first, person, images, known, save })
  const { parts, doing: dispatch, groups, lines, gaps, rest, makeDifferent, urls: shownFrom } = customising
  const [showErrors, setShowErrors] = useState(false)
  const [busy, setBusy] = useState(false)
  const going = useRef(false)
  const cents = sumCents(parts.map((part) => timesCents(toCents(part.package.retailCost), part.quantity)))

  const submit = async () => {
    const [gap] = gaps
    if (gap) {
      setShowErrors(true)
      return focusField(gap.fieldId)
    }
    if (going.current) return
    going.current = true
    const took = onSubmit(parts, customising.facts)
    const late = setTimeout(() => setBusy(true), timeoutMs)
    const isIn = await took.finally(() => clearTimeout(late))
    if (isIn) {
      await draft.drop()
      return navigate(urls.cart(event))
    }
    going.current = false
    setBusy(false)
  }
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <ButtonLink href={back} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
          Back
        </ButtonLink>
        <h1>Make it yours</h1>
        <p className={styles.what}>
          {parts.map(partWords).join(' + ')} for {person.firstName}
        </p>
        {note && <p className={styles.what}>{note}</p>}
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
                {...{ group, part, line, images, dispatch, showErrors }}
                at={step.part}
                urls={shownFrom}
                backgrounds={customising.backgroundsFor(group)}
                onStand={(greenScreenId) => customising.stand(group, greenScreenId)}
                gaps={gaps.filter((gap) => isFieldOfStep(step, gap))}
                position={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
                fitsElsewhere={(imageId) => isUsableElsewhere(parts, group, imageId)}
                onApart={() => makeDifferent(group)}
              />
            </li>
          )
        })}
      </ol>
      {rest.length > 0 && <UnchangedItems items={rest} alone={groups.length === 0} images={images} />}
      <MissingFields gaps={gaps} />
      <BottomBar
        label={<BottomBarLabel what={parts.length > 1 ? 'Together' : 'This package'} cart={cart} />}
        cents={cents}
      >
        <Button loading={busy} onClick={() => void submit()} aria-describedby={gaps.length > 0 ? 'gaps' : undefined}>
          {submitWords}
        </Button>
      </BottomBar>
    </div>
  )
}
