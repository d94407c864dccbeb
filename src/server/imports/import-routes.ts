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
import { mountFormCalls } from '../http/forms/mount-with-form.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { jobExists } from '../jobs/store/job-exists.ts'
import { previewImport as preview } from './preview-import.ts'
import { readImport, readImportRows, readImports } from './read-imports.ts'
import * as start from './start-import.ts'
import { changedImport, changeImportLayout, storeImport } from './upload-import.ts'

const isElsewhere = async ({ db }: Deps, job: JobKey): Promise<Problem<'not-found'> | undefined> =>
  (await jobExists(db, job)) ? undefined : problem('not-found')

/** Lists of people, from a file to a job (section 4, feature `dataImport`). */
export const mountImports = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  await mountFormCalls({ app, deps, limits: { files: 1, fileBytes: maxImportBytes } }, (mountForm) => {
    mountForm(uploadImport, async ({ params: job, user, form }) => {
      const refused = await isElsewhere(deps, job)
      if (refused) return refused
      const [file] = form.files
      if (!file) return problem('refused', 'Choose a list to send')
      const key = await storeImport(deps, { job, user, file })
      return key instanceof Problem ? key : ((await readImport(deps.db, key)) ?? problem('not-found'))
    })
  })
  mount(app, deps, listImports, async ({ params, query }) => {
    return (await isElsewhere(deps, params)) ?? (await readImports(deps.db, params, query))
  })
  mount(app, deps, getImport, async ({ params }) => {
    return (await isElsewhere(deps, params)) ?? (await readImport(deps.db, params)) ?? problem('not-found')
  })
  mount(app, deps, patchImport, async ({ params: key, body }) => {
    return (
      (await isElsewhere(deps, key)) ??
      (await changedImport(deps, key, await changeImportLayout(deps, { key, ...body })))
    )
  })
  mount(app, deps, previewImport, async ({ params: key, body }) => {
    return (await isElsewhere(deps, key)) ?? (await changedImport(deps, key, await preview(deps, { key, ...body })))
  })
  mount(app, deps, listImportRows, async ({ params, query }) => {
    const refused = await isElsewhere(deps, params)
    if (refused) return refused
    return (await readImport(deps.db, params)) ? await readImportRows(deps.db, params, query) : problem('not-found')
  })
  mount(app, deps, runImport, async ({ params: key, body: { version }, user }) => {
    const refused = await isElsewhere(deps, key)
    return refused ?? (await changedImport(deps, key, await start.runImport(deps, { key, version, user })))
  })
  mount(app, deps, undoImport, async ({ params: key, body: { version }, user }) => {
    const refused = await isElsewhere(deps, key)
    return refused ?? (await changedImport(deps, key, await start.undoImport(deps, { key, version, user })))
  })
  mount(app, deps, deleteImport, async ({ params }) => {
    return (await isElsewhere(deps, params)) ?? (await start.deleteImport(deps, params))
  })
}
