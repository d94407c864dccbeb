import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type {
  chooseWorkflow as chooseCall,
  JobWorkflow,
  listWorkflows as listCall,
  tickWorkflow as tickCall,
  Workflow,
} from '#contract/studio/workflows.ts'
import type { Page } from '#domain/shared/paging.ts'
import { dueOn, initialSteps, type JobStep, tickStep } from '#domain/studio/workflow.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Db, Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { likePattern, paginateQuery } from '../http/paging/paginate-query.ts'
import { isStale, problem } from '../http/problem.ts'
import type { JobChangeProblem } from './change-job.ts'

/** The workflows that a job can have, by name. */
export const listWorkflows = (db: Db, query: Infer<(typeof listCall)['query']>): Promise<Workflow[] | Page<Workflow>> =>
  paginateQuery<Workflow>(
    db,
    {
      columns: sql`w.id, w.name, w.steps`,
      from: sql`from workflows w where w.archived_at is null and w.name ilike ${likePattern(query.filter?.trim() ?? '')}`,
      order: sql`lower(w.name), w.id`,
    },
    query,
  )

type Row = {
  event_date: string | null
  workflow_id: number | null
  name: string | null
  version: number | null
  steps: JobStep[] | null
  names: Record<string, string>
}

/**
 * The workflow of a job with its progress, without steps if none was chosen; undefined if the studio has no such job.
 */
export const readJobWorkflow = async (db: Db, { studioId, jobId }: JobKey): Promise<JobWorkflow | undefined> => {
  const { rows } = await sql<Row>`
    select j.event_date, w.workflow_id, w.name, w.version, w.steps,
           coalesce((select json_object_agg(u.id, u.name) from users u
                      where u.id in (select (step ->> 'doneBy')::bigint from jsonb_array_elements(w.steps) step)), '{}') as names
      from jobs j left join job_workflows w on w.studio_id = j.studio_id and w.job_id = j.id
     where j.studio_id = ${studioId} and j.id = ${jobId} order by w.id desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { event_date: eventDate, names } = row
  const steps = (row.steps ?? []).map(({ doneBy, ...step }) => ({
    ...step,
    dueOn: dueOn(step, eventDate),
    doneBy: doneBy === null ? null : (names[doneBy] ?? null),
  }))
  return { workflowId: row.workflow_id, name: row.name, version: row.version ?? 0, steps }
}

/** The version that a client sees for a job without a workflow. */
const noWorkflow = { version: 0 }

type LockedWorkflow = { id: number; version: number; steps: JobStep[] }

/** Locks a job and reads its own copy of its workflow, null if it has none. Two clients that choose a workflow run one after the other. */
const lockWorkflow = async (
  tx: Transaction,
  { studioId, jobId }: JobKey,
): Promise<{ current: LockedWorkflow | null } | undefined> => {
  const job = await sql`select from jobs where studio_id = ${studioId} and id = ${jobId} for update`.execute(tx)
  if (job.rows.length === 0) return undefined
  const rows = await tx
    .selectFrom('job_workflows')
    .select(['id', 'version', 'steps'])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  return { current: rows[0] ?? null }
}

/** Assigns a workflow to a job, starting at its first step, or removes it. */
export const chooseWorkflow = (
  deps: Deps,
  job: JobKey,
  { version, workflowId }: Infer<(typeof chooseCall)['body']>,
): Promise<undefined | JobChangeProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockWorkflow(tx, job)
    if (!locked) return problem('not-found')
    if (isStale(locked.current ?? noWorkflow, version)) return problem('conflict')
    const rows = await tx
      .selectFrom('workflows')
      .select(['name', 'steps'])
      .where('id', '=', workflowId)
      .where('archived_at', 'is', null)
      .execute()
    const [workflow] = rows
    if (workflowId !== null && !workflow) return problem('refused', 'This workflow is not there any more')
    await tx.deleteFrom('job_workflows').where('studio_id', '=', job.studioId).where('job_id', '=', job.jobId).execute()
    if (!workflow) return undefined
    const now = deps.clock()
    await tx
      .insertInto('job_workflows')
      .values({
        studio_id: job.studioId,
        job_id: job.jobId,
        workflow_id: workflowId,
        name: workflow.name,
        steps: JSON.stringify(initialSteps(workflow.steps)),
        // Higher than any version that a client may have seen of the previous workflow.
        version: (locked.current ?? noWorkflow).version + 1,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return undefined
  })

/** Marks a step of a job as done or not done, with the time and the user. */
export const tickWorkflow = (
  deps: Deps,
  { job, user }: { job: JobKey; user: User },
  { version, step, done }: Infer<(typeof tickCall)['body']>,
): Promise<undefined | JobChangeProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockWorkflow(tx, job)
    if (!locked) return problem('not-found')
    const { current } = locked
    if (!current || isStale(current, version)) return problem('conflict')
    const now = deps.clock()
    const steps = tickStep(current.steps, { step, done, at: now.toISOString(), by: user.id })
    if (!steps) return problem('refused', 'There is no such step')
    await tx
      .updateTable('job_workflows')
      .set({ steps: JSON.stringify(steps), version: current.version + 1, updated_at: now })
      .where('studio_id', '=', job.studioId)
      .where('id', '=', current.id)
      .execute()
    return undefined
  })
