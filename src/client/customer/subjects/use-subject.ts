import { useLiveQuery } from 'dexie-react-hooks'
import { getSubject } from '#contract/customer/discovery-calls.ts'
import type { DataField } from '#domain/cart/cart.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { TypedSubjectRow } from '#local/store/rows.ts'
import { readSubjectFields, typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import type { SubjectRoute } from '#platform/urls.ts'

/** A subject to edit: one of the studio's, or (without a `subjectId`) one typed in here. */
export type EditableSubject = AutofillSubject & {
  subjectId: number | null
  personId: string | null
  dataFields: DataField[]
}

type DeviceData = { typedSubject: TypedSubjectRow | null; dataFields: DataField[] }

const readDeviceData = async ({ jobId, subjectId }: SubjectRoute): Promise<DeviceData> => {
  const typedSubject = (await typedSubjectByNumber(database, jobId, subjectId)) ?? null
  return {
    typedSubject,
    dataFields: typedSubject?.dataFields ?? (await readSubjectFields(database, { jobId, subjectId })) ?? [],
  }
}

/** The subject of a URL; undefined until loaded. */
export const useSubject = (route: SubjectRoute): EditableSubject | 'unknown' | 'failed' | undefined => {
  const { jobId, subjectId } = route
  const isTyped = subjectId < 0
  const deviceData = useLiveQuery(() => readDeviceData(route), [jobId, subjectId])
  const { data, problem } = useQuery(getSubject, isTyped ? null : { params: { jobId, subjectId } })
  if (!deviceData) return undefined
  const { typedSubject, dataFields } = deviceData
  if (typedSubject) return { ...typedSubject, subjectId: null, fields: [], dataFields }
  if (isTyped) return 'unknown'
  if (data) return { ...data, subjectId, personId: null, dataFields }
  return problem && 'failed'
}
