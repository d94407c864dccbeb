import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/organizations.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { normaliseOrganizationName, organizationMessages } from '#domain/studio/organization.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import * as change from './change-organization.ts'
import { saveCheckoutContact } from './checkout-contact.ts'
import * as contacts from './organization-contact.ts'
import { isNameTaken, readOrganization, readOrganizations } from './read-organizations.ts'

type NameCheck = { readonly studioId: number; readonly name: string; readonly organizationId?: number | undefined }

const nameMessage = async (
  deps: Deps,
  { studioId, name, organizationId: exceptId }: NameCheck,
): Promise<string | null> => {
  const normalized = normaliseOrganizationName(name)
  if (normalized === '') return validationMessages.required
  return (await isNameTaken(deps.db, { studioId, name: normalized, exceptId })) ? organizationMessages.taken : null
}

const mountContacts = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getContact, ({ params }) => contacts.readContact(deps.db, params))
  for (const call of [calls.putContact, calls.postContact]) {
    mount(app, deps, call, ({ params, body }) => contacts.saveContact(deps, params, body))
  }
  mount(app, deps, calls.deleteContact, ({ params }) => contacts.removeContact(deps, params))
  mount(app, deps, calls.postCheckoutContact, ({ params, user, body }) =>
    saveCheckoutContact(deps, { ...params, user }, body),
  )
}

/** Mounts the routes of a studio's organizations and their contacts. */
export const mountOrganizations = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.listOrganizations, ({ params: { studioId }, query }) =>
    readOrganizations(deps.db, studioId, query),
  )
  mount(app, deps, calls.checkOrganizationName, async ({ params: { studioId }, query }) => {
    const message = await nameMessage(deps, { studioId, ...query })
    return { valid: message === null, message }
  })
  mount(
    app,
    deps,
    calls.getOrganization,
    async ({ params: { studioId, id } }) =>
      (await readOrganization(deps.db, { studioId, organizationId: id })) ?? problem('not-found'),
  )
  mount(app, deps, calls.postOrganization, ({ params: { studioId }, user, body }) =>
    change.createOrganization(deps, { studioId, user }, body),
  )
  mount(app, deps, calls.putOrganization, ({ params: { studioId, id }, user, body }) =>
    change.changeOrganization(deps, { studioId, user }, { ...body, organizationId: id }),
  )
  mount(app, deps, calls.deleteOrganization, ({ params: { studioId, id }, user }) =>
    change.removeOrganization(deps, { studioId, user }, id),
  )
  mount(app, deps, calls.restoreOrganization, ({ params: { studioId, id }, user }) =>
    change.restoreOrganization(deps, { studioId, user }, id),
  )
  mountContacts(app, deps)
}
