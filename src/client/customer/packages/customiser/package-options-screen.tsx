import { lazy, Suspense, useEffect, useState } from 'react'
import { WithSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { UnknownSubject } from '#client/customer/shared/errors/lazy-error-screens.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type PackageDetailsRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SubjectLoadError, SubjectLoading } from '../subject-states.tsx'
import { usePackageSubject } from '../use-package-subject.ts'
import { NewPackages } from './new-packages.tsx'

// One draft for all packages of a subject: adding or removing an add-on keeps the input.
const draftKeyOf = ({ jobId, subjectId, like }: PackageDetailsRoute) =>
  `customise:${jobId}:${subjectId}${like ? `:like:${like.join(',')}` : ''}`

const CopiedPackages = lazy(async () => ({ default: (await import('./copied-packages.tsx')).CopiedPackages }))

const findPackages = (packageIds: readonly number[], offeredPackages: readonly Package[]): Package[] =>
  [...new Set(packageIds)].flatMap((id) => offeredPackages.find((offer) => offer.id === id) ?? [])

/** Milliseconds that the screen waits for the chosen image. */
const waitMs = 3_000

/**
 * Whether to wait for what is missing. After a session was lost, the images of the old one are gone a moment before
 * those of the new one arrive; images that the studio withdrew stay away.
 */
const useShortWait = (isMissing: boolean): boolean => {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (!isMissing) return
    const timer = setTimeout(() => setIsOver(true), waitMs)
    return () => clearTimeout(timer)
  }, [isMissing])
  return isMissing && !isOver
}

/** "Make it yours": customises a package and its add-ons before they go into the cart. */
export const PackageOptionsScreen = (route: PackageDetailsRoute) => {
  const { jobId, subjectId, packageIds } = route
  const { orderMethod } = useJobContext()
  const subjectResult = usePackageSubject(jobId, { subjectId })
  const packagesQuery = useQuery(listPackages, { params: { jobId }, query: { orderMethod } })
  const key = draftKeyOf(route)
  const isWaiting = useShortWait(route.imageId !== undefined && subjectResult.images?.length === 0)
  if (subjectResult.isUnknown) return <UnknownSubject {...route} />
  const problem = subjectResult.problem ?? (packagesQuery.data ? undefined : packagesQuery.problem)
  if (problem) {
    const retry = () => {
      subjectResult.refetch()
      packagesQuery.refetch()
    }
    return <SubjectLoadError route={route} problem={problem} retry={retry} />
  }
  const { subject, images } = subjectResult
  if (!subject || !images || !packagesQuery.data || isWaiting) return <SubjectLoading />
  const offeredPackages = packagesQuery.data
  const packages = findPackages(packageIds, offeredPackages)
  if (packages.length === 0) {
    return (
      <EmptyState
        level={1}
        title="This package is no longer offered"
        action={<ButtonLink href={urls.selectPackage(route)}>See the packages</ButtonLink>}
      >
        The studio has changed what it offers.
      </EmptyState>
    )
  }
  const context = { route, subject, images, packages, offeredPackages, draftKey: key }
  const { like } = route
  return (
    // Remounted when missing images arrive, so that they fill the packages, but not when an add-on is chosen.
    <WithSavedDraft key={`${key} ${packageIds[0]} ${images.length > 0}`} draftKey={key} loading={<SubjectLoading />}>
      {(draft) =>
        like ? (
          <Suspense fallback={<SubjectLoading />}>
            <CopiedPackages {...context} draft={draft} like={like} />
          </Suspense>
        ) : (
          <NewPackages {...context} draft={draft} />
        )
      }
    </WithSavedDraft>
  )
}
