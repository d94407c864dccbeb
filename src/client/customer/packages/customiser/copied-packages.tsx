import { useLiveQuery } from 'dexie-react-hooks'
import { type Image, listImages, withReplacements } from '#contract/customer/discovery-calls.ts'
import { listGreenScreens } from '#contract/customer/job-offers.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { lineByNumber } from '#local/cart.ts'
import { useAsk } from '#platform/api/use-query.ts'
import { local } from '#platform/database.ts'
import { PersonLoading } from '../subject-states.tsx'
import { copyPart } from './copy-package.ts'
import { startPart } from './customised-package.ts'
import { NewPackages, type NewPackagesProps } from './new-packages.tsx'

type CopiedPackagesProps = Omit<NewPackagesProps, 'start' | 'note'> & { like: readonly number[] }

const linesOf = async (jobId: number, numbers: readonly number[]): Promise<CartPackage[]> => {
  const found = await Promise.all(numbers.map((number) => lineByNumber(local, jobId, number)))
  return found.flatMap((one) => one?.view.line ?? [])
}

/** "Make it yours", beginning as lines of somebody else's in the cart are; those that have left it begin as anew. */
export const CopiedPackages = ({ like, ...given }: CopiedPackagesProps) => {
  const { jobId } = given.route
  const lines = useLiveQuery(() => linesOf(jobId, like), [jobId, like.join()])
  const [line] = lines ?? []
  // Who was typed in has no pictures yet.
  const subjectId = line?.personId === null ? line.subjectId : null
  const theirs = useAsk(
    listImages,
    subjectId === null ? null : { params: { jobId, subjectId }, query: withReplacements },
  )
  const stands = lines?.some(({ greenScreen }) => greenScreen) ?? false
  const backgrounds = useAsk(listGreenScreens, stands ? { params: { jobId } } : null)
  if (!lines || [theirs, backgrounds].some(({ loading, data }) => loading && !data)) return <PersonLoading />
  return <Copy {...given} lines={lines} theirs={theirs.data ?? []} backgrounds={backgrounds.data} />
}

type CopyProps = NewPackagesProps & {
  lines: readonly CartPackage[]
  theirs: readonly Image[]
  backgrounds: readonly { id: number }[] | undefined
}

const Copy = ({ lines, theirs, backgrounds, ...given }: CopyProps) => {
  const [first] = lines
  return (
    <NewPackages
      {...given}
      note={first && `As for ${first.snapshot.subject.firstName}. Look it over, then add it.`}
      start={(one, situation) => {
        const line = lines.find(({ packageId }) => packageId === one.id)
        return line ? copyPart(one, { line, images: theirs, backgrounds }, situation) : startPart(one, situation)
      }}
    />
  )
}
