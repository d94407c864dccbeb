import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/studio/shoots.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { problem } from '../http/problem.ts'
import { patchMark, recordMark, undoMark } from './attendance-marks.ts'
import { findSubjectByCard } from './find-subject-by-card.ts'
import { readCheckIns, readShoot, readShootJob } from './read-shoot.ts'
import {
  hasAttendanceStatus,
  isListed,
  lastMark,
  matchesShootFilter,
  type ShootSubjectRow,
  shootSubjectColumns,
  shootSubjectOf,
} from './shoot-subjects.ts'
import { addWalkUp } from './walk-up.ts'

const sorts = { name: sql`u.last_key`, firstName: sql`u.first_key`, reference: sql`u.reference`, at: sql`last.at` }

/** Mounts the routes for staff on picture day. */
export const mountShoots = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mount(app, deps, calls.getShoot, async ({ params }) => (await readShoot(db, params)) ?? problem('not-found'))
  mount(app, deps, calls.listShootSubjects, async ({ params, query }) => {
    if (!(await readShootJob(db, params))) return problem('not-found')
    const { filter = '', groupId, status, sort } = query
    const isInGroup = sql`exists (select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${groupId ?? 0})`
    const page = await paginateQuery<ShootSubjectRow>(
      db,
      {
        columns: shootSubjectColumns,
        from: sql`from subjects u left join ${lastMark} on true where ${isListed(params)}
          and ${filter.trim() === '' ? sql`true` : matchesShootFilter(filter)}
          and ${groupId === undefined ? sql`true` : isInGroup}
          and ${status === undefined ? sql`true` : hasAttendanceStatus(status)}`,
        order: orderBy(sorts, sort, sql`u.last_key, u.first_key, u.id`),
      },
      query,
    )
    return Array.isArray(page)
      ? page.map(shootSubjectOf)
      : { ...page, resultItems: page.resultItems.map(shootSubjectOf) }
  })
  mount(app, deps, calls.findSubjectByCard, ({ params: { code, ...job } }) => findSubjectByCard(db, job, code))
  mount(app, deps, calls.listCheckIns, async ({ params, query }) =>
    (await readShootJob(db, params)) ? await readCheckIns(db, params, query.station) : problem('not-found'),
  )
  // The key of a mark makes it idempotent, so a repeated request is processed again and returns the current status.
  const rerun = { repetition: 'rerun' } as const
  mount(
    app,
    deps,
    calls.markSubject,
    ({ params: job, body: mark, user }) => recordMark(deps, { job, user, mark }),
    rerun,
  )
  mount(
    app,
    deps,
    calls.addWalkUp,
    ({ params: job, body: input, user }) => addWalkUp(deps, { job, user, input }),
    rerun,
  )
  mount(app, deps, calls.patchMark, ({ params: { key, ...job }, body: change }) =>
    patchMark(deps, { job, key, change }),
  )
  mount(app, deps, calls.undoMark, ({ params: { key, ...job }, user }) => undoMark(deps, { job, user, key }), rerun)
}
