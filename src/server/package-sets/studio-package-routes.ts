import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/package-sets.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { createPackage } from './create-package.ts'
import { listAllPackages, type PackageKey, readPackage } from './read-packages.ts'
import { removePackage, replacePackage } from './replace-package.ts'

type PackageParams = { readonly studioId: number; readonly id: number }

/** The key of a studio's package; undefined if the studio has no such package. */
const locatePackage = async (db: Db, { studioId, id }: PackageParams): Promise<PackageKey | undefined> => {
  const rows = await db
    .selectFrom('packages')
    .select(['studio_id as studioId', 'package_set_id as packageSetId', 'id'])
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
  return rows[0]
}

/** Mounts the packages of a studio regardless of their set. Changes behave as for a package in its set. */
export const mountStudioPackages = (app: FastifyInstance, deps: Deps): void => {
  const readOrNotFound = async (key: PackageKey) => (await readPackage(deps.db, key)) ?? problem('not-found')
  mount(app, deps, calls.listPackagesOfStudio, ({ params: { studioId }, query }) =>
    listAllPackages(deps.db, studioId, query),
  )
  mount(app, deps, calls.getPackageOfStudio, async ({ params }) => {
    const key = await locatePackage(deps.db, params)
    return key ? readOrNotFound(key) : problem('not-found')
  })
  mount(app, deps, calls.postPackageOfStudio, async ({ params: { studioId }, body, user }) => {
    const { packageSetId, ...fields } = body
    const set = { studioId, packageSetId }
    const id = await createPackage(deps, { set, user, body: fields })
    return id instanceof Problem ? id : readOrNotFound({ ...set, id })
  })
  mount(app, deps, calls.putPackageOfStudio, async ({ params, body, user }) => {
    const key = await locatePackage(deps.db, params)
    if (!key) return problem('not-found')
    return (await replacePackage(deps, { key, user, body })) ?? (await readOrNotFound(key))
  })
  mount(app, deps, calls.deletePackageOfStudio, async ({ params, user }) => {
    const key = await locatePackage(deps.db, params)
    return key ? removePackage(deps, { key, user }) : problem('not-found')
  })
}
