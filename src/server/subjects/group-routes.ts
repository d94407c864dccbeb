import type { FastifyInstance } from 'fastify'
import { groups } from '#contract/studio/groups.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { jobExists, lockJob } from '../jobs/store/find-job.ts'
import { createGroup, listGroups, readGroup, removeGroup, replaceGroup } from './groups.ts'

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
  mount(app, deps, groups.post, async ({ params, body, user, recordResponse }) => {
    if (!(await jobExists(db, params))) return problem('not-found')
    return await inTransaction(db, async (tx) => {
      await lockJob(tx, params)
      const id = await createGroup(tx, params, body)
      if (id instanceof Problem) return id
      const group = await readGroup({ ...deps, user, db: tx }, { ...params, id })
      await recordResponse(tx, group)
      return group ?? problem('not-found')
    })
  })
  mount(app, deps, groups.put, ({ params, body, user }) =>
    inTransaction(db, async (tx) => {
      await lockJob(tx, params)
      const groupProblem = await replaceGroup(tx, deps, { key: params, draft: body })
      return groupProblem ?? (await readGroup({ ...deps, user, db: tx }, params)) ?? problem('not-found')
    }),
  )
  mount(app, deps, groups.remove, ({ params }) =>
    inTransaction(db, async (tx) => (await removeGroup(tx, params)) ?? {}),
  )
}
