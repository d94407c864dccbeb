import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/portraits/image-exports.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { jobExists } from '../jobs/store/find-job.ts'
import { deleteExport } from './delete-export.ts'
import { mountExportFiles, showExportFile } from './export-files.ts'
import { listImageExports, readExportSetup, readImageExport } from './read-exports.ts'
import { previewExport, retryExport, startExport } from './start-export.ts'

/** Mounts the routes for exports of a job's images: preview, start, list, retry, download and delete. */
export const mountImageExports = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    calls.getImageExportSetup,
    async ({ params: job }) => (await readExportSetup(deps.db, job)) ?? problem('not-found'),
  )
  mount(app, deps, calls.previewImageExport, async ({ params: job, body: settings, user }) =>
    (await jobExists(deps.db, job)) ? await previewExport({ ...deps, user }, job, settings) : problem('not-found'),
  )
  mount(app, deps, calls.startImageExport, async ({ params: job, body: settings, user, recordResponse }) =>
    (await jobExists(deps.db, job))
      ? await startExport(deps, { job, settings, user, recordResponse })
      : problem('not-found'),
  )
  mount(app, deps, calls.listImageExports, ({ params: job, query }) => listImageExports(deps.db, job, query))
  mount(app, deps, calls.retryImageExport, async ({ params: key, user }) => {
    await retryExport(deps, key, user)
    return (await readImageExport(deps.db, key)) ?? problem('not-found')
  })
  mount(app, deps, calls.deleteImageExport, ({ params: key, user }) => deleteExport(deps, key, user))
  mount(app, deps, calls.getImageExportFile, ({ params: key, user }) => showExportFile(deps, key, user))
  mountExportFiles(app, deps)
}
