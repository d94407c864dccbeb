import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/accounts.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { mount } from '#server/http/mount.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { inviteGuarded, listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'
import { readAccount, renameAccount, trimName } from './own-account.ts'
import { mountPlatformUsers } from './platform-user-routes.ts'
import { changeUser, listUsers, readUser, removeUser } from './studio-users.ts'
import { changePreferences, readPreferences } from './user-preferences.ts'

const mountOwnAccount = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    calls.getAccount,
    async ({ user }) => (await readAccount(deps.db, user.id)) ?? problem('not-signed-in'),
  )
  mount(app, deps, calls.patchAccount, async ({ user, body }) => {
    const name = trimName(body.name)
    return name instanceof Problem ? name : await renameAccount(deps, user.id, { ...body, name })
  })
  for (const call of [calls.getUserPreferences, calls.getOwnPreferences] as const) {
    mount(app, deps, call, async ({ user }) => (await readPreferences(deps.db, user.id)) ?? problem('not-signed-in'))
  }
  for (const call of [calls.patchUserPreferences, calls.patchOwnPreferences] as const) {
    mount(
      app,
      deps,
      call,
      async ({ user, body }) => (await changePreferences(deps, user.id, body)) ?? problem('not-signed-in'),
    )
  }
}

const mountUsers = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listUsers, ({ params: { studioId }, query }) => listUsers(deps.db, studioId, query))
  mount(app, deps, calls.getUser, async ({ params }) => (await readUser(deps.db, params)) ?? problem('not-found'))
  mount(app, deps, calls.putUser, async ({ params: key, body, user }) => {
    const name = trimName(body.name)
    return name instanceof Problem
      ? name
      : await changeUser(deps, { key, changes: { ...body, name }, actorId: user.id })
  })
  mount(app, deps, calls.removeUser, async ({ params: key, user }) => {
    return (await removeUser(deps, { key, actorId: user.id })) ?? {}
  })
}

const mountInvitations = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.inviteUser, async ({ params: { studioId }, body, user, request }) => {
    return await inviteGuarded(deps, { studioId, draft: body, actorId: user.id }, clientAddressOf(request))
  })
  mount(app, deps, calls.listInvitations, ({ params: { studioId }, query }) => listInvitations(deps, studioId, query))
  mount(app, deps, calls.resendInvitation, ({ params }) => resendInvitation(deps, params))
  mount(app, deps, calls.revokeInvitation, async ({ params: key, user }) => {
    return (await revokeInvitation(deps, { key, actorId: user.id })) ?? {}
  })
}

/** Routes of a user's own account and preferences, and of the studio's users (section 7, studio admin). */
export const mountAccounts = (app: FastifyInstance, deps: Deps): void => {
  mountOwnAccount(app, deps)
  mountUsers(app, deps)
  mountInvitations(app, deps)
  mountPlatformUsers(app, deps)
}
