import { useLiveQuery } from 'dexie-react-hooks'
import { listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { listGreenScreens } from '#contract/customer/job-offers.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { lineByNumber } from '#local/cart.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { SubjectLoading } from '../subject-states.tsx'
import { copyPackage } from './copy-package.ts'
import { newCustomisedPackage } from './customised-package.ts'
import { NewPackages, type NewPackagesProps } from './new-packages.tsx'

type CopiedPackagesProps = Omit<NewPackagesProps, 'start' | 'note'> & { like: readonly number[] }

const readLines = async (jobId: number, numbers: readonly number[]): Promise<CartPackage[]> => {
  const lines = await Promise.all(numbers.map((number) => lineByNumber(database, jobId, number)))
  return lines.flatMap((result) => result?.view.line ?? [])
}

/**
 * "Make it yours" prefilled from another subject's cart lines. A line that is no longer in the cart starts as a new
 * package.
 */
export const CopiedPackages = ({ like, ...context }: CopiedPackagesProps) => {
  const { jobId } = context.route
  const lines = useLiveQuery(() => readLines(jobId, like), [jobId, like.join()])
  const [line] = lines ?? []
  // A typed-in subject has no images yet.
  const subjectId = line?.personId === null ? line.subjectId : null
  const originalQuery = useQuery(
    listImages,
    subjectId === null ? null : { params: { jobId, subjectId }, query: withReplacements },
  )
  const needsBackgrounds = lines?.some(({ greenScreen }) => greenScreen) ?? false
  const backgrounds = useQuery(listGreenScreens, needsBackgrounds ? { params: { jobId } } : null)
  if (!lines || [originalQuery, backgrounds].some(({ loading, data }) => loading && !data)) return <SubjectLoading />
  return (
    <CopiedPackagesForm
      {...context}
      lines={lines}
      originalImages={originalQuery.data ?? []}
      backgrounds={backgrounds.data}
    />
  )
}

type CopiedPackagesFormProps = NewPackagesProps & {
  lines: readonly CartPackage[]
  originalImages: readonly Image[]
  backgrounds: readonly { id: number }[] | undefined
}

const CopiedPackagesForm = ({ lines, originalImages, backgrounds, ...packagesProps }: CopiedPackagesFormProps) => {
  const [firstLine] = lines
  return (
    <NewPackages
      {...packagesProps}
      note={firstLine && `Copied from ${firstLine.snapshot.subject.firstName}. Check it, then add it.`}
      start={(offer, context) => {
        const line = lines.find(({ packageId }) => packageId === offer.id)
        return line
          ? copyPackage(offer, { line, images: originalImages, backgrounds }, context)
          : newCustomisedPackage(offer, context)
      }}
    />
  )
}
