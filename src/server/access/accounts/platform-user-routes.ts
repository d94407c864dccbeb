import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/platform-users.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { mount } from '#server/http/mount.ts'
import { Problem } from '#server/http/problem.ts'
import { inviteGuarded, resendInvitation, revokeInvitation } from './invitations.ts'
import { trimName } from './own-account.ts'
import * as users from './platform-users.ts'

const mountInvitations = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.invitePlatformUser, async ({ body: { studioId, ...draft }, user, request }) => {
    const invalid = await users.invitationProblem(deps.db, { role: draft.role, studioId })
    if (invalid) return invalid
    const invited = await inviteGuarded(deps, { studioId, draft, actorId: user.id }, clientAddressOf(request))
    return invited instanceof Problem ? invited : await users.readPlatformInvitation(deps, invited.id)
  })
  mount(app, deps, calls.listPlatformInvitations, ({ query }) => users.listPlatformInvitations(deps, query))
  mount(app, deps, calls.resendPlatformInvitation, async ({ params: { id } }) => {
    const sent = await users.withInvitation(deps, id, (key) => resendInvitation(deps, key))
    return sent instanceof Problem ? sent : await users.readPlatformInvitation(deps, id)
  })
  mount(
    app,
    deps,
    calls.revokePlatformInvitation,
    async ({ params: { id }, user }) =>
      (await users.withInvitation(deps, id, (key) => revokeInvitation(deps, { key, actorId: user.id }))) ?? {},
  )
}

/** Routes by which administrators manage the users of all studios, and each other. */
export const mountPlatformUsers = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listPlatformUsers, ({ query }) => users.listPlatformUsers(deps.db, query))
  mount(app, deps, calls.getPlatformUser, ({ params }) => users.readPlatformUser(deps.db, params.id))
  mount(app, deps, calls.putPlatformUser, async ({ params: { id }, body, user }) => {
    const name = trimName(body.name)
    if (name instanceof Problem) return name
    return await users.changePlatformUser(deps, { id, changes: { ...body, name }, actorId: user.id })
  })
  mount(
    app,
    deps,
    calls.removePlatformUser,
    async ({ params: { id }, user }) => (await users.removePlatformUser(deps, { id, actorId: user.id })) ?? {},
  )
  mount(
    app,
    deps,
    calls.endUserSessions,
    async ({ params: { id }, user }) => (await users.endUserSessions(deps, { id, actorId: user.id })) ?? {},
  )
  mountInvitations(app, deps)
}
