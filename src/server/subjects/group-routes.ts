import type { FastifyInstance } from 'fastify'
import { groups } from '#contract/studio/groups.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { jobExists } from '../jobs/store/job-exists.ts'
import { createGroup, listGroups, readGroup, removeGroup, replaceGroup } from './groups.ts'
import { lockJobSubjects } from './lock-subjects.ts'

/** Mounts the groups of a job (section 7, generic resource pattern). */
export const mountGroups = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  mount(
    app,
    deps,
    groups.get,
    async ({ params, user }) => (await readGroup({ ...deps, user }, params)) ?? problem('not-found'),
  )
  mount(app, deps, groups.list, async ({ params, query, user }) =>
    (await jobExists(db, params)) ? await listGroups({ ...deps, user }, params, query) : problem('not-found'),
  )
  mount(app, deps, groups.post, async ({ params, body, user, recordIn }) => {
    if (!(await jobExists(db, params))) return problem('not-found')
    return await inTransaction(db, async (tx) => {
      await lockJobSubjects(tx, params)
      const id = await createGroup(tx, params, body)
      if (id instanceof Problem) return id
      const created = await readGroup({ ...deps, user, db: tx }, { ...params, id })
      await recordIn(tx, created)
      return created ?? problem('not-found')
    })
  })
  mount(app, deps, groups.put, ({ params, body, user }) =>
    inTransaction(db, async (tx) => {
      await lockJobSubjects(tx, params)
      const failure = await replaceGroup(tx, deps, { key: params, draft: body })
      return failure ?? (await readGroup({ ...deps, user, db: tx }, params)) ?? problem('not-found')
    }),
  )
  mount(app, deps, groups.remove, ({ params }) =>
    inTransaction(db, async (tx) => (await removeGroup(tx, params)) ?? {}),
  )
}
