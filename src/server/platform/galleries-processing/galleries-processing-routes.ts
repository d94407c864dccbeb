import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/galleries-processing.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { cancelWork, type RemoveClaimedFiles } from './cancel-gallery-work.ts'
import { changeGalleryWork } from './change-gallery-work.ts'
import { pauseStudio, resumeStudio } from './pause-studio.ts'
import { readGalleryWork, readPausedStudios } from './read-gallery-work.ts'
import { retryWork, type WorkRetries } from './retry-gallery-work.ts'

/** Mounts the calls for the background work of galleries (section 2, system admin: galleries processing). */
export const mountGalleriesProcessing = (
  app: FastifyInstance,
  deps: Deps,
  features: WorkRetries & { readonly removeClaimedFiles: RemoveClaimedFiles },
): void => {
  mount(app, deps, calls.listGalleryWork, ({ query }) => readGalleryWork(deps, query))
  mount(app, deps, calls.retryGalleryWork, ({ body: key, user }) =>
    changeGalleryWork(deps, { key, user, verb: 'retried' }, (change) => retryWork(key.kind, change, features)),
  )
  mount(app, deps, calls.cancelGalleryWork, ({ body: key, user }) =>
    changeGalleryWork(deps, { key, user, verb: 'cancelled' }, (change) =>
      cancelWork(key.kind, change, features.removeClaimedFiles),
    ),
  )
  mount(app, deps, calls.listPausedStudios, () => readPausedStudios(deps))
  mount(app, deps, calls.pauseStudio, ({ params: { id: studioId }, body: { reason }, user }) =>
    pauseStudio(deps, { studioId, user, reason: reason.trim() }),
  )
  mount(app, deps, calls.resumeStudio, ({ params: { id: studioId }, user }) => resumeStudio(deps, { studioId, user }))
}
