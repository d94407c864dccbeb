import { publishChecks, publishHindrances } from '#domain/studio/publish-checks.ts'
import { type AuditNote, note } from '../audit/audit-log.ts'
import type { Deps } from '../deps.ts'
import { problem } from '../http/problem.ts'
import { type Changing, type Held, type Refused, withJob, writeJob } from './change-job.ts'
import { readPublishFacts } from './read-publish-checks.ts'

type Move = Parameters<typeof writeJob>[2]['change']

const move = async (
  deps: Deps,
  { job, user }: Changing,
  { held, change, action }: { held: Held; change: Move; action: AuditNote['action'] },
): Promise<undefined> => {
  const { tx, row } = held
  await writeJob(tx, deps, { job, change })
  const detail = { name: row.name }
  const { studioId, jobId } = job
  await note(tx, deps, { studioId, action, entityId: String(jobId), detail, userId: user.id })
}

/** Opens a job to its parents; refused with each sentence of what is missing. Published again, it is as it is. */
export const publishJob = (deps: Deps, changing: Changing): Promise<undefined | Refused> =>
  withJob(deps, changing, async (held) => {
    const { tx, row } = held
    if (row.archived_at !== null) return problem('refused', 'This event is archived. Restore it first')
    if (row.published_at !== null && row.published_at <= deps.clock()) return undefined
    const facts = await readPublishFacts(tx, changing.job, { now: deps.clock(), deps })
    if (!facts) return problem('not-found')
    const hindrances = publishHindrances(publishChecks(facts))
    const sentences = hindrances.map(({ sentence }) => sentence)
    if (sentences.length > 0) return problem('refused', sentences)
    return await move(deps, changing, { held, change: { published_at: deps.clock() }, action: 'job.published' })
  })

/** Closes a job to its parents until it is published again; what they ordered stays theirs. */
export const unpublishJob = (deps: Deps, changing: Changing): Promise<undefined | Refused> =>
  withJob(deps, changing, async (held) => {
    if (held.row.published_at === null) return undefined
    return await move(deps, changing, { held, change: { published_at: null }, action: 'job.unpublished' })
  })

/** Puts a job away; everything of it stays. */
export const archiveJob = (deps: Deps, changing: Changing): Promise<undefined | Refused> =>
  withJob(deps, changing, async (held) => {
    if (held.row.archived_at !== null) return undefined
    return await move(deps, changing, { held, change: { archived_at: deps.clock() }, action: 'job.archived' })
  })

/** Takes a job out again, as it was put away. */
export const restoreJob = (deps: Deps, changing: Changing): Promise<undefined | Refused> =>
  withJob(deps, changing, async (held) => {
    if (held.row.archived_at === null) return undefined
    return await move(deps, changing, { held, change: { archived_at: null }, action: 'job.restored' })
  })
