import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/package-sets.ts'
import { getPackageDefaults, listProducts } from '#contract/studio/products.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { createPackage } from './create-package.ts'
import { duplicatePackage, duplicateSet } from './duplicate-package.ts'
import { chooseJobPackageSet, readJobPackageSet } from './job-package-set.ts'
import { listProductsFor, readPackageDefaults } from './products.ts'
import { listPackageSets, type PackageSetKey, readPackageSet } from './read-package-sets.ts'
import { listPackagesOfJob, listPackagesOfSet, type PackageKey, readPackage } from './read-packages.ts'
import { removePackage, replacePackage } from './replace-package.ts'
import { mountStudioPackages } from './studio-package-routes.ts'
import { createPackageSet, removePackageSet, reorderPackages, replacePackageSet } from './write-package-set.ts'

const keyOf = ({ studioId, id }: { studioId: number; id: number }): PackageSetKey => ({ studioId, packageSetId: id })

/** Mounts the routes of package sets, their packages, and the set of a job. */
export const mountPackageSets = (app: FastifyInstance, deps: Deps): void => {
  mountSets(app, deps)
  mountPackages(app, deps)
  mountStudioPackages(app, deps)
  mount(app, deps, listProducts, ({ query }) => listProductsFor(deps.db, query))
  mount(app, deps, getPackageDefaults, async ({ params: { studioId } }) => {
    return (await readPackageDefaults(deps.db, studioId)) ?? problem('not-found')
  })
  mount(app, deps, calls.getJobPackageSet, async ({ params }) => {
    return (await readJobPackageSet(deps.db, params)) ?? problem('not-found')
  })
  mount(app, deps, calls.putJobPackageSet, async ({ params: job, body, user }) => {
    const failure = await chooseJobPackageSet(deps, { job, user, ...body })
    return failure ?? (await readJobPackageSet(deps.db, job)) ?? problem('not-found')
  })
  mount(app, deps, calls.listJobPackages, async ({ params: job, query }) => {
    return (await listPackagesOfJob(deps.db, job, query)) ?? problem('not-found')
  })
}

const mountSets = (app: FastifyInstance, deps: Deps): void => {
  const readOrNotFound = async (key: PackageSetKey) => (await readPackageSet(deps.db, key)) ?? problem('not-found')
  mount(app, deps, calls.listPackageSets, ({ params: { studioId }, query }) =>
    listPackageSets(deps.db, studioId, query),
  )
  mount(app, deps, calls.getPackageSet, ({ params }) => readOrNotFound(keyOf(params)))
  mount(app, deps, calls.postPackageSet, async ({ params: { studioId }, body: fields, user }) => {
    return readOrNotFound({ studioId, packageSetId: await createPackageSet(deps, { studioId, user, fields }) })
  })
  mount(app, deps, calls.putPackageSet, async ({ params, body: fields, user }) => {
    const key = keyOf(params)
    return (await replacePackageSet(deps, { key, user, fields })) ?? (await readOrNotFound(key))
  })
  mount(app, deps, calls.deletePackageSet, ({ params, user }) => removePackageSet(deps, { key: keyOf(params), user }))
  mount(app, deps, calls.duplicatePackageSet, async ({ params, body: { name }, user }) => {
    const createdId = await duplicateSet(deps, { key: keyOf(params), user, name })
    return createdId instanceof Problem ? createdId : readOrNotFound({ ...keyOf(params), packageSetId: createdId })
  })
  mount(app, deps, calls.putPackagePositions, async ({ params: key, body }) => {
    return (await reorderPackages(deps, { key, ...body })) ?? (await readOrNotFound(key))
  })
}

const mountPackages = (app: FastifyInstance, deps: Deps): void => {
  const readOrNotFound = async (key: PackageKey) => (await readPackage(deps.db, key)) ?? problem('not-found')
  mount(app, deps, calls.listSetPackages, async ({ params, query }) => {
    return (await listPackagesOfSet(deps.db, params, query)) ?? problem('not-found')
  })
  mount(app, deps, calls.getPackage, ({ params }) => readOrNotFound(params))
  mount(app, deps, calls.postPackage, async ({ params: set, body, user }) => {
    const id = await createPackage(deps, { set, user, body })
    return id instanceof Problem ? id : readOrNotFound({ ...set, id })
  })
  mount(app, deps, calls.putPackage, async ({ params: key, body, user }) => {
    return (await replacePackage(deps, { key, user, body })) ?? (await readOrNotFound(key))
  })
  mount(app, deps, calls.deletePackage, ({ params: key, user }) => removePackage(deps, { key, user }))
  mount(app, deps, calls.duplicatePackage, async ({ params: key, user }) => {
    const id = await duplicatePackage(deps, { key, user })
    return id instanceof Problem ? id : readOrNotFound({ ...key, id })
  })
}
