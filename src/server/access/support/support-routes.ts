import type { FastifyInstance } from 'fastify'
import * as studioCalls from '#contract/studio/support-access.ts'
import * as systemCalls from '#contract/system/support-access.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { askForConsent, consent, endAccess, leave, openByReason } from './change-accesses.ts'
import { readOwnAccess, readSupportOfStudio } from './read-accesses.ts'

/** Mounts the calls by which owners let administrators of the platform in, and administrators ask, enter and leave. */
export const mountSupportAccess = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, studioCalls.listSupportAccesses, ({ params }) => readSupportOfStudio(deps, params.studioId))
  mount(app, deps, studioCalls.postSupportAccess, ({ params: { studioId }, body, user }) =>
    consent(deps, { studioId, user }, body),
  )
  mount(app, deps, studioCalls.endSupportAccess, ({ params: { studioId, id }, user }) =>
    endAccess(deps, { studioId, user }, id),
  )
  mount(app, deps, systemCalls.getOwnSupportAccess, ({ params, user }) =>
    readOwnAccess(deps.db, deps.clock(), { studioId: params.id, administratorId: user.id }),
  )
  mount(app, deps, systemCalls.askForSupportAccess, ({ params, body, user }) =>
    askForConsent(deps, { studioId: params.id, user }, body.reason),
  )
  mount(app, deps, systemCalls.openSupportAccess, ({ params, body, user }) =>
    openByReason(deps, { studioId: params.id, user }, body.reason),
  )
  mount(app, deps, systemCalls.leaveSupportAccess, ({ params, user }) => leave(deps, { studioId: params.id, user }))
}
