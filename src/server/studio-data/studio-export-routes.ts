import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/studio-export.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { linkToExport, mountExportFile } from './studio-export-file.ts'
import { readExportAnswer, startExport } from './studio-exports.ts'

/** Mounts the routes for exports of everything that a studio stores: for its owners, and for administrators, who cannot download it. */
export const mountStudioExports = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getStudioExport, ({ params }) => readExportAnswer(deps, params.studioId))
  mount(app, deps, calls.startStudioExport, ({ params: { studioId }, user }) => startExport(deps, { studioId, user }))
  mount(app, deps, calls.getStudioExportFile, ({ params: { studioId }, user }) =>
    linkToExport(deps, { studioId, user }),
  )
  mount(app, deps, calls.getPlatformStudioExport, ({ params: { id } }) => readExportAnswer(deps, id))
  mount(app, deps, calls.startPlatformStudioExport, ({ params: { id: studioId }, user }) =>
    startExport(deps, { studioId, user }),
  )
  mountExportFile(app, deps)
}
