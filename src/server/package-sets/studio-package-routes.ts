import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/studio/studio-packages.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { createPackage } from './create-package.ts'
import { listAllPackages, type PackageKey, readPackage } from './read-packages.ts'
import { removePackage, replacePackage } from './replace-package.ts'

type PackageParams = { readonly studioId: number; readonly id: number }

/** Where a package of the studio is; undefined where the studio has no such package. */
const locatePackage = async (db: Db, { studioId, id }: PackageParams): Promise<PackageKey | undefined> => {
  const { rows } = await sql<PackageKey>`
    select studio_id as "studioId", package_set_id as "packageSetId", id
      from packages where studio_id = ${studioId} and id = ${id}`.execute(db)
  return rows[0]
}

/** The packages of a studio whatever set each is in; what is done to one is done as in its set. */
export const mountStudioPackages = (app: FastifyInstance, deps: Deps): void => {
  const answer = async (key: PackageKey) => (await readPackage(deps.db, key)) ?? problem('not-found')
  mount(app, deps, calls.listPackagesOfStudio, ({ params: { studioId }, query }) =>
    listAllPackages(deps.db, studioId, query),
  )
  mount(app, deps, calls.getPackageOfStudio, async ({ params }) => {
    const key = await locatePackage(deps.db, params)
    return key ? answer(key) : problem('not-found')
  })
  mount(app, deps, calls.postPackageOfStudio, async ({ params: { studioId }, body, user }) => {
    const { packageSetId, ...fields } = body
    const set = { studioId, packageSetId }
    const id = await createPackage(deps, { set, user, body: fields })
    return id instanceof Problem ? id : answer({ ...set, id })
  })
  mount(app, deps, calls.putPackageOfStudio, async ({ params, body, user }) => {
    const key = await locatePackage(deps.db, params)
    if (!key) return problem('not-found')
    return (await replacePackage(deps, { key, user, body })) ?? (await answer(key))
  })
  mount(app, deps, calls.deletePackageOfStudio, async ({ params, user }) => {
    const key = await locatePackage(deps.db, params)
    return key ? removePackage(deps, { key, user }) : problem('not-found')
  })
}
