import type { FastifyInstance } from 'fastify'
import {
  deleteImport,
  getImport,
  listImportRows,
  listImports,
  maxImportBytes,
  patchImport,
  previewImport,
  runImport,
  undoImport,
  uploadImport,
} from '#contract/studio/imports.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { mountFormCalls } from '../http/forms/mount-form-calls.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { jobExists } from '../jobs/store/find-job.ts'
import { previewImport as preview } from './preview-import.ts'
import { readImport, readImportRows, readImports } from './read-imports.ts'
import * as start from './start-import.ts'
import { changeImportLayout, importResponse, storeImport } from './upload-import.ts'

const jobNotFound = async ({ db }: Deps, job: JobKey): Promise<Problem<'not-found'> | undefined> =>
  (await jobExists(db, job)) ? undefined : problem('not-found')

/** Mounts the routes to import subjects from a list file into a job. */
export const mountImports = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  await mountFormCalls({ app, deps, limits: { files: 1, fileBytes: maxImportBytes } }, (mountForm) => {
    mountForm(uploadImport, async ({ params: job, user, form }) => {
      const notFound = await jobNotFound(deps, job)
      if (notFound) return notFound
      const [file] = form.files
      if (!file) return problem('refused', 'Choose a list to send')
      const key = await storeImport(deps, { job, user, file })
      return key instanceof Problem ? key : ((await readImport(deps.db, key)) ?? problem('not-found'))
    })
  })
  mount(app, deps, listImports, async ({ params, query }) => {
    return (await jobNotFound(deps, params)) ?? (await readImports(deps.db, params, query))
  })
  mount(app, deps, getImport, async ({ params }) => {
    return (await jobNotFound(deps, params)) ?? (await readImport(deps.db, params)) ?? problem('not-found')
  })
  mount(app, deps, patchImport, async ({ params: key, body }) => {
    return (
      (await jobNotFound(deps, key)) ??
      (await importResponse(deps, key, await changeImportLayout(deps, { key, ...body })))
    )
  })
  mount(app, deps, previewImport, async ({ params: key, body }) => {
    return (await jobNotFound(deps, key)) ?? (await importResponse(deps, key, await preview(deps, { key, ...body })))
  })
  mount(app, deps, listImportRows, async ({ params, query }) => {
    const notFound = await jobNotFound(deps, params)
    if (notFound) return notFound
    return (await readImport(deps.db, params)) ? await readImportRows(deps.db, params, query) : problem('not-found')
  })
  mount(app, deps, runImport, async ({ params: key, body: { version }, user }) => {
    const notFound = await jobNotFound(deps, key)
    return notFound ?? (await importResponse(deps, key, await start.runImport(deps, { key, version, user })))
  })
  mount(app, deps, undoImport, async ({ params: key, body: { version }, user }) => {
    const notFound = await jobNotFound(deps, key)
    return notFound ?? (await importResponse(deps, key, await start.undoImport(deps, { key, version, user })))
  })
  mount(app, deps, deleteImport, async ({ params }) => {
    return (await jobNotFound(deps, params)) ?? (await start.deleteImport(deps, params))
  })
}
