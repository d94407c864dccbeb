import CircleHelp from 'lucide-react/icons/circle-question-mark'
import { renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { OrderMethodButton } from '#client/customer/shared/job/order-method-button.tsx'
import { otherOrderMethod } from '#client/customer/shared/job/select-order-method.ts'
import { BottomBarContent } from '#client/customer/shared/layout/bottom-bar.tsx'
import layout from '#client/customer/shared/layout/layout.module.css'
import type { CodeFirstScreen, PackageOffer } from '#contract/customer/code-page.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { urls } from '#platform/urls.ts'
import { IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { createPackagePreview } from '../customer/packages/customiser/customised-package.ts'
import { ImageStrip } from '../customer/packages/images/image-strip.tsx'
import { isReplacement, poseLabel, sortOwnFirst } from '../customer/packages/images/node-images.ts'
import { toPackageSubject } from '../customer/packages/package-context.ts'
import {
  canChooseYearBookImage,
  hidesPricesBeforePose,
  initialPose,
} from '../customer/packages/selection/initial-selection.ts'
import { LargeImage } from '../customer/packages/selection/large-image.tsx'
import { OrderDeadlineNotice } from '../customer/packages/selection/order-deadline-notice.tsx'
import { PackageList } from '../customer/packages/selection/package-list.tsx'
import styles from '../customer/packages/selection/select-package.module.css'
import { StudioAndJobLink } from './customer-layout/studio-and-job-link.tsx'

/** The number of packages in a first view: more than a screen shows. The app adds the others below them. */
export const maxFirstPackages = 8

const ignore = () => undefined

const jobContextOf = ({ studio, job, availability, preferences, orderMethod }: PackageOffer): JobContextValue => ({
  ...{ studioSlug: studio.slug, jobId: job.id, studio, job, availability, preferences, orderMethod },
  switchOrderMethod: ignore,
  closedReason: null,
})

type OfferProps = { offer: PackageOffer; poses: readonly Image[] }

/** Below the large image: the space of the others, which would delay the scripts, and of the yearbook notice. */
const PoseSpace = ({ offer, poses }: OfferProps) => (
  <>
    {poses.length > 1 && (
      <fieldset>
        <ImageStrip
          images={poses}
          chosenId={null}
          yearBookImageId={null}
          name="pose"
          className={styles.poses}
          labelOf={poseLabel}
          onChoose={ignore}
        />
      </fieldset>
    )}
    {canChooseYearBookImage(offer.job, poses) && <p className={styles.yearBook} />}
  </>
)

const OfferedPackages = ({ offer, poses, today }: OfferProps & Pick<CodeFirstScreen, 'today'>) => {
  const { job, availability, preferences, packages, orderMethod } = offer
  const hidesPrices = hidesPricesBeforePose(preferences, orderMethod)
  const imageId = initialPose({ images: poses, imageId: null, savedDraft: null, hidesPrices })
  const subject = { ...toPackageSubject(offer.subject), dataFields: null }
  const { organizationType } = job
  const otherMethod = otherOrderMethod(orderMethod)
  return (
    <div className={styles.packageColumn}>
      <OrderDeadlineNotice today={new Date(`${today}T00:00`)} />
      {availability[otherMethod].available && (
        <div inert>
          <OrderMethodButton method={otherMethod} />
        </div>
      )}
      <PackageList
        offeredPackages={packages}
        cart={emptyCart(job.id, orderMethod)}
        chosenId={null}
        hasPrices={!hidesPrices || imageId !== null}
        preview={createPackagePreview({ subject, images: poses, imageId, orderMethod, organizationType })}
        maxCards={maxFirstPackages}
        onChoose={ignore}
      />
    </div>
  )
}

/**
 * What a parent sees of a child's packages before any script runs: the same header, name, large image and packages, at
 * the same places. Only prerendered. Of its controls only the packages can be used: the page remembers the one that is
 * tapped, and the app continues with it (`SelectPackage`). Until then, or if it does not start, the status in the bar at
 * the bottom says so.
 */
const CodeFirstView = ({ studio, jobName, subjectName, image, offer, today }: CodeFirstScreen) => {
  const poses = offer ? sortOwnFirst(offer.images).filter((pose) => !isReplacement(pose)) : []
  return (
    <JobContext value={offer && jobContextOf(offer)}>
      <div className={layout.page}>
        <header className={classNames(layout.header, layout.withCart)} inert>
          <StudioAndJobLink href={urls.customerStudio({ studioSlug: studio.slug })} {...{ studio, jobName }} />
          <IconButton icon={CircleHelp} label="Help" />
          <p className={layout.status} />
        </header>
        <main className={layout.main}>
          <div className={styles.screen}>
            <div className={styles.subject}>
              <h1>{subjectName}</h1>
              <LargeImage image={image} alt="" />
              {offer && <PoseSpace {...{ offer, poses }} />}
            </div>
            {offer && <OfferedPackages {...{ offer, poses, today }} />}
          </div>
        </main>
        <div className={layout.bottom}>
          {offer && <BottomBarContent label={<span role="status">Choose a package</span>} />}
        </div>
      </div>
    </JobContext>
  )
}

/**
 * Renders the first view of a subject's code. The build makes a module of it, which the server runs for each page
 * (`src/server/landing/fill-landing-page.ts`), because the number of packages differs.
 */
export const renderFirstScreen = (screen: CodeFirstScreen): string =>
  renderToString(
    <Router ssrPath={urls.customerStudio({ studioSlug: screen.studio.slug })}>
      <CodeFirstView {...screen} />
    </Router>,
  )
