import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/studio/shoots.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { listInSql, orderBy } from '../http/paging/paginate-query.ts'
import { problem } from '../http/problem.ts'
import { markPerson, patchMark, undoMark } from './attendance-marks.ts'
import { findByCard } from './find-subject-by-card.ts'
import { readCheckIns, readJob, readShoot } from './read-shoot.ts'
import { isSought, lastMark, onTheList, type PersonRow, personColumns, personOf, stands } from './shoot-subjects.ts'
import { walkUp } from './walk-up.ts'

const sorts = { name: sql`u.last_key`, firstName: sql`u.first_key`, reference: sql`u.reference`, at: sql`last.at` }

/** What staff do beside the camera. */
export const mountShoots = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mount(app, deps, calls.getShoot, async ({ params }) => (await readShoot(db, params)) ?? problem('not-found'))
  mount(app, deps, calls.listShootPeople, async ({ params, query }) => {
    if (!(await readJob(db, params))) return problem('not-found')
    const { filter = '', groupId, standing, sort } = query
    const inGroup = sql`exists (select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${groupId ?? 0})`
    const found = await listInSql<PersonRow>(
      db,
      {
        columns: personColumns,
        from: sql`from subjects u left join ${lastMark} on true where ${onTheList(params)}
          and ${filter.trim() === '' ? sql`true` : isSought(filter)}
          and ${groupId === undefined ? sql`true` : inGroup}
          and ${standing === undefined ? sql`true` : stands(standing)}`,
        order: orderBy(sorts, sort, sql`u.last_key, u.first_key, u.id`),
      },
      query,
    )
    return Array.isArray(found) ? found.map(personOf) : { ...found, resultItems: found.resultItems.map(personOf) }
  })
  mount(app, deps, calls.findByCard, ({ params: { code, ...job } }) => findByCard(db, job, code))
  mount(app, deps, calls.listCheckIns, async ({ params, query }) =>
    (await readJob(db, params)) ? await readCheckIns(db, params, query.station) : problem('not-found'),
  )
  // Each mark is its own key, so a repetition is simply told again and hears how the person stands by then.
  const again = { repetition: 'again' } as const
  mount(
    app,
    deps,
    calls.markPerson,
    ({ params: job, body: told, user }) => markPerson(deps, { job, user, told }),
    again,
  )
  mount(app, deps, calls.walkUp, ({ params: job, body: told, user }) => walkUp(deps, { job, user, told }), again)
  mount(app, deps, calls.patchMark, ({ params: { key, ...job }, body: change }) =>
    patchMark(deps, { job, key, change }),
  )
  mount(app, deps, calls.undoMark, ({ params: { key, ...job }, user }) => undoMark(deps, { job, user, key }), again)
}
