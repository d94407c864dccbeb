import { useEffect } from 'react'
import { listPackages } from '../../../contract/customer-find.ts'
import { useAsk } from '../../device/use-ask.ts'
import { warmPerson } from '../../device/warm.ts'
import type { SelectPackageRoute } from '../../shell/urls.ts'
import { useEvent } from '../event.tsx'
import { useCart } from '../use-cart.ts'
import { PersonLoading, PersonTrouble } from './person-states.tsx'
import { SelectPackage } from './select-package.tsx'
import { useKept } from './use-kept.ts'
import { usePerson } from './use-person.ts'

/** Where the choice for one person is kept while it is being made. */
const choosingKey = ({ jobId, subjectId }: SelectPackageRoute) => `choosing:${jobId}:${subjectId}`

/** The child, large; then what can be ordered, drawn as it arrives. */
export const SelectPackageScreen = (route: SelectPackageRoute) => {
  const { jobId, subjectId } = route
  const { orderMethod, studio, studioSlug } = useEvent()
  const studioId = studio.id
  useEffect(() => warmPerson({ studioSlug, studioId, jobId, subjectId }), [studioSlug, studioId, jobId, subjectId])
  const known = usePerson(jobId, subjectId)
  const packages = useAsk(listPackages, { params: { jobId }, query: { orderMethod } })
  const cart = useCart(jobId, orderMethod)?.cart
  const kept = useKept(choosingKey(route))
  const { person, images } = known
  const problem = known.problem ?? (packages.data ? undefined : packages.problem)
  if (problem) {
    const again = () => {
      known.again()
      packages.again()
    }
    return <PersonTrouble place={route} problem={problem} again={again} />
  }
  if (!person || !images || !packages.data || !cart || !kept) return <PersonLoading />
  const key = choosingKey(route)
  return <SelectPackage key={key} {...{ route, person, images, cart, kept }} offered={packages.data} draftKey={key} />
}
