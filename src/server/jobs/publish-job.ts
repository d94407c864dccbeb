import { publishBlockers, publishChecks } from '#domain/studio/publish-checks.ts'
import { type AuditEntry, recordAudit } from '../audit/audit-log.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../http/problem.ts'
import { type JobChange, type JobChangeProblem, type JobLock, withLockedJob, writeJob } from './change-job.ts'
import { readPublishChecks } from './read-publish-checks.ts'

type JobStateChange = Parameters<typeof writeJob>[2]['change']

const move = async (
  deps: Deps,
  { job, user }: JobChange,
  { held, change, action }: { held: JobLock; change: JobStateChange; action: AuditEntry['action'] },
): Promise<undefined> => {
  const { tx, row } = held
  await writeJob(tx, deps, { job, change })
  const detail = { name: row.name }
  const { studioId, jobId } = job
  await recordAudit(tx, deps, { studioId, action, entityId: String(jobId), detail, userId: user.id })
}

/** Opens a job to its parents; refused with each sentence of what is missing. Published again, it is as it is. */
export const publishJob = (deps: Deps, changing: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, changing, async (held) => {
    const { tx, row } = held
    if (row.archived_at !== null) return problem('refused', 'This event is archived. Restore it first')
    if (row.published_at !== null && row.published_at <= deps.clock()) return undefined
    const facts = await readPublishChecks(tx, changing.job, { now: deps.clock(), deps })
    if (!facts) return problem('not-found')
    const hindrances = publishBlockers(publishChecks(facts))
    const sentences = hindrances.map(({ sentence }) => sentence)
    if (sentences.length > 0) return problem('refused', sentences)
    return await move(deps, changing, { held, change: { published_at: deps.clock() }, action: 'job.published' })
  })

/** Closes a job to its parents until it is published again; what they ordered stays theirs. */
export const unpublishJob = (deps: Deps, changing: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, changing, async (held) => {
    if (held.row.published_at === null) return undefined
    return await move(deps, changing, { held, change: { published_at: null }, action: 'job.unpublished' })
  })

/** Puts a job away; everything of it stays. */
export const archiveJob = (deps: Deps, changing: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, changing, async (held) => {
    if (held.row.archived_at !== null) return undefined
    return await move(deps, changing, { held, change: { archived_at: deps.clock() }, action: 'job.archived' })
  })

/** Takes a job out again, as it was put away. */
export const restoreJob = (deps: Deps, changing: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, changing, async (held) => {
    if (held.row.archived_at === null) return undefined
    return await move(deps, changing, { held, change: { archived_at: null }, action: 'job.restored' })
  })
