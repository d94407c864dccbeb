import { boolean, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import { call } from '../shapes/call.ts'
import { AddressDraft, PostalAddress } from '../shapes/postal-address-structs.ts'
import { Count, Id, Instant, shortText } from '../shapes/primitives.ts'
import { resource, withId } from '../shapes/resource.ts'
import {
  expectedVersion,
  listQuery,
  organizationJobParams,
  organizationJobPath,
  readProblems,
  staff,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'

/** An organization as a row of a list; archived ones have a list of their own. */
export const OrganizationRow = type({
  id: integer(),
  name: string(),
  type: enums(organizationTypes),
  jobCount: Count,
  /** The name of the studio's contact there; empty if there is none. */
  contactName: string(),
  city: string(),
  archivedAt: nullable(Instant),
})
export type OrganizationRow = Infer<typeof OrganizationRow>

/** A school or a club that the studio photographs (section 3). Texts that are not set are empty. */
export const Organization = type({
  id: integer(),
  name: string(),
  type: enums(organizationTypes),
  phone: string(),
  email: string(),
  website: string(),
  note: string(),
  jobCount: Count,
  archivedAt: nullable(Instant),
  version: Count,
})
export type Organization = Infer<typeof Organization>

const draft = {
  name: shortText(120),
  type: enums(organizationTypes),
  phone: optional(shortText(40)),
  email: optional(shortText(254)),
  website: optional(shortText(200)),
  note: optional(shortText(2000)),
}

const organizations = resource({
  base: `${studioPath}/organizations`,
  who: staff,
  listParams: object(studioParams),
  itemParams: object(withId(studioParams)),
  query: object({ ...listQuery, type: optional(enums(organizationTypes)), archived: optional(enums(['0', '1'])) }),
  row: OrganizationRow,
  item: Organization,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion }),
})

export const getOrganization = organizations.get
/** The organizations in use, or with `archived=1` the archived ones; sorted by `name`, `type` or `jobs`. */
export const listOrganizations = organizations.list
export const postOrganization = organizations.post
export const putOrganization = organizations.put
/** Deletes an organization; one with jobs is archived instead: hidden from lists, its jobs unchanged. */
export const deleteOrganization = call({
  ...organizations.remove,
  answer: type({ archived: boolean() }),
})

/** Restores an archived organization. */
export const restoreOrganization = call({
  ...organizations.get,
  method: 'POST',
  path: `${organizations.get.path}/restore`,
})

/**
 * Whether a name is free in this studio, ignoring the organization that is edited; `message` is the error of the field.
 */
export const checkOrganizationName = call({
  method: 'GET',
  path: `${studioPath}/organizations/valid`,
  who: staff,
  params: object(studioParams),
  query: object({ name: shortText(120), organizationId: optional(Id) }),
  answer: type({ valid: boolean(), message: nullable(string()) }),
  problems: readProblems,
})

const organizationParams = { ...studioParams, organizationId: Id }

const contactFields = { firstName: string(), lastName: string(), title: string(), email: string(), phone: string() }

/** The studio's contact at an organization. */
export const OrganizationContact = type({ ...contactFields, address: PostalAddress, version: Count })
export type OrganizationContact = Infer<typeof OrganizationContact>

/** Null if there is no contact. */
const ContactResponse = type({ contact: nullable(OrganizationContact) })

const contactDraftFields = {
  firstName: shortText(80),
  lastName: shortText(80),
  title: shortText(80),
  email: shortText(254),
  phone: shortText(40),
}

export const getContact = call({
  method: 'GET',
  path: `${studioPath}/organizations/:organizationId/contacts`,
  who: staff,
  params: object(organizationParams),
  answer: ContactResponse,
  problems: readProblems,
})

/**
 * Creates or changes the contact. Rejected if all parts of the address are empty (section 5). `version` is that of the
 * existing contact, 0 if there is none.
 */
export const putContact = call({
  ...getContact,
  method: 'PUT',
  body: object({ ...contactDraftFields, address: AddressDraft, ...expectedVersion }),
  problems: writeProblems,
})

/** `putContact` with the method POST. */
export const postContact = call({ ...putContact, method: 'POST' })

export const deleteContact = call({ ...getContact, method: 'DELETE' })

/** The contact shown at a job's checkout. */
export const CheckoutContact = type({ ...contactFields, address: PostalAddress })
export type CheckoutContact = Infer<typeof CheckoutContact>

/** Sets the contact shown at a job's checkout; an empty one removes it. */
export const postCheckoutContact = call({
  method: 'POST',
  path: `${organizationJobPath}/checkout/contact`,
  who: staff,
  params: object(organizationJobParams),
  body: object({ ...contactDraftFields, title: optional(shortText(80)), address: optional(AddressDraft) }),
  answer: type({ contact: nullable(CheckoutContact) }),
  problems: [...readProblems, 'refused'],
})
