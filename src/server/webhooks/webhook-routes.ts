import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/developers/webhooks.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { paginateList } from '#server/http/paging/paginate-list.ts'
import { problem } from '#server/http/problem.ts'
import { listDeliveries, readDeliveryDetails, replayDelivery, replaySince, sendTestEvent } from './deliveries.ts'
import {
  createWebhook,
  listWebhooks,
  readSecret,
  readWebhook,
  removeWebhook,
  replaceWebhook,
  rotateSecret,
} from './webhooks.ts'

const mountDeliveries = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listWebhookDeliveries, ({ params, query }) => listDeliveries(deps, params, query))
  mount(app, deps, calls.getWebhookDelivery, ({ params }) => readDeliveryDetails(deps, params))
  mount(app, deps, calls.replayWebhookDelivery, ({ params, user }) => replayDelivery(deps, params, user.id))
  mount(app, deps, calls.replayWebhook, ({ params, body: { from }, user }) =>
    replaySince(deps, params, { from, actorId: user.id }),
  )
  mount(app, deps, calls.testWebhook, ({ params }) => sendTestEvent(deps, params))
}

/** Routes of a studio's webhooks. */
export const mountWebhooks = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listWebhooks, async ({ params: { studioId }, query }) =>
    paginateList(await listWebhooks(deps, studioId), query, ({ url }) => [url]),
  )
  mount(app, deps, calls.getWebhook, async ({ params }) => (await readWebhook(deps.db, params)) ?? problem('not-found'))
  mount(app, deps, calls.postWebhook, ({ params: { studioId }, body: draft, user }) =>
    createWebhook(deps, { studioId, draft, actorId: user.id }),
  )
  mount(app, deps, calls.putWebhook, ({ params, body, user }) =>
    replaceWebhook(deps, params, { body, actorId: user.id }),
  )
  mount(app, deps, calls.deleteWebhook, async ({ params, user }) => {
    return (await removeWebhook(deps, params, user.id)) ?? {}
  })
  // The responses hold the secret, so they are not recorded.
  mount(app, deps, calls.getWebhookSecret, ({ params }) => readSecret(deps, params))
  mount(app, deps, calls.rotateWebhookSecret, ({ params, user }) => rotateSecret(deps, params, user.id), {
    repetition: 'unrecorded',
  })
  mountDeliveries(app, deps)
}
