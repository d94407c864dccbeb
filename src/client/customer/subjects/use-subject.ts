import { useLiveQuery } from 'dexie-react-hooks'
import { getSubject } from '#contract/customer/discovery-calls.ts'
import type { DataField } from '#domain/cart/cart.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { TypedPersonRow } from '#local/store/database.ts'
import { toldOf } from '#local/store/subject-fields.ts'
import { personByNumber } from '#local/store/typed-subjects.ts'
import { useAsk } from '#platform/api/use-query.ts'
import { local } from '#platform/database.ts'
import type { SubjectRoute } from '#platform/urls.ts'

/** Somebody to be told about: one of the studio's people, or (without a `subjectId`) one typed in here. */
export type Whom = AutofillSubject & { subjectId: number | null; personId: string | null; told: DataField[] }

type OnDevice = { typed: TypedPersonRow | null; told: DataField[] }

const onDevice = async ({ jobId, subjectId }: SubjectRoute): Promise<OnDevice> => {
  const typed = (await personByNumber(local, jobId, subjectId)) ?? null
  return { typed, told: typed?.dataFields ?? (await toldOf(local, { jobId, subjectId })) ?? [] }
}

/** Whom an address speaks of; undefined until it is known. */
export const useWhom = (route: SubjectRoute): Whom | 'unknown' | 'trouble' | undefined => {
  const { jobId, subjectId } = route
  const isTyped = subjectId < 0
  const here = useLiveQuery(() => onDevice(route), [jobId, subjectId])
  const { data, problem } = useAsk(getSubject, isTyped ? null : { params: { jobId, subjectId } })
  if (!here) return undefined
  const { typed, told } = here
  if (typed) return { ...typed, subjectId: null, fields: [], told }
  if (isTyped) return 'unknown'
  if (data) return { ...data, subjectId, personId: null, told }
  return problem && 'trouble'
}
