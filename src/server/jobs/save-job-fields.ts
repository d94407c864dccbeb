import { sql } from 'kysely'
import type { FieldDraft } from '#contract/studio/job-settings.ts'
import { requiredList, validationMessages } from '#domain/shared/validators.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../http/problem.ts'
import { type JobChange, type JobChangeProblem, withLockedJob, writeJob } from './change-job.ts'
import { type FieldErrors, fieldErrorsProblem } from './field-errors.ts'

/** A field as it is stored: trimmed, with its name as the default label, and an id for each option. */
const normalizeField = (draft: FieldDraft): FieldDraft => {
  const options = draft.hasOptions ? draft.options.map(({ id, value }) => ({ id, value: value.trim() })) : []
  let lastId = Math.max(0, ...options.map(({ id }) => id))
  const numberedOptions = options.map(({ id, value }) => {
    if (id > 0) return { id, value }
    lastId += 1
    return { id: lastId, value }
  })
  const name = draft.name.trim()
  return { ...draft, name, label: draft.label.trim() || name, options: numberedOptions }
}

const duplicatesOf = (values: readonly string[]): Set<string> => {
  const lowerCased = values.map((value) => value.toLowerCase())
  return new Set(lowerCased.filter((value, index) => lowerCased.indexOf(value) !== index))
}

const checkRequired = requiredList()

const fieldErrorsOf = (fields: readonly FieldDraft[]): FieldErrors => {
  const duplicateNames = duplicatesOf(fields.map(({ name }) => name))
  return Object.fromEntries(
    fields.flatMap(({ name, hasOptions, options }, index): [string, string[]][] => {
      const values = options.map(({ value }) => value)
      const optionError = () => {
        const requiredError = checkRequired(values, undefined)
        if (requiredError) return requiredError
        if (values.includes('')) return validationMessages.required
        return duplicatesOf(values).size > 0 ? 'Two options are the same' : null
      }
      const error = hasOptions ? optionError() : null
      return [
        ...(name === '' ? [[`fields.${index}.name`, [validationMessages.required]] as [string, string[]]] : []),
        ...(duplicateNames.has(name.toLowerCase())
          ? [[`fields.${index}.name`, ['Two fields have this name']] as [string, string[]]]
          : []),
        ...(error === null ? [] : [[`fields.${index}.options`, [error]] as [string, string[]]]),
      ]
    }),
  )
}

type ExistingIds = { ids: number[]; templates: number[] }

const readExistingIds = async (tx: Transaction, { studioId, jobId }: JobChange['job']): Promise<ExistingIds> => {
  const { rows } = await sql<ExistingIds>`
    select (select coalesce(json_agg(id), '[]') from job_fields where studio_id = ${studioId} and job_id = ${jobId}) as ids,
           (select coalesce(json_agg(id), '[]') from defined_fields) as templates`.execute(tx)
  return rows[0] ?? { ids: [], templates: [] }
}

/** Replaces the fields that a job asks about a subject, in this order. Existing fields keep their ids. */
export const saveJobFields = (
  deps: Deps,
  request: JobChange,
  drafts: readonly FieldDraft[],
): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async ({ tx }) => {
    const { job } = request
    const fields = drafts.map(normalizeField)
    const error = fieldErrorsProblem(fieldErrorsOf(fields))
    if (error) return error
    const existing = await readExistingIds(tx, job)
    const ids = fields.flatMap(({ id }) => (id === undefined ? [] : [id]))
    if (new Set(ids).size < ids.length || ids.some((id) => !existing.ids.includes(id)))
      return problem('refused', 'One of these fields is not there any more. Check the latest list')
    await tx.deleteFrom('job_fields').where('studio_id', '=', job.studioId).where('job_id', '=', job.jobId).execute()
    for (const [index, { id, name, label, inputType, required, hasOptions, options, templateId }] of fields.entries()) {
      await tx
        .insertInto('job_fields')
        .values({
          ...(id !== undefined && { id }),
          studio_id: job.studioId,
          job_id: job.jobId,
          name,
          label,
          input_type: inputType,
          is_required: required,
          has_options: hasOptions,
          options: JSON.stringify(options),
          template_id: templateId !== null && existing.templates.includes(templateId) ? templateId : null,
          position: index + 1,
        })
        .execute()
    }
    await writeJob(tx, deps, { job, change: {} })
    return undefined
  })
