import type { FastifyInstance } from 'fastify'
import { deleteShare, listShares, postShare } from '#contract/customer/share-calls.ts'
import { getSharedImages } from '#contract/customer/shared-images.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { getJobShareCounts } from '#contract/studio/jobs.ts'
import { getShareCounts } from '#contract/studio/studio.ts'
import { bruteForceGuard } from '../access/brute-force/brute-force-guard.ts'
import { cookieOptions } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { parseImageRequest } from '../images/store/image-requests.ts'
import { sendVariant } from '../images/store/send-variant.ts'
import { countView, findSharedPreview, openShare, type ShareLink } from './open-share.ts'
import { createShare, readShares, stopShare } from './own-shares.ts'
import { readShareCounts } from './share-counts.ts'

type ImageParams = ShareLink & { imageId: string; file: string }

/** Holds the share that this browser has opened, until the browser's session ends, so that a reload is not counted. Sent with its link only. */
const viewedCookie = 'fieldproof_viewed'

/** Mounts a customer's own shares, the link that opens one, its images, and the counts for the studio. */
export const mountShares = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, listShares, ({ session, job, params: { subjectId } }) =>
    readShares(deps, { session, job, subjectId }),
  )
  // A recorded response would store the token, so a repeated request creates another share.
  mount(
    app,
    deps,
    postShare,
    ({ session, job, params: { subjectId }, body }) => createShare(deps, { session, job, subjectId }, body.imageIds),
    { repetition: 'rerun' },
  )
  mount(app, deps, deleteShare, ({ session, job, params: { subjectId, shareId } }) =>
    stopShare(deps, { session, job, subjectId }, shareId),
  )
  mount(app, deps, getSharedImages, async ({ params, request, reply }) => {
    const attempt = { kind: 'share', address: clientAddressOf(request) } as const
    const opened = await bruteForceGuard(deps, attempt, () => openShare(deps, params))
    if (!opened) return problem('not-found', 'This link has ended. Ask for a new one')
    if (opened instanceof Problem) return opened
    const shareId = String(opened.shareId)
    if (request.cookies[viewedCookie] !== shareId) {
      reply.setCookie(viewedCookie, shareId, {
        ...cookieOptions(deps, request),
        path: pathOf(getSharedImages, params, {}),
      })
      await countView(deps, opened)
    }
    return opened.shared
  })
  // With more parts than the URL of a customer's image, so that the service worker never caches it.
  app.get<{ Params: ImageParams }>('/photos/shared/:slug/:token/:imageId/:file', (request, reply) =>
    sendVariant(deps, { request, reply }, async () => {
      const image = parseImageRequest(request.params)
      if (!image || image.variant === 'thumb') return undefined
      const found = await findSharedPreview(deps, request.params, image)
      return found && { ...found, variant: image.variant }
    }),
  )
  mount(app, deps, getShareCounts, ({ params, user }) => readShareCounts(deps, { ...params, user }))
  mount(app, deps, getJobShareCounts, ({ params, user }) => readShareCounts(deps, { ...params, user }))
}
