import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Suspense, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { BottomBar, BottomBarLabel } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import { emptyCart, type SnapshotImage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { sumCents, timesCents, toCents } from '#domain/pricing/money.ts'
import { urls } from '#platform/urls.ts'
import { lazyWhenIdle } from '#platform/when-idle.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { PackagePrints } from '#ui/print/package-prints.tsx'
import { printedItems } from '#ui/print/print-content.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { packageLabel } from '../offers/package-selection.ts'
import type { PackageSubject } from '../package-context.ts'
import { CollapsibleStep } from './collapsible-step.tsx'
import { toCustomiseDraft } from './customise-draft.ts'
import type { FieldProblem } from './customise-steps.ts'
import type { CustomisedPackage, PreviewPackage } from './customised-package.ts'
import styles from './customiser.module.css'
import { focusField, MissingFields } from './missing-fields.tsx'
import { UnchangedItems } from './unchanged-items.tsx'
import { isFieldOfStep, isUsableElsewhere, useCustomiser } from './use-customiser.ts'

const ScenesButton = lazyWhenIdle(async () => (await import('../scenes/scenes-button.tsx')).ScenesButton)

const CustomiserAddOns = lazyWhenIdle(async () => (await import('./customiser-add-ons.tsx')).CustomiserAddOns)

type CustomiserProps = {
  initialParts: CustomisedPackage[]
  subject: PackageSubject
  images: readonly Image[]
  /** Target of the back link. */
  backUrl: string
  submitLabel: string
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
  lineImages?: readonly SnapshotImage[]
  /** Offers add-ons; without it, the packages stay as they are. */
  addOns?: CustomiserAddOnOffer | undefined
}

/** How a package can get add-ons while it is customised. */
export type CustomiserAddOnOffer = {
  offeredPackages: readonly Package[]
  /** The key of the selection draft, which gets the chosen add-ons too. */
  selectionKey: string
  preview: PreviewPackage
  /** New packages, filled in as far as possible. */
  start: (packages: readonly Package[]) => CustomisedPackage[]
  /** Receives the packages that are on the screen now. */
  onChange: (packages: readonly Package[]) => void
}

const partLabel = ({ package: customised, quantity }: CustomisedPackage): string =>
  quantity === 1 ? packageLabel(customised) : `${quantity} × ${packageLabel(customised)}`

const noImages: readonly SnapshotImage[] = []

/** Milliseconds before the button says that the packages are being saved: rendering in between would delay them. */
const busyDelayMs = 200

type SubmitInput = {
  problems: readonly FieldProblem[]
  /** Adds the packages to the cart; returns whether they are in it. */
  add: () => Promise<boolean>
  onAdded: () => Promise<void>
}

/** Submits once, however often the button is tapped; if fields are missing, shows them and focuses the first. */
const useSubmit = ({ problems, add, onAdded }: SubmitInput) => {
  const [showErrors, setShowErrors] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const isSubmitting = useRef(false)
  const submit = async () => {
    const [firstProblem] = problems
    if (firstProblem) {
      setShowErrors(true)
      return focusField(firstProblem.fieldId)
    }
    if (isSubmitting.current) return
    isSubmitting.current = true
    const adding = add()
    const busyTimer = setTimeout(() => setIsBusy(true), busyDelayMs)
    if (await adding.finally(() => clearTimeout(busyTimer))) return await onAdded()
    isSubmitting.current = false
    setIsBusy(false)
  }
  return { showErrors, isBusy, submit }
}

/** "Make it yours": items that need input, each with its print preview; missing fields; the price. */
export const Customiser = (props: CustomiserProps) => {
  const {
    initialParts,
    subject,
    images,
    submitLabel,
    draftKey,
    pose,
    draft: savedDraft,
    onSubmit,
    lineImages = noImages,
    addOns,
  } = props
  const job = useJobContext()
  const { jobId, orderMethod } = job
  const draft = useDraft(draftKey)
  const [, navigate] = useLocation()
  const cart = useCart(jobId, orderMethod)?.cart ?? emptyCart(jobId, orderMethod)
  const save = useEventCallback((current: readonly CustomisedPackage[]) =>
    draft.save(toCustomiseDraft(current, pose, savedDraft)),
  )
  const customiser = useCustomiser({ initialParts, subject, images, lineImages, save })
  const { parts, groups, lines, problems, unchanged, dispatch, urls: imageUrls } = customiser
  const { showErrors, isBusy, submit } = useSubmit({
    problems,
    add: () => onSubmit(parts, customiser.snapshotImages),
    onAdded: async () => {
      await draft.drop()
      navigate(urls.cart(job))
    },
  })
  const cents = sumCents(parts.map((part) => timesCents(toCents(part.package.retailCost), part.quantity)))
  const printed = lines.flatMap((line) => printedItems(line, imageUrls))
  return (
    <div className={styles.screen}>
      <CustomiserHeader {...props} parts={parts} />
      {groups.length > 1 && <WholePackage customiser={customiser} />}
      {printed.some(({ item }) => item.widthInches) && (
        <div className={styles.scenes}>
          <Suspense>
            <ScenesButton items={printed} />
          </Suspense>
        </div>
      )}
      <CustomiserSteps {...{ customiser, images, showErrors }} />
      {unchanged.length > 0 && (
        <UnchangedItems items={unchanged} isWholePackage={groups.length === 0} images={images} />
      )}
      {addOns && (
        <Suspense>
          <CustomiserAddOns
            offeredPackages={addOns.offeredPackages}
            selectionKey={addOns.selectionKey}
            chosenPackages={parts.map((part) => part.package)}
            cart={cart}
            preview={addOns.preview}
            onChange={(packages) => {
              dispatch({ do: 'set-packages', packages: addOns.start(packages) })
              addOns.onChange(packages)
            }}
          />
        </Suspense>
      )}
      <MissingFields problems={problems} />
      <BottomBar
        label={<BottomBarLabel label={parts.length > 1 ? 'Together' : 'This package'} cart={cart} />}
        cents={cents}
      >
        <Button
          loading={isBusy}
          onClick={() => void submit()}
          aria-describedby={problems.length > 0 ? 'gaps' : undefined}
        >
          {submitLabel}
        </Button>
      </BottomBar>
    </div>
  )
}

type CustomiserHeaderProps = Pick<CustomiserProps, 'backUrl' | 'subject' | 'note'> & {
  parts: readonly CustomisedPackage[]
}

const CustomiserHeader = ({ backUrl, subject, note, parts }: CustomiserHeaderProps) => (
  <header className={styles.head}>
    <ButtonLink href={backUrl} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
      Back
    </ButtonLink>
    <h1>Make it yours</h1>
    <p className={styles.packageNames}>
      {parts.map(partLabel).join(' + ')} for {subject.firstName}
    </p>
    {note && <p className={styles.packageNames}>{note}</p>}
  </header>
)

type CustomiserStepsProps = {
  customiser: ReturnType<typeof useCustomiser>
  images: readonly Image[]
  showErrors: boolean
}

/** All prints as they are now, to one scale. */
const WholePackage = ({ customiser: { parts, lines } }: Pick<CustomiserStepsProps, 'customiser'>) => (
  <div className={styles.whole}>
    <PackagePrints items={lines.flatMap((line) => printedItems(line))} label={parts.map(partLabel).join(' + ')} />
  </div>
)

/** One step per item that needs input: a card, or a row if it is finished. */
const CustomiserSteps = ({ customiser, images, showErrors }: CustomiserStepsProps) => {
  const { parts, dispatch, groups, lines, problems, urls: imageUrls } = customiser
  return (
    <ol className={styles.steps}>
      {groups.map((group, index) => {
        const step = group.first
        const part = parts[step.part]
        const line = lines[step.part]
        if (!part || !line) return null
        return (
          <li key={`${part.package.id}-${step.item.id}`}>
            <CollapsibleStep
              startsOpen={groups.length === 1 || customiser.isMadeDifferent(group)}
              {...{ group, part, line, images, dispatch, showErrors }}
              partIndex={step.part}
              urls={imageUrls}
              backgrounds={customiser.backgroundsFor(group)}
              onBackground={(greenScreenId) => customiser.setBackground(group, greenScreenId)}
              problems={problems.filter((problem) => isFieldOfStep(step, problem))}
              position={groups.length > 1 ? `${index + 1} of ${groups.length}` : null}
              fitsElsewhere={(imageId) => isUsableElsewhere(parts, group, imageId)}
              onSeparate={() => customiser.makeDifferent(group)}
            />
          </li>
        )
      })}
    </ol>
  )
}
