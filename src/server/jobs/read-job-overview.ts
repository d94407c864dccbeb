import { sql } from 'kysely'
import type { JobOverview } from '#contract/studio/jobs.ts'
import { publishChecks } from '#domain/studio/publish-checks.ts'
import { dueOn, type JobStep, workflowProgress } from '#domain/studio/workflow.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { readPublishChecks } from './read-publish-checks.ts'
import { unusualSearches } from './read-studio-home.ts'
import { joinJobCounts } from './store/job-counts.ts'
import { hasFeature } from './store/job-services.ts'

type Row = Pick<JobOverview, 'progress' | 'orders' | 'unusualSearches'> & {
  event_date: string | null
  workflow: { name: string; steps: JobStep[] } | null
}

const workflowOf = (row: Row): JobOverview['workflow'] => {
  if (!row.workflow) return null
  const { name, steps } = row.workflow
  const { next, ...progress } = workflowProgress(steps)
  return { name, ...progress, next: next && { name: next.name, dueOn: dueOn(next, row.event_date) } }
}

/** The progress of a job and what blocks its publication; undefined if the studio has no such job. */
export const readJobOverview = async (
  deps: Pick<Deps, 'db' | 'clock' | 'payment' | 'settings'>,
  job: JobKey,
): Promise<JobOverview | undefined> => {
  const { db, clock } = deps
  const { studioId, jobId } = job
  const { rows } = await sql<Row>`
    select json_build_object('subjects', k.subjects, 'withImages', k.with_images, 'ordered', k.ordered, 'images', k.images,
                             'unmatchedImages', k.unmatched_images) as progress,
           json_build_object('total', k.orders, 'totalCents', k.order_cents, 'placed', k.placed_orders,
                             'batched', k.batched_orders, 'awaitingPoses', k.awaiting_poses) as orders,
           j.event_date,
           (select json_build_object('misses', x.misses, 'people', x.people, 'since', x.since)
              from ${unusualSearches(studioId, clock())} x where x.job_id = j.id) as "unusualSearches",
           (select json_build_object('name', w.name, 'steps', w.steps) from job_workflows w
             where w.studio_id = j.studio_id and w.job_id = j.id and ${hasFeature('workflows')}
             order by w.id desc limit 1) as workflow
      from jobs j ${joinJobCounts} where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(db)
  const checkInput = await readPublishChecks(db, job, { now: clock(), deps })
  const [row] = rows
  if (!row || !checkInput) return undefined
  const { progress, orders, unusualSearches: searches } = row
  return { progress, orders, checks: publishChecks(checkInput), unusualSearches: searches, workflow: workflowOf(row) }
}
