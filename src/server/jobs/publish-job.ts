import { publishBlockers, publishChecks } from '#domain/studio/publish-checks.ts'
import { type AuditEntry, recordAudit } from '../audit/audit-log.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../http/problem.ts'
import { recordGalleryPublished } from '../webhooks/outbox/record-events.ts'
import { type JobChange, type JobChangeProblem, type JobLock, withLockedJob, writeJob } from './change-job.ts'
import { readPublishChecks } from './read-publish-checks.ts'

type JobStateChange = Parameters<typeof writeJob>[2]['change']

const changeState = async (
  deps: Deps,
  { job, user }: JobChange,
  { locked, change, action }: { locked: JobLock; change: JobStateChange; action: AuditEntry['action'] },
): Promise<undefined> => {
  const { tx, row } = locked
  await writeJob(tx, deps, { job, change })
  const detail = { name: row.name }
  const { studioId, jobId } = job
  await recordAudit(tx, deps, { studioId, action, entityId: String(jobId), detail, userId: user.id })
}

/** Publishes a job; refused with a message for each blocker. Idempotent. */
export const publishJob = (deps: Deps, request: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async (locked) => {
    const { tx, row } = locked
    if (row.archived_at !== null) return problem('refused', 'This event is archived. Restore it first')
    if (row.published_at !== null && row.published_at <= deps.clock()) return undefined
    const checkInput = await readPublishChecks(tx, request.job, { now: deps.clock(), deps })
    if (!checkInput) return problem('not-found')
    const blockers = publishBlockers(publishChecks(checkInput))
    const messages = blockers.map(({ message }) => message)
    if (messages.length > 0) return problem('refused', messages)
    await changeState(deps, request, { locked, change: { published_at: deps.clock() }, action: 'job.published' })
    await recordGalleryPublished(tx, deps, { ...request.job, imageCount: null })
    return undefined
  })

/** Hides a job from customers until it is published again. Placed orders are unaffected. */
export const unpublishJob = (deps: Deps, request: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async (locked) => {
    if (locked.row.published_at === null) return undefined
    return await changeState(deps, request, { locked, change: { published_at: null }, action: 'job.unpublished' })
  })

/** Archives a job; nothing is deleted. */
export const archiveJob = (deps: Deps, request: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async (locked) => {
    if (locked.row.archived_at !== null) return undefined
    return await changeState(deps, request, { locked, change: { archived_at: deps.clock() }, action: 'job.archived' })
  })

/** Restores an archived job unchanged. */
export const restoreJob = (deps: Deps, request: JobChange): Promise<undefined | JobChangeProblem> =>
  withLockedJob(deps, request, async (locked) => {
    if (locked.row.archived_at === null) return undefined
    return await changeState(deps, request, { locked, change: { archived_at: null }, action: 'job.restored' })
  })
