import type { FieldValues } from 'react-hook-form'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { useRecordForm } from '../form/use-record-form.ts'
import { authorizedRequest } from '../query/authorized-request.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'

/** A record of the generic resource pattern. */
export type ResourceRecord = { id: number; version: number; isArchived?: boolean }

type ResourceFormOptions<Model extends FieldValues, Row> = {
  /** What a record is called: "shipping option". */
  noun: string
  /** Null creates a record. */
  record: Row | null
  /** The values of the form; those of a new record for null. */
  modelOf: (record: Row | null) => Model
  /** The body that creates a record. */
  toDraft: (model: Model) => object
  rules: Rules<Model>
  /** The generic calls for the records. */
  calls: { get: AnyCall; post: AnyCall; put: AnyCall }
  onSaved: () => void
}

/** The form of a dialog that creates or edits a record. */
export const useResourceForm = <Model extends FieldValues, Row extends ResourceRecord>({
  noun,
  record,
  modelOf,
  toDraft,
  rules,
  calls: { get, post, put },
  onSaved,
}: ResourceFormOptions<Model, Row>) => {
  const creation = useStaffMutation(post)
  const replacement = useStaffMutation(put)
  return useRecordForm<Model, Row | null>({
    name: `${noun} ${record?.id ?? 'new'}`,
    record,
    toVersionedValues: (saved) => ({ values: modelOf(saved), version: saved?.version ?? 0 }),
    rules,
    save: async ({ values, version }) => {
      const draft = toDraft(values)
      const answer = record
        ? await replacement.mutate({ params: { id: record.id }, body: { ...draft, version } }, { onError: 'silent' })
        : await creation.mutate({ body: draft }, { onError: 'silent' })
      if (answer.ok) onSaved()
      return answer
    },
    ...(record && { read: () => authorizedRequest(get, { params: { id: record.id } }) }),
  })
}
