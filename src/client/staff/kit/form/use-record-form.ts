import type { FieldValues } from 'react-hook-form'
import type { CallResult } from '#local/transport/request.ts'
import type { VersionedValues } from './merge-edits.ts'
import { type EditFormOptions, type EditFormState, useEditForm } from './use-edit-form.ts'

type RecordFormOptions<Model extends FieldValues, FormRecord> = Pick<EditFormOptions<Model>, 'name' | 'rules'> & {
  /** The saved record. */
  record: FormRecord
  toVersionedValues: (record: FormRecord) => VersionedValues<Model>
  save: (edited: VersionedValues<Model>) => Promise<CallResult<FormRecord>>
  /** Loads the record after a conflict. Without it, the values are not merged, and a message asks the user to try again. */
  read?: () => Promise<CallResult<FormRecord>>
  onSaved?: (record: FormRecord) => void
}

/** `useEditForm` for a record whose read and write calls return the whole record. */
export const useRecordForm = <Model extends FieldValues, FormRecord>(
  options: RecordFormOptions<Model, FormRecord>,
): EditFormState<Model> => {
  const { name, rules, record, toVersionedValues, save, read, onSaved } = options
  const toResult = (answer: CallResult<FormRecord>): CallResult<VersionedValues<Model>> =>
    answer.ok ? { ...answer, data: toVersionedValues(answer.data) } : answer
  return useEditForm<Model>({
    ...{ name, rules },
    saved: toVersionedValues(record),
    save: async (edited) => {
      const answer = await save(edited)
      if (answer.ok) onSaved?.(answer.data)
      return toResult(answer)
    },
    ...(read && { readLatest: async () => toResult(await read()) }),
  })
}
