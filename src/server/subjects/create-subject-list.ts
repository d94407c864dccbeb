import { sql } from 'kysely'
import type { SubjectRow } from '#contract/studio/subjects.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { analyzeLookups, enqueueAnalyze, isAnalyzeDue } from '../database/analyze-tables.ts'
import { firstStepRows, inSteps, nextStepSize, type RunStep } from '../database/in-steps.ts'
import { isForeignKeyViolation, retryOnUniqueViolation } from '../database/statement-errors.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { type Problem, problem } from '../http/problem.ts'
import type { UrlSigningDeps } from '../http/sign-url.ts'
import { type CreationInput, insertSubjects, validateDrafts } from './create-subjects.ts'
import { readSubjectRows } from './list-subjects.ts'
import { removeStagedSubjects, subjectsPerStep } from './staged-subjects.ts'

/** Adds the drafts as staged subjects, and their ids to `ids` after each step. */
const stageSubjects = async (
  runStep: RunStep,
  deps: Deps,
  { input, ids }: { input: CreationInput; ids: number[] },
): Promise<void> => {
  let size = firstStepRows
  for (let steps = 1; ; steps += 1) {
    const drafts = input.drafts.slice(ids.length, ids.length + size)
    const { staged, durationMs } = await runStep(async (tx) => {
      const startedAt = deps.clock().getTime()
      const staged = await insertSubjects(tx, deps, { input: { ...input, drafts }, state: 'staged' })
      return { staged, durationMs: deps.clock().getTime() - startedAt }
    })
    ids.push(...staged)
    if (ids.length >= input.drafts.length) return
    if (isAnalyzeDue(steps)) await analyzeLookups(runStep, 'subjects')
    size = nextStepSize(size, durationMs)
  }
}

const readRows = async (runStep: RunStep, deps: Deps & UrlSigningDeps, job: JobKey, ids: readonly number[]) => {
  const rows: SubjectRow[] = []
  for (let start = 0; start < ids.length; start += subjectsPerStep) {
    const batch = ids.slice(start, start + subjectsPerStep)
    rows.push(...(await runStep((tx) => readSubjectRows({ ...deps, db: tx }, job, batch))))
  }
  return rows
}

type SubjectListInput = {
  readonly input: CreationInput
  readonly data: 'returned' | 'counted'
  readonly recordResponse: RecordResponse
}

type SubjectListResponse = { readonly count: number; readonly subjects?: SubjectRow[] }

/** Thrown if the job was deleted between two steps. */
class JobDeleted extends Error {
  override name = 'JobDeleted'
}

/** Creates a list of subjects in steps, all or none. */
export const createSubjectList = async (
  deps: Deps & UrlSigningDeps,
  { input, data, recordResponse }: SubjectListInput,
): Promise<SubjectListResponse | Problem<'refused' | 'not-found'>> => {
  const { job } = input
  /** Stores the ids in `ids` for the undo. Empties it first, because a transaction that conflicts is retried from the start. */
  const createList = async (runStep: RunStep, ids: number[]) => {
    ids.length = 0
    const refusal = await runStep((tx) => validateDrafts(tx, input))
    if (refusal) return refusal
    await stageSubjects(runStep, deps, { input, ids })
    const countOnly = { count: ids.length }
    const response =
      data === 'counted' ? countOnly : { ...countOnly, subjects: await readRows(runStep, deps, job, ids) }
    return await runStep(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('subjects')
        // They count as created now, because an import that was previewed meanwhile has not seen them.
        .set({ state: 'listed', created_at: deps.clock() })
        .where('studio_id', '=', job.studioId)
        .where(({ eb }) => eb('id', '=', sql<number>`any(${ids}::bigint[])`))
        .where('state', '=', 'staged')
        .executeTakeFirst()
      if (numUpdatedRows < ids.length) throw new JobDeleted()
      await enqueueAnalyze(tx, deps, { data: ['subjects'], rows: ids.length })
      await recordResponse(tx, response)
      return response
    })
  }
  const createOnce = () => {
    const ids: number[] = []
    return inSteps(deps, {
      work: (runStep) => createList(runStep, ids),
      undo: () => removeStagedSubjects(deps, ids),
    })
  }
  try {
    // Other jobs of the studio may take a code between the check and the write.
    return await retryOnUniqueViolation(createOnce)
  } catch (error) {
    if (error instanceof JobDeleted || isForeignKeyViolation(error)) return problem('not-found')
    throw error
  }
}
