import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/developers/api-tokens.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { paginateList } from '#server/http/paging/paginate-list.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts'

/** Routes of a studio's API tokens. */
export const mountApiTokens = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listApiTokens, async ({ params: { studioId }, query }) =>
    paginateList(await listApiTokens(deps, studioId), query, ({ name, createdBy }) => [name, createdBy]),
  )
  // The response holds the token, so it is not recorded; a retry derives the same token.
  mount(
    app,
    deps,
    calls.postApiToken,
    ({ params: { studioId }, body: draft, user, key }) => createApiToken(deps, { studioId, user, draft, key }),
    { repetition: 'rerun' },
  )
  mount(app, deps, calls.deleteApiToken, async ({ params, user }) => {
    return (await revokeApiToken(deps, params, user.id)) ?? {}
  })
}
