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

const linesOf = async (jobId: number, numbers: readonly number[]): Promise<CartPackage[]> => {
  const lines = await Promise.all(numbers.map((number) => lineByNumber(database, jobId, number)))
  return lines.flatMap((one) => one?.view.line ?? [])
}

/** "Make it yours" prefilled from another subject's cart lines. Lines that have left the cart start unfilled. */
export const CopiedPackages = ({ like, ...context }: CopiedPackagesProps) => {
  const { jobId } = context.route
  const lines = useLiveQuery(() => linesOf(jobId, like), [jobId, like.join()])
  const [line] = lines ?? []
  // A typed-in subject has no images yet.
  const subjectId = line?.personId === null ? line.subjectId : null
  const originalQuery = useQuery(
    listImages,
    subjectId === null ? null : { params: { jobId, subjectId }, query: withReplacements },
  )
  const stands = lines?.some(({ greenScreen }) => greenScreen) ?? false
  const backgrounds = useQuery(listGreenScreens, stands ? { params: { jobId } } : null)
  if (!lines || [originalQuery, backgrounds].some(({ loading, data }) => loading && !data)) return <SubjectLoading />
  return <Copy {...context} lines={lines} originalImages={originalQuery.data ?? []} backgrounds={backgrounds.data} />
}

type CopyProps = NewPackagesProps & {
  lines: readonly CartPackage[]
  originalImages: readonly Image[]
  backgrounds: readonly { id: number }[] | undefined
}

const Copy = ({ lines, originalImages, backgrounds, ...context }: CopyProps) => {
  const [first] = lines
  return (
    <NewPackages
      {...context}
      note={first && `As for ${first.snapshot.subject.firstName}. Look it over, then add it.`}
      start={(one, situation) => {
        const line = lines.find(({ packageId }) => packageId === one.id)
        return line
          ? copyPackage(one, { line, images: originalImages, backgrounds }, situation)
          : newCustomisedPackage(one, situation)
      }}
    />
  )
}
